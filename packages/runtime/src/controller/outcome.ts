/** What the queue does with a key after one reconcile. Failure is not an outcome: it is thrown. */
export type Outcome = { readonly kind: 'settled' } | { readonly kind: 'recheck'; readonly afterMs: number };

export const settled: Outcome = { kind: 'settled' };

export function recheck(afterMs: number): Outcome {
  return { kind: 'recheck', afterMs };
}
