import type { Verdict } from './judge-end.ts';
import { defaultBackoff } from './restart-backoff.ts';
import type { BackoffOptions, RestartBackoff } from './restart-backoff.ts';

export type ReflectorTiming = {
  readonly backoff: BackoffOptions;
  /** Watches do not begin more often than this. */
  readonly floorMs: number;
  /** How often to look whether a kind that is not there has come. */
  readonly slowMs: number;
  /** A watch that is silent for so long is dead: the server sends a bookmark about every minute. */
  readonly idleMs: number;
  /** The server is asked to end a watch after a random time in between, so that not all come back at once. */
  readonly watchSeconds: { readonly min: number; readonly max: number };
  /** Initial events that pause for so long are not going to end: the server does not know watch-list. */
  readonly patienceMs: number;
  /** A watch without failure for so long counts as resumed even if nothing happened on it. */
  readonly provenMs: number;
};

export const defaultReflectorTiming: ReflectorTiming = {
  backoff: defaultBackoff,
  floorMs: 1000,
  slowMs: 10_000,
  idleMs: 150_000,
  watchSeconds: { min: 300, max: 600 },
  patienceMs: 10_000,
  provenMs: 1000,
};

/** How many milliseconds the wait of a verdict is. Waits that a server or a missing kind asks for get some chance on top. */
export function toWaitMs(
  wait: Verdict['wait'],
  lastedMs: number,
  deps: { readonly timing: ReflectorTiming; readonly backoff: RestartBackoff; readonly random: () => number },
): number {
  const { timing, backoff, random } = deps;
  const floorMs = Math.max(0, timing.floorMs - lastedMs);
  if (typeof wait === 'object') return wait.atLeastMs * (1 + random() / 10);
  switch (wait) {
    case 'none':
      return 0;
    case 'floor':
      return floorMs;
    case 'slow':
      return timing.slowMs * (1 + random() / 10);
    case 'prompt':
    case 'backoff': {
      const first = backoff.isFresh();
      const delayMs = backoff.nextMs();
      return first && wait === 'prompt' ? floorMs : delayMs;
    }
    default:
      return wait satisfies never;
  }
}
