/** One behaviour of the original, the test here that shows it, and the number of the decision where it is another one here. */
export type Line = { readonly line: string; readonly in: string; readonly test: string; readonly differs?: string };
