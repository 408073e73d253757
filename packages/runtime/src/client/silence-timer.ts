import type { Clock } from '../clock.ts';

/** Fires when nothing was heard for a time. Hearing costs no timer: the one that runs looks again when it is due. */
export type SilenceTimer = {
  /** Something was heard; from now on the silence may last so long. */
  readonly heard: (limitMs: number) => void;
  readonly stop: () => void;
};

export function startSilenceTimer(
  clock: Clock,
  firstLimitMs: number,
  onSilence: (limitMs: number) => void,
): SilenceTimer {
  let heardAtMs = clock.monotonic();
  let limitMs = firstLimitMs;
  let dueAtMs = heardAtMs + limitMs;
  const fire = (): void => {
    dueAtMs = heardAtMs + limitMs;
    const leftMs = dueAtMs - clock.monotonic();
    if (leftMs > 0) cancel = clock.after(leftMs, fire);
    else onSilence(limitMs);
  };
  let cancel = clock.after(limitMs, fire);
  return {
    heard: (nextLimitMs) => {
      heardAtMs = clock.monotonic();
      limitMs = nextLimitMs;
      // A shorter limit may be due before the timer that runs.
      if (heardAtMs + limitMs >= dueAtMs) return;
      cancel();
      dueAtMs = heardAtMs + limitMs;
      cancel = clock.after(limitMs, fire);
    },
    stop: () => cancel(),
  };
}
