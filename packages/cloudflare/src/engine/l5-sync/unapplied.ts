import type { Plan } from './plan.ts';
import type { Call } from './target.ts';
import { rememberedOf } from './wish.ts';
import type { Wish } from './wish.ts';

/** What was written, and what the provider answered. */
export type Written = {
  readonly wanted: unknown;
  readonly observed: unknown;
  /** All of them when absent. */
  readonly fields?: readonly string[] | undefined;
  /** What is recorded after it. */
  readonly recorded?: unknown;
};

/**
 * The fields that the provider took without a word and shows otherwise. An answer may be partial, so another look has the
 * last word; it is made only where the answer differs.
 */
export async function findUnapplied(wish: Wish, written: Written | undefined, call: Call): Promise<readonly string[]> {
  if (!written) return [];
  const { target, key } = wish;
  const { wanted, observed } = written;
  if (observed === undefined || differing(wish, written, observed).length === 0) return [];
  const id = target.idOf(observed);
  const seen = await target.observe.lookup({ key, desired: wanted, id }, call);
  const again = seen.find((one) => target.idOf(one) === id);
  return again === undefined ? [] : differing(wish, written, again);
}

function differing({ target }: Wish, written: Written, observed: unknown): readonly string[] {
  const { wanted, fields, recorded } = written;
  const remembered = target.shared ? undefined : rememberedOf(recorded);
  return target.difference(wanted, observed, remembered).filter((field) => fields?.includes(field) ?? true);
}

/** Stands in `refused.observed`: as long as no more than these fields differ, they are not written again. */
export function unappliedMark(fields: readonly string[]): string {
  return `not applied: ${fields.toSorted().join(', ')}`;
}

export function unappliedMessage(fields: readonly string[]): string {
  return `Cloudflare took the change and shows other values of: ${fields.toSorted().join(', ')}`;
}

/** Whether a plan is to write once more what was taken and not applied. */
export function repeatsUnapplied(step: Plan<unknown, unknown>, observed: string | undefined): boolean {
  return step.do === 'update' && observed === unappliedMark(step.fields);
}
