/**
 * Whose turn it is. Lower priorities leave a part of the quota and of the places free, so that a person's change finds
 * room even in the middle of a scan; one that has waited too long gets a small share of its own, so nobody waits for
 * ever.
 */
import type { Clock } from '@tributary/runtime';
import type { Allowance } from './allowance.ts';
import { priorities } from './priority.ts';
import type { Priority } from './priority.ts';
import type { Waiter } from './waiting-line.ts';

export type TurnOptions = {
  /** How many calls may be under way at once. */
  readonly maxInFlight: number;
  /** How long a call of low priority waits until it gets a turn before more urgent ones. */
  readonly patienceMs: number;
};

export type Turns = {
  /** Takes the turn of the one who may go now; the heads are the first of each line, the most urgent first. */
  readonly take: (heads: readonly Waiter[], inFlight: number) => Waiter | undefined;
  /** When to ask again; infinite when only an answer can make room. */
  readonly nextAtMs: (heads: readonly Waiter[], inFlight: number) => number;
};

const reservedShare: Readonly<Record<Priority, number>> = { change: 0, deletion: 0.05, drift: 0.3 };
/** The part of the quota that those may take who have waited too long, whatever is reserved. */
const overdueShare = 0.1;
/** So many others go before one of them: after a long pause a person's change still comes first. */
const mostPassedOver = 9;

export function createTurns(
  { maxInFlight, patienceMs }: TurnOptions,
  { allowance, clock }: { readonly allowance: Allowance; readonly clock: Pick<Clock, 'monotonic'> },
): Turns {
  let overdueTurnAtMs = Number.NEGATIVE_INFINITY;
  let passedOver = 0;

  const openAt = ({ priority }: Waiter, inFlight: number): number => {
    const places = Math.max(1, maxInFlight - priorities.indexOf(priority));
    return inFlight < places ? allowance.openAt(reservedShare[priority]) : Number.POSITIVE_INFINITY;
  };
  /** When this one may pass over all that is reserved: after its patience, and not more often than its share. */
  const overdueOpenAt = ({ priority, sinceMs }: Waiter, inFlight: number): number => {
    if (priority === 'change' || inFlight >= maxInFlight) return Number.POSITIVE_INFINITY;
    return Math.max(allowance.openAt(0), sinceMs + patienceMs, overdueTurnAtMs);
  };

  return {
    take: (heads, inFlight) => {
      const now = clock.monotonic();
      const regular = heads.find((waiter) => openAt(waiter, inFlight) <= now);
      const [overdue] = heads
        .filter((waiter) => overdueOpenAt(waiter, inFlight) <= now)
        .toSorted((left, right) => left.sinceMs - right.sinceMs);
      if (!overdue || (regular && passedOver < mostPassedOver)) {
        if (overdue) passedOver += 1;
        return regular;
      }
      passedOver = 0;
      const { quota, windowMs } = allowance.policy();
      const stepMs = windowMs / (quota * overdueShare);
      // Turns not taken add up for one window: a whole quota may come free, and be taken, in one moment.
      overdueTurnAtMs = Math.max(overdueTurnAtMs, now - Math.max(0, windowMs - stepMs)) + stepMs;
      return overdue;
    },
    nextAtMs: (heads, inFlight) =>
      Math.min(...heads.flatMap((waiter) => [openAt(waiter, inFlight), overdueOpenAt(waiter, inFlight)])),
  };
}
