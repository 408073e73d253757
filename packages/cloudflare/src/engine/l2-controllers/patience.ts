import type { Clock } from '@tributary/runtime';

/** How long keys have been waiting for something, from the first time that somebody asked. */
export type Patience = {
  /**
   * What is left of the wait that began when this was first asked of the key; 0 when it is over. Another `progress` than
   * the last time shows that somebody is at work: the wait begins anew, a few times.
   */
  readonly left: (key: string, waitMs: () => number, progress?: string) => number;
  /** The key waits no longer. */
  readonly clear: (key: string) => void;
};

type Wait = { readonly end: number; readonly progress: string; readonly begun: number };

const mostBeginnings = 5;

export function createPatience(clock: Pick<Clock, 'monotonic'>): Patience {
  const waits = new Map<string, Wait>();
  return {
    left: (key, waitMs, progress = '') => {
      const now = clock.monotonic();
      const known = waits.get(key);
      const begun = known?.begun ?? 0;
      const goesOn = known && (known.progress === progress || begun >= mostBeginnings);
      const wait = goesOn ? known : { end: now + waitMs(), progress, begun: begun + 1 };
      waits.set(key, wait);
      return Math.max(0, wait.end - now);
    },
    clear: (key) => void waits.delete(key),
  };
}
