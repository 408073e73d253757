import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';

/**
 * Remembers which writes may still be on their way. A write without an answer may take effect at any later moment:
 * as long as there is one, the lease must not be handed to somebody else early.
 */
export type WriteLedger = {
  readonly record: <T>(write: () => Promise<T>) => Promise<T>;
  /** Waits for answers at most so long. True when every write has one, or was sent longer ago than `forgetAfterMs`. */
  readonly drained: (waitMs: number) => Promise<boolean>;
};

export function createWriteLedger(forgetAfterMs: number, clock: Clock): WriteLedger {
  const underWay = new Set<Promise<unknown>>();
  let unansweredAt = -Infinity;

  return {
    record: async (write) => {
      const answer = write();
      underWay.add(answer);
      try {
        return await answer;
      } catch (error) {
        unansweredAt = clock.monotonic();
        throw error;
      } finally {
        underWay.delete(answer);
      }
    },
    drained: async (waitMs) => {
      const limit = new AbortController();
      const waited = sleep(clock, waitMs, limit.signal).catch(() => undefined);
      await Promise.race([Promise.allSettled(underWay), waited]);
      limit.abort();
      await waited;
      return underWay.size === 0 && clock.monotonic() - unansweredAt > forgetAfterMs;
    },
  };
}
