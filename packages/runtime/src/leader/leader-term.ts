import type { Clock } from '../clock.ts';
import { OperatorError } from '../operator-error.ts';
import type { Fence } from './fence.ts';
import { createWriteLedger } from './write-ledger.ts';
import type { WriteLedger } from './write-ledger.ts';

/** A moment on both clocks. */
export type Moment = { readonly monotonicMs: number; readonly wallMs: number };

/** One stay in office: begins with an acquired lease, ends for good when it is lost or given back. */
export type LeaderTerm = {
  /**
   * Whether the lease is certainly still ours at the moment of the call. Whoever asks first after the deadline ends
   * the term: a process that was frozen has lost it before anything else of it runs.
   */
  readonly holds: () => boolean;
  /** The lease was renewed by a request that left at this moment. */
  readonly renewed: (sentAt: Moment) => void;
  readonly lose: (why: string) => void;
  /**
   * Ends the term of our own will: no write may begin, those under way are waited for. True when none of them can
   * take effect any more, so that the lease may be given back.
   */
  readonly end: () => Promise<boolean>;
  readonly fence: Fence;
  /** Aborted when the term is over for whatever reason. */
  readonly over: AbortSignal;
  readonly lost: () => OperatorError | undefined;
};

export type LeaderTermOptions = {
  readonly lease: string;
  readonly renewDeadlineMs: number;
  readonly leaseDurationMs: number;
  readonly acquiredAt: Moment;
  /** Called at once, in the turn in which the loss is noticed. */
  readonly onLost: (error: OperatorError) => void;
};

export function createLeaderTerm(options: LeaderTermOptions, clock: Clock): LeaderTerm {
  const { lease, renewDeadlineMs } = options;
  const abort = new AbortController();
  const ledger = createWriteLedger(options.leaseDurationMs, clock);
  let renewedAt = options.acquiredAt;
  let lost: OperatorError | undefined;
  let closed = false;

  const lose = (why: string): void => {
    if (abort.signal.aborted) return;
    lost = leadershipLost(lease, why);
    abort.abort(lost);
    options.onLost(lost);
  };
  const holds = (): boolean => {
    if (abort.signal.aborted) return false;
    const ageMs = sinceMs(renewedAt, clock);
    if (ageMs < renewDeadlineMs) return true;
    lose(`not renewed for ${Math.round(ageMs)} ms`);
    return false;
  };
  const mustHold = (): void => {
    if (!holds()) throw lost ?? leadershipLost(lease, 'the term is over');
  };
  const check = (): void => {
    if (closed) throw lost ?? leadershipLost(lease, 'the term is ending');
    mustHold();
  };
  watchDeadline(() => renewDeadlineMs - sinceMs(renewedAt, clock), holds, abort.signal, clock);

  return {
    holds,
    renewed: (sentAt) => {
      if (holds()) renewedAt = sentAt;
    },
    lose,
    end: async () => {
      closed = true;
      const drained = await ledger.drained(renewDeadlineMs / 3);
      const held = holds();
      abort.abort(leadershipLost(lease, 'it was given back'));
      return held && drained;
    },
    fence: { check, guard: createGuard(check, mustHold, abort.signal, ledger) },
    over: abort.signal,
    lost: () => lost,
  };
}

/** What has passed the check may still leave while the term ends, since its answer is waited for. */
function createGuard(
  check: () => void,
  mayLeave: () => void,
  signal: AbortSignal,
  ledger: WriteLedger,
): Fence['guard'] {
  return async (send) => {
    check();
    return ledger.record(async () => send({ signal, beforeSend: mayLeave }));
  };
}

/** One timer for the whole term: when it fires and the lease was renewed meanwhile, it is set for what is left. */
function watchDeadline(leftMs: () => number, holds: () => boolean, over: AbortSignal, clock: Clock): void {
  let cancel: (() => void) | undefined;
  const arm = (): void => {
    // A timer may fire a fraction early, and a fraction is no time to wait for.
    cancel = clock.after(Math.max(1, leftMs()), () => holds() && arm());
  };
  arm();
  over.addEventListener('abort', () => cancel?.(), { once: true });
}

export function momentOf(clock: Pick<Clock, 'monotonic' | 'now'>): Moment {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

/**
 * By the clock that says more. The monotonic clock of Linux stands still while the machine sleeps, the wall clock
 * does not; when the wall clock is set forward by a lot, a term is lost for nothing, which is the safe side.
 */
export function sinceMs(moment: Moment, clock: Pick<Clock, 'monotonic' | 'now'>): number {
  return Math.max(clock.monotonic() - moment.monotonicMs, clock.now() - moment.wallMs);
}

export function leadershipLost(lease: string, why: string): OperatorError {
  return new OperatorError('leader/lost', `this process does not lead by lease ${lease}: ${why}`, { kind: 'backoff' });
}
