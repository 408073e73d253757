/** How long a key waits after its n-th failure in a row: `baseMs` × 2ⁿ, never longer than `maxMs`. */
export type Backoff = {
  readonly baseMs: number;
  readonly maxMs: number;
  /** Up to this share of the wait is added at random, so that keys that failed together do not return together. */
  readonly jitter?: number;
};

/** What client-go does, so that the numbers in existing runbooks hold. */
export const defaultBackoff: Backoff = { baseMs: 5, maxMs: 1_000_000 };

/** `failures` counts those before this one. */
export function toBackoffMs({ baseMs, maxMs, jitter = 0 }: Backoff, failures: number, random: () => number): number {
  const waitMs = Math.min(baseMs * 2 ** failures, maxMs);
  return jitter > 0 ? Math.min(waitMs * (1 + jitter * random()), maxMs) : waitMs;
}
