/**
 * Time as an argument. Nothing in the runtime reads the system's clock or sets a timer but through a `Clock`,
 * so that a whole world can run on simulated time.
 */
export type Clock = {
  /** Wall time in milliseconds since the epoch: for timestamps that others read. */
  readonly now: () => number;
  /** Milliseconds that never jump: for deadlines and durations. */
  readonly monotonic: () => number;
  /** Calls `fire` once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, fire: () => void) => () => void;
};

/** Node fires timers above this at once instead of late. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, fire) => {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const stepMs = Math.min(Math.max(leftMs, 0), longestTimerMs);
      timer = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : fire()), stepMs);
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};

/** Waits `ms` on the given clock; rejects with the signal's reason when it is aborted first. */
export async function sleep(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
