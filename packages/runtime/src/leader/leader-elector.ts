import { toKey } from '../object.ts';
import { OperatorError } from '../operator-error.ts';
import { acquireLease, jitterFactor } from './acquire-lease.ts';
import type { Contender, LeaderElectorDeps } from './acquire-lease.ts';
import type { Fence } from './fence.ts';
import { holdLease, releaseLease } from './hold-lease.ts';
import { createLeaderTerm, leadershipLost } from './leader-term.ts';
import type { LeaderTerm } from './leader-term.ts';
import { createObservedLease } from './observed-lease.ts';

export type LeaderElectorOptions = {
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Who this is, for people: the pod's name. A suffix makes it unique, since two processes must never share one. */
  readonly identity: string;
  /** How long others wait after the lease last changed before they take it. */
  readonly leaseDurationMs?: number;
  /** How long the leader goes on without a successful renewal. The difference to the lease is the margin of safety. */
  readonly renewDeadlineMs?: number;
  /** How often the leader renews. Candidates look a little more often. */
  readonly retryPeriodMs?: number;
  /** Give the lease back at the stop, so that the next leader need not wait for it to expire. */
  readonly releaseOnStop?: boolean;
  /** Told in the turn in which the loss is noticed. `run` rejects too, but only when the work has ended. */
  readonly onLost?: (error: OperatorError) => void;
};

export type Term = {
  /** Aborted at the stop and at the loss: begin nothing new. Writes pass the fence until the work has ended. */
  readonly signal: AbortSignal;
  /** Larger than that of every term before it. */
  readonly number: number;
};

export type LeaderElector = {
  readonly lease: string;
  readonly identity: string;
  /**
   * Waits for the lease, then works while it is held. Resolves after a stop, or when the work ends by itself; rejects
   * with `leader/lost` after a loss, once the work has ended, and with what the work threw. May be called again.
   */
  readonly run: (signal: AbortSignal, whileLeading: (term: Term) => Promise<void>) => Promise<void>;
  /** By the clock at the moment of the call, not by what was last noticed. */
  readonly isLeaderNow: () => boolean;
  readonly fence: Fence;
  /** The holder as last seen, for people. */
  readonly holder: () => string | undefined;
};

type Settings = LeaderElectorOptions & typeof defaults;
type Elector = Contender & { readonly settings: Settings; readonly name: string; term: LeaderTerm | undefined };

const defaults = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000, releaseOnStop: true };

/** A value, not a singleton: a process may hold several, each with a lease for its part of the work. */
export function createLeaderElector(options: LeaderElectorOptions, deps: LeaderElectorDeps): LeaderElector {
  const settings = { ...defaults, ...options };
  checkTimes(settings);
  const suffix = Math.floor(deps.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0');
  const elector: Elector = {
    ...deps,
    settings,
    name: toKey(options.lease),
    identity: `${options.identity}_${suffix}`,
    observed: createObservedLease(settings.leaseDurationMs, deps.clock),
    term: undefined,
    log: deps.log.child({ lease: toKey(options.lease) }),
  };
  return {
    lease: elector.name,
    identity: elector.identity,
    run: async (signal, whileLeading) => runElection(elector, signal, whileLeading),
    isLeaderNow: () => elector.term?.holds() ?? false,
    fence: createElectorFence(elector),
    holder: elector.observed.holder,
  };
}

/** Holds for every term: whoever made a writer before the first one need not know. */
function createElectorFence(elector: Elector): Fence {
  const current = (): Fence => {
    if (elector.term) return elector.term.fence;
    throw leadershipLost(elector.name, 'it has never led');
  };
  return { check: () => current().check(), guard: async (send) => current().guard(send) };
}

function checkTimes({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: Settings): void {
  if (leaseDurationMs >= 1000 && leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs * jitterFactor)
    return;
  const message = `lease ${leaseDurationMs} ms must be at least 1 s and longer than renew deadline ${renewDeadlineMs} ms, and that longer than ${jitterFactor} × retry period ${retryPeriodMs} ms`;
  throw new OperatorError('leader/bad-times', message, { kind: 'never' });
}

async function runElection(
  elector: Elector,
  signal: AbortSignal,
  whileLeading: (term: Term) => Promise<void>,
): Promise<void> {
  const acquired = await acquireLease(elector, signal);
  if (!acquired) return;
  const number = acquired.lease.spec?.leaseTransitions ?? 0;
  const term = createLeaderTerm(
    {
      lease: elector.name,
      renewDeadlineMs: elector.settings.renewDeadlineMs,
      leaseDurationMs: elector.settings.leaseDurationMs,
      acquiredAt: acquired.sentAt,
      onLost: (error) => {
        elector.log.error({ err: error, term: number }, 'leadership lost');
        elector.settings.onLost?.(error);
      },
    },
    elector.clock,
  );
  elector.term = term;
  elector.log.info({ term: number, identity: elector.identity }, 'leading');

  const atWork = new AbortController();
  const work = runWork(async () => whileLeading({ signal: AbortSignal.any([signal, term.over]), number }), atWork);
  const held = holdLease(elector, term, acquired.lease, AbortSignal.any([atWork.signal, term.over]));
  const [result] = await Promise.allSettled([work, held]);
  const lease = await held;
  // First nothing of ours may write any more, then others may know.
  const quiet = await term.end();
  const lost = term.lost();
  if (lost) throw lost;
  if (!quiet) elector.log.info({ term: number }, 'a write has no answer yet: the lease is left to expire');
  else if (elector.settings.releaseOnStop) await releaseLease(elector, lease);
  if (result.status === 'rejected') throw result.reason;
}

async function runWork(work: () => Promise<void>, atWork: AbortController): Promise<void> {
  try {
    await work();
  } finally {
    atWork.abort();
  }
}
