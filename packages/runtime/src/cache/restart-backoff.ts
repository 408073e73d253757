import type { Clock } from '../clock.ts';

export type BackoffOptions = {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Without a failure for so long, the next one starts small again. */
  readonly resetAfterMs: number;
};

export type RestartBackoff = {
  /** True when the next failure would be the first. */
  readonly isFresh: () => boolean;
  /** How long to wait after one more failure: doubles up to the maximum, and up to as much again by chance. */
  readonly nextMs: () => number;
};

/** The figures of client-go: chance as large as the delay itself keeps a thousand clients from coming back as one. */
export const defaultBackoff: BackoffOptions = { firstMs: 800, maxMs: 30_000, resetAfterMs: 120_000 };

export function createRestartBackoff(
  options: BackoffOptions,
  deps: { readonly clock: Pick<Clock, 'monotonic'>; readonly random: () => number },
): RestartBackoff {
  let failures = 0;
  let lastFailureMs = 0;

  const isFresh = (): boolean => failures === 0 || deps.clock.monotonic() - lastFailureMs > options.resetAfterMs;

  return {
    isFresh,
    nextMs: () => {
      if (isFresh()) failures = 0;
      const delayMs = Math.min(options.firstMs * 2 ** failures, options.maxMs) * (1 + deps.random());
      failures += 1;
      // Waiting is not health: the time without failure counts from the end of the wait.
      lastFailureMs = deps.clock.monotonic() + delayMs;
      return delayMs;
    },
  };
}
