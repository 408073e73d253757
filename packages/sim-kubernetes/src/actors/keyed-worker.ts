// The loop of every actor: keys come in, each is worked on once at a time, and again when it came in meanwhile. Time goes
// through the clock, and when no key is due nothing at all happens.
import type { Clock } from '@tributary/runtime/clock';
import { isApiError } from '../registry/api-error.ts';

export type KeyedWorker = {
  /** Asks for a key; an earlier date wins over a later one. */
  readonly add: (key: string, delayMs?: number) => void;
  readonly stop: () => void;
};

const firstRetryMs = 50;
const longestRetryMs = 10_000;

/** `work` says in how many milliseconds it wants to see the key again, if at all. */
export function createKeyedWorker(
  clock: Clock,
  work: Work,
  onError: (error: unknown) => void = () => undefined,
): KeyedWorker {
  const due = new Map<string, { readonly atMs: number; readonly cancel: () => void }>();
  const running = new Set<string>();
  const again = new Set<string>();
  const attempt = createAttempt(work, onError);
  let stopped = false;

  const add = (key: string, delayMs = 0): void => {
    if (stopped) return;
    if (running.has(key) && delayMs === 0) {
      again.add(key);
      return;
    }
    const atMs = clock.monotonic() + delayMs;
    const booked = due.get(key);
    if (booked !== undefined && booked.atMs <= atMs) return;
    booked?.cancel();
    due.set(key, { atMs, cancel: clock.after(delayMs, () => void run(key)) });
  };

  async function run(key: string): Promise<void> {
    due.delete(key);
    if (stopped) return;
    if (running.has(key)) {
      again.add(key);
      return;
    }
    running.add(key);
    const nextMs = await attempt(key);
    running.delete(key);
    if (again.delete(key)) add(key);
    else if (nextMs !== undefined) add(key, nextMs);
  }

  return {
    add,
    stop: () => {
      stopped = true;
      for (const { cancel } of due.values()) cancel();
      due.clear();
    },
  };
}

type Work = (key: string) => Promise<number | undefined>;

/** Failed work is tried again, later each time. */
function createAttempt(work: Work, onError: (error: unknown) => void): Work {
  const failures = new Map<string, number>();
  return async (key) => {
    try {
      const nextMs = await work(key);
      failures.delete(key);
      return nextMs;
    } catch (error) {
      const failed = (failures.get(key) ?? 0) + 1;
      failures.set(key, failed);
      // What the API says no to is part of its life; anything else is a fault of ours, and must be seen.
      if (!isApiError(error)) onError(error);
      return Math.min(firstRetryMs * 2 ** (failed - 1), longestRetryMs);
    }
  };
}
