import type { Clock } from '@tributary/runtime/clock';

export type RateLimitOptions = { readonly quota: number; readonly windowSeconds: number };

/** What the real API grants one user, or one token of an account. */
export const realRateLimit: RateLimitOptions = { quota: 1200, windowSeconds: 300 };

export type Budget = { readonly exceeded: boolean; readonly remaining: number; readonly resetSeconds: number };

export type RateLimit = {
  /** Counts one call of this owner. */
  readonly take: (owner: string) => Budget;
  readonly headers: (budget: Budget) => Readonly<Record<string, string>>;
  readonly reset: () => void;
};

/** Windows are fixed: the first call opens one, and who has used it up waits until it closes. */
export function createRateLimit(options: RateLimitOptions | 'off', clock: Pick<Clock, 'monotonic'>): RateLimit {
  const { quota, windowSeconds } = options === 'off' ? realRateLimit : options;
  const windows = new Map<string, { readonly endsMs: number; used: number }>();
  return {
    take: (owner) => {
      if (options === 'off') return { exceeded: false, remaining: quota, resetSeconds: windowSeconds };
      const nowMs = clock.monotonic();
      let window = windows.get(owner);
      if (!window || window.endsMs <= nowMs) {
        window = { endsMs: nowMs + windowSeconds * 1000, used: 0 };
        windows.set(owner, window);
      }
      window.used += 1;
      const remaining = Math.max(0, quota - window.used);
      return { exceeded: window.used > quota, remaining, resetSeconds: Math.ceil((window.endsMs - nowMs) / 1000) };
    },
    headers: ({ remaining, resetSeconds }) => ({
      ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
      'ratelimit-policy': `"default";q=${quota};w=${windowSeconds}`,
    }),
    reset: () => windows.clear(),
  };
}
