/** What the server said is left until its reset, which also counts the calls of others with the same account. */
import type { Clock } from '@tributary/runtime';
import type { RateLimit } from './rate-headers.ts';

export type ServerLimit = { readonly name: string; readonly left: number; readonly resetAtMs: number };

export type ServerLimits = {
  /** Those whose window still runs. */
  readonly inForce: () => readonly ServerLimit[];
  readonly spend: () => void;
  /** `unanswered` calls are still out and may not be counted yet. */
  readonly learn: (limit: RateLimit, unanswered: number) => void;
};

/** The server gives whole seconds: waiting for a rounded-down reset would be a moment too early. */
const roundingMs = 1000;
/** A reset that moved by more belongs to a new window. */
const sameWindowMs = 2000;

export function createServerLimits(clock: Pick<Clock, 'monotonic'>): ServerLimits {
  const limits = new Map<string, ServerLimit>();
  return {
    inForce: () => [...limits.values()].filter(({ resetAtMs }) => resetAtMs > clock.monotonic()),
    spend: () => {
      for (const [name, limit] of limits) limits.set(name, { ...limit, left: limit.left - 1 });
    },
    learn: ({ name, remaining, resetMs }, unanswered) => {
      const next = { name, left: remaining - unanswered, resetAtMs: clock.monotonic() + resetMs + roundingMs };
      const known = limits.get(name);
      limits.set(name, known && known.resetAtMs > clock.monotonic() ? merge(known, next) : next);
    },
  };
}

/** Within one window answers may overtake each other: the least that was ever left is what can be relied on. */
function merge(known: ServerLimit, next: ServerLimit): ServerLimit {
  const sameWindow = Math.abs(next.resetAtMs - known.resetAtMs) <= sameWindowMs;
  return sameWindow ? { ...known, left: Math.min(known.left, next.left) } : next;
}
