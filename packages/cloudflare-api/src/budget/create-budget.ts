/**
 * The budget of one credential. Every call takes a permit before it is sent and gives it back with what the answer
 * said. Who waits is admitted by `turns.ts`, how many there may be is said by `allowance.ts`.
 */
import type { Clock } from '@tributary/runtime';
import { onAnyAbort } from '../abort-links.ts';
import { createAllowance } from './allowance.ts';
import type { Allowance } from './allowance.ts';
import type { Priority } from './priority.ts';
import type { RateReport } from './rate-headers.ts';
import { createTurns } from './turns.ts';
import type { TurnOptions } from './turns.ts';
import { createWaitingLine } from './waiting-line.ts';
import type { WaitingLine } from './waiting-line.ts';

export type BudgetOptions = Partial<TurnOptions> & {
  /** What holds until the API has told its policy. */
  readonly quota?: number;
  readonly windowMs?: number;
};

/** What came back: the rate headers, and for how long the API wants silence. */
export type CallReport = { readonly rate?: RateReport; readonly pauseMs?: number };

export type Permit = {
  readonly waitedMs: number;
  /** To be called when the answer is there or will never be. */
  readonly done: (report: CallReport) => void;
};

export type BudgetSnapshot = {
  readonly quota: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly inFlight: number;
  readonly waiting: Readonly<Record<Priority, number>>;
  /** 0 when calls may go out. */
  readonly pausedForMs: number;
};

export type Budget = {
  /** Waits for its turn; rejects with the reason of the first signal that is aborted. */
  readonly acquire: (priority: Priority, signals?: readonly AbortSignal[]) => Promise<Permit>;
  readonly snapshot: () => BudgetSnapshot;
};

const defaults = { quota: 1200, windowMs: 300_000, maxInFlight: 10, patienceMs: 60_000 };

export function createBudget(options: BudgetOptions, { clock }: { readonly clock: Clock }): Budget {
  const settings = { ...defaults, ...options };
  const allowance = createAllowance(settings, clock);
  const turns = createTurns(settings, { allowance, clock });
  const line = createWaitingLine();
  let inFlight = 0;
  let cancelTimer: (() => void) | undefined;

  const pump = (): void => {
    cancelTimer?.();
    for (let next = turns.take(line.heads(), inFlight); next; next = turns.take(line.heads(), inFlight)) {
      line.leave(next);
      allowance.spend();
      inFlight += 1;
      next.admit();
    }
    const nextAtMs = turns.nextAtMs(line.heads(), inFlight);
    // With all places taken there is no time to wait for: the next answer pumps again. Where one came free since the look
    // above, the time lies behind us, and the look is repeated at once.
    if (nextAtMs < Number.POSITIVE_INFINITY) cancelTimer = clock.after(Math.max(0, nextAtMs - clock.monotonic()), pump);
  };

  const settle = ({ rate, pauseMs }: CallReport): void => {
    inFlight -= 1;
    if (rate) allowance.learn(rate, inFlight);
    if (pauseMs !== undefined) allowance.pauseUntil(clock.monotonic() + pauseMs);
    pump();
  };

  const acquire = async (priority: Priority, signals: readonly AbortSignal[] = []): Promise<Permit> =>
    new Promise((resolve, reject) => {
      const sinceMs = clock.monotonic();
      const admit = (): void => {
        unlink();
        resolve(createPermit(clock.monotonic() - sinceMs, settle));
      };
      const waiter = { priority, sinceMs, admit };
      line.join(waiter);
      const unlink = onAnyAbort(signals, (reason) => {
        line.leave(waiter);
        reject(reason);
      });
      pump();
    });

  return { acquire, snapshot: () => toSnapshot(allowance, line, inFlight, clock.monotonic()) };
}

function createPermit(waitedMs: number, settle: (report: CallReport) => void): Permit {
  let open = true;
  return {
    waitedMs,
    done: (report) => {
      if (open) settle(report);
      open = false;
    },
  };
}

function toSnapshot(allowance: Allowance, line: WaitingLine, inFlight: number, nowMs: number): BudgetSnapshot {
  const { quota, windowMs } = allowance.policy();
  return {
    quota,
    windowMs,
    remaining: allowance.remaining(),
    inFlight,
    waiting: { change: line.count('change'), deletion: line.count('deletion'), drift: line.count('drift') },
    pausedForMs: Math.max(0, allowance.pausedUntilMs() - nowMs),
  };
}
