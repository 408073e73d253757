import { setCondition } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';

/** One condition of the Gateway API, before it has a time. Reasons are the official ones. */
export type Verdict = {
  readonly type: string;
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
};

export function verdict(type: string, holds: boolean, reason: string, message: string): Verdict {
  return { type, holds, reason, message };
}

export type ConditionTime = { readonly now: number; readonly generation: number | undefined };

/** Those that come and go; all others are always said by us, or are somebody else's. */
const passing: readonly string[] = ['PartiallyInvalid'];

/** These conditions, with the times of those that were so before; what others say stays. */
export function toConditions(
  before: readonly Condition[] | undefined,
  verdicts: readonly Verdict[],
  { now, generation }: ConditionTime,
): readonly Condition[] {
  const known = before ?? [];
  const made = verdicts.flatMap(({ type, holds, reason, message }) => {
    const current = known.filter((condition) => condition.type === type);
    const next = { type, status: holds ? 'True' : 'False', reason, message } as const;
    return setCondition(current, next, { now, observedGeneration: generation });
  });
  const said = new Set([...passing, ...verdicts.map(({ type }) => type)]);
  return [...made, ...known.filter(({ type }) => !said.has(type))];
}
