/**
 * How many calls may go out now, and when the next may. Two things bound it: our own log of sent calls, which never
 * lets more than the quota out in any window, and what the server says is left until its reset, which also knows
 * the calls of others with the same account. A pause after a 429 bounds everything.
 */
import type { Clock } from '@tributary/runtime';
import type { RatePolicy, RateReport } from './rate-headers.ts';
import { createSendLog } from './send-log.ts';
import { createServerLimits } from './server-limits.ts';
import type { ServerLimit } from './server-limits.ts';

export type Allowance = {
  /** From when on a call may be sent that leaves this share of each quota untouched; not later than now is now. */
  readonly openAt: (reservedShare: number) => number;
  readonly spend: () => void;
  /** Takes in what an answer told. `unanswered` calls are still out and may not be counted yet. */
  readonly learn: (report: RateReport, unanswered: number) => void;
  readonly pauseUntil: (atMs: number) => void;
  readonly remaining: () => number;
  readonly pausedUntilMs: () => number;
  /** The policy with the longest window, by which shares of time are reckoned. */
  readonly policy: () => RatePolicy;
};

export function createAllowance(fallback: Omit<RatePolicy, 'name'>, clock: Pick<Clock, 'monotonic'>): Allowance {
  const policies = new Map<string, RatePolicy>();
  const limits = createServerLimits(clock);
  const sent = createSendLog();
  const assumed: readonly RatePolicy[] = [{ name: 'default', ...fallback }];
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  const inForce = (): readonly RatePolicy[] => (policies.size > 0 ? [...policies.values()] : assumed);
  const longest = (): RatePolicy => inForce().reduce((best, one) => (one.windowMs > best.windowMs ? one : best));

  const policyOpenAt = ({ quota, windowMs }: RatePolicy, reservedShare: number): number => {
    const since = clock.monotonic() - windowMs;
    const allowed = quota - reservedCalls(quota, reservedShare);
    const excess = sent.countAfter(since) - allowed;
    const blocking = excess < 0 ? undefined : sent.nthAfter(since, excess);
    return blocking === undefined ? Number.NEGATIVE_INFINITY : blocking + windowMs;
  };
  const limitOpenAt = ({ name, left, resetAtMs }: ServerLimit, reservedShare: number): number => {
    const { quota } = policies.get(name) ?? longest();
    return left > reservedCalls(quota, reservedShare) ? Number.NEGATIVE_INFINITY : resetAtMs;
  };

  return {
    openAt: (reservedShare) =>
      Math.max(
        pausedUntilMs,
        ...inForce().map((policy) => policyOpenAt(policy, reservedShare)),
        ...limits.inForce().map((limit) => limitOpenAt(limit, reservedShare)),
      ),
    spend: () => {
      const now = clock.monotonic();
      sent.forgetUntil(now - longest().windowMs);
      sent.add(now);
      limits.spend();
    },
    learn: (report, unanswered) => {
      for (const policy of report.policies) policies.set(policy.name, policy);
      for (const limit of report.limits) limits.learn(limit, unanswered);
    },
    pauseUntil: (atMs) => (pausedUntilMs = Math.max(pausedUntilMs, atMs)),
    remaining: () => {
      const now = clock.monotonic();
      if (pausedUntilMs > now) return 0;
      const own = inForce().map(({ quota, windowMs }) => quota - sent.countAfter(now - windowMs));
      return Math.max(0, Math.min(...own, ...limits.inForce().map(({ left }) => left)));
    },
    pausedUntilMs: () => pausedUntilMs,
    policy: longest,
  };
}

/** At least one call of a quota is for everybody. */
function reservedCalls(quota: number, share: number): number {
  return Math.min(Math.floor(quota * share), quota - 1);
}
