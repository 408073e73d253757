import { hashOf } from '@tributary/runtime';

/** When deletions are too many at once to be done without asking: above both, the number and the share of a scope. */
export type BreakerLimits = { readonly most: number; readonly share: number };

export type DeletionsInScope = {
  /** What is to be deleted now. */
  readonly pending: readonly string[];
  /** What a person has approved by its very list. */
  readonly approved: readonly string[];
  /** What was deleted of late, without approval. */
  readonly recent: readonly string[];
  /** All that the scope has, the pending ones included. */
  readonly present: readonly string[];
};

/** Those of the pending deletions that have to wait for a person; none below the limits. */
export function heldDeletions(
  { pending, approved, recent, present }: DeletionsInScope,
  { most, share }: BreakerLimits,
): readonly string[] {
  const allowed = new Set(approved);
  const open = [...new Set(pending)].filter((name) => !allowed.has(name));
  const count = new Set([...open, ...recent]).size;
  const total = new Set([...present, ...recent, ...open]).size;
  return count > most && count > share * total ? open.toSorted() : [];
}

/** Names this very list: another list, another hash. */
export function deletionPlanHash(scope: string, names: readonly string[]): string {
  return hashOf([scope, names]).slice(0, 16);
}
