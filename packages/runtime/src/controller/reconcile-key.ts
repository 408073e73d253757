import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ObjectKey } from '../object.ts';
import { OperatorError, isOperatorError } from '../operator-error.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import type { ControllerMetrics } from './controller-metrics.ts';
import { judgeFailure } from './judge-failure.ts';
import type { Outcome } from './outcome.ts';
import type { OpenWatch } from './watch.ts';

export type ReconcileContext = {
  /** Aborted when the time limit is over or the controller stops: hand it to everything that waits. */
  readonly signal: AbortSignal;
  /** Every line carries the controller, the key and the id of this run. */
  readonly log: Log;
  /** How often in a row this key has failed before. */
  readonly failures: number;
};

/** Reads the world, moves it one step, may be run twice at any time, and never learns what woke it. */
export type Reconcile = (key: ObjectKey, context: ReconcileContext) => Promise<Outcome>;

/** What all runs of one controller share. */
export type ReconcileRun = {
  readonly reconcile: Reconcile;
  readonly queue: Pick<WorkQueue, 'add' | 'forget' | 'failures'>;
  /** Whose own writes must be visible before a run: the keys are theirs. */
  readonly primaries: readonly Pick<OpenWatch, 'caughtUp'>[];
  readonly timeoutMs: number | undefined;
  readonly caughtUpTimeoutMs: number;
  /** The runs under way, so that all can be told to stop. */
  readonly active: Map<ObjectKey, AbortController>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: ControllerMetrics;
};

/** Why the signal of a run was aborted when the controller stopped. */
export const stopping = new OperatorError('controller/stopping', 'the controller is stopping', { kind: 'backoff' });

/**
 * Runs one key and books what follows. This is the one place that catches: whatever a reconcile throws, its
 * retry decision is read here, and nothing goes further up.
 */
export async function reconcileKey(run: ReconcileRun, key: ObjectKey): Promise<void> {
  const { queue, clock } = run;
  const startedAt = clock.monotonic();
  const abort = new AbortController();
  const context = createContext(run, key, abort.signal);
  run.active.set(key, abort);
  try {
    const outcome = await runWithLimits(run, key, abort, context);
    queue.forget(key);
    if (outcome.kind === 'recheck') queue.add(key, { afterMs: outcome.afterMs });
    const result = outcome.kind === 'recheck' ? 'requeue_after' : 'success';
    run.metrics.reconciled?.(result, clock.monotonic() - startedAt);
  } catch (error) {
    if (abort.signal.reason === stopping) context.log.debug({ err: error }, 'reconcile was stopped');
    else handleFailure(run, key, error, context.log);
    run.metrics.reconciled?.('error', clock.monotonic() - startedAt);
  } finally {
    run.active.delete(key);
  }
}

async function runWithLimits(
  run: ReconcileRun,
  key: ObjectKey,
  abort: AbortController,
  context: ReconcileContext,
): Promise<Outcome> {
  let cancel = abortAfter(run.clock, run.caughtUpTimeoutMs, abort, () => behind(key));
  try {
    for (const primary of run.primaries) await primary.caughtUp(key, abort.signal);
    cancel();
    cancel = abortAfter(run.clock, run.timeoutMs, abort, (ms) => {
      context.log.warn({ timeoutMs: ms }, 'reconcile is over its time limit; its key waits until it ends');
      return timedOut(key, ms);
    });
    abort.signal.throwIfAborted();
    const outcome = await run.reconcile(key, context);
    // It may have cut its work short and returned: what it says after the limit cannot be relied on.
    if (isTimeout(abort.signal.reason)) throw abort.signal.reason;
    return outcome;
  } catch (error) {
    // An error that the abort caused is not the reconcile's fault; the limit is what to report.
    if (abort.signal.aborted && abort.signal.reason !== stopping) throw abort.signal.reason;
    throw error;
  } finally {
    cancel();
  }
}

function abortAfter(
  clock: Clock,
  ms: number | undefined,
  abort: AbortController,
  toReason: (ms: number) => OperatorError,
): () => void {
  return ms === undefined ? () => undefined : clock.after(ms, () => abort.abort(toReason(ms)));
}

function handleFailure({ queue, metrics }: ReconcileRun, key: ObjectKey, error: unknown, log: Log): void {
  const { retry, code } = judgeFailure(error);
  const fields = { err: error, code, retry: retry.kind };
  if (code === 'bug') log.error(fields, 'reconcile failed with an error nobody expected; backing off');
  else if (retry.kind === 'never') log.error(fields, 'reconcile failed and will not be tried again');
  else log.warn(fields, 'reconcile failed');
  metrics.failed?.({ code, terminal: retry.kind === 'never', timedOut: isTimeout(error) });
  switch (retry.kind) {
    case 'never':
      queue.forget(key);
      return;
    case 'after':
      queue.add(key, { afterMs: retry.ms });
      return;
    case 'backoff':
      queue.add(key, { backoff: true });
      return;
    default:
      retry satisfies never;
  }
}

function createContext(run: ReconcileRun, key: ObjectKey, signal: AbortSignal): ReconcileContext {
  let log: Log | undefined;
  return {
    signal,
    failures: run.queue.failures(key),
    // Made on first use: most runs find nothing to do and say nothing.
    get log() {
      log ??= run.log.child({
        key,
        reconcileId: Math.floor(run.random() * 2 ** 48)
          .toString(16)
          .padStart(12, '0'),
      });
      return log;
    },
  };
}

const timeoutCode = 'controller/timeout';

function timedOut(key: ObjectKey, ms: number): OperatorError {
  return new OperatorError(timeoutCode, `the reconcile of ${key} took longer than ${ms} ms`, { kind: 'backoff' });
}

function isTimeout(error: unknown): boolean {
  return isOperatorError(error) && error.code === timeoutCode;
}

function behind(key: ObjectKey): OperatorError {
  return new OperatorError('controller/cache-behind', `the cache does not show our last write of ${key} yet`, {
    kind: 'backoff',
  });
}
