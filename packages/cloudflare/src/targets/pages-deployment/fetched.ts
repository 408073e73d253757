/** What was fetched, and what a person would call it. */
export type Fetched = { readonly bytes: Uint8Array; readonly name: string };
