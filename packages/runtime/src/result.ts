/** An answer that may be missing for a reason the user can do something about. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'NotFound' | 'NotReady' | 'Invalid'; readonly message: string };
