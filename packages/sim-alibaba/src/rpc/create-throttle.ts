import type { Clock } from '@tributary/runtime/clock';

/** Calls per minute by action. */
export type ActionLimits = Readonly<Record<string, number>>;

export type Limits = 'real' | 'off' | ActionLimits;

/** What the provider grants an account by default. Other actions have no published limit, and here none. */
const realLimits: ActionLimits = {
  AllocateEipAddress: 120,
  AssociateEipAddress: 120,
  AddCommonBandwidthPackageIp: 300,
  DescribeEipAddresses: 600,
  ReleaseEipAddress: 600,
};

const windowMs = 60_000;

export type Throttle = {
  /** Counts one call; the milliseconds until the next one may succeed when this one may not. */
  readonly take: (accountId: string, action: string) => number | undefined;
  readonly reset: () => void;
};

/** Windows are fixed: the first call opens one, and who has used it up waits until it closes. */
export function createThrottle(limits: Limits, clock: Pick<Clock, 'monotonic'>): Throttle {
  const table = limits === 'real' ? realLimits : limits;
  const windows = new Map<string, { readonly endsMs: number; used: number }>();
  return {
    take: (accountId, action) => {
      const most = table === 'off' ? undefined : table[action];
      if (most === undefined) return undefined;
      const key = `${accountId} ${action}`;
      const nowMs = clock.monotonic();
      let window = windows.get(key);
      if (!window || window.endsMs <= nowMs) {
        window = { endsMs: nowMs + windowMs, used: 0 };
        windows.set(key, window);
      }
      window.used += 1;
      return window.used > most ? Math.ceil(window.endsMs - nowMs) : undefined;
    },
    reset: () => windows.clear(),
  };
}
