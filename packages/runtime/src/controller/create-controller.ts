import type { ObjectCache } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Runnable } from '../manager/runnable.ts';
import { OperatorError } from '../operator-error.ts';
import type { Backoff } from '../queue/backoff.ts';
import { createWorkQueue } from '../queue/create-work-queue.ts';
import type { ObservableWorkQueue } from '../queue/create-work-queue.ts';
import type { Debounce } from '../queue/work-queue.ts';
import type { ControllerMetrics } from './controller-metrics.ts';
import { hireWorkers } from './hire-workers.ts';
import { waitForCaches } from './wait-for-caches.ts';
import { reconcileKey, stopping } from './reconcile-key.ts';
import type { Reconcile, ReconcileRun } from './reconcile-key.ts';
import type { OpenWatch, Watch } from './watch.ts';

export type ControllerOptions = {
  readonly name: string;
  readonly watches: readonly Watch[];
  readonly reconcile: Reconcile;
  /** How many keys at once; 1 when absent. Never the same key twice. */
  readonly concurrency?: number;
  /** `leader` when absent. */
  readonly runs?: Runnable['runs'];
  /** When the signal of a reconcile is aborted; never when absent. */
  readonly timeoutMs?: number;
  readonly debounce?: Debounce;
  readonly backoff?: Backoff;
  /** How long the caches may take for their first list; 2 min when absent. Then who leads gives up, who does not says so. */
  readonly cacheSyncTimeoutMs?: number;
  /** How long to wait for the cache to show this process's own last write; 10 s when absent, then the key backs off. */
  readonly caughtUpTimeoutMs?: number;
  /** How long reconciles under way may take to end after the stop; 25 s when absent. */
  readonly stopGraceMs?: number;
};

export type ControllerDeps = {
  readonly cache: ObjectCache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The hooks of this controller; when absent `controllerMetrics` makes them for its name. */
  readonly metrics?: ControllerMetrics;
  readonly controllerMetrics?: (name: string) => ControllerMetrics;
};

const defaults = { concurrency: 1, cacheSyncTimeoutMs: 120_000, caughtUpTimeoutMs: 10_000, stopGraceMs: 25_000 };

/**
 * Turns changes into keys and keys into reconciles. Nothing is reconciled before every cache is complete. Each run
 * (one term of leadership) has a queue of its own, filled from the caches.
 */
export function createController(options: ControllerOptions, deps: ControllerDeps): Runnable {
  const { name, runs = 'leader' } = options;
  const log = deps.log.child({ controller: name });
  const settings = { ...defaults, ...options, runs };
  return { name, runs, run: async (signal) => runController(settings, { ...deps, log }, signal) };
}

type Settings = ControllerOptions & typeof defaults & Pick<Runnable, 'runs'>;

async function runController(settings: Settings, deps: ControllerDeps, signal: AbortSignal): Promise<void> {
  const { clock, metrics = deps.controllerMetrics?.(settings.name) ?? {} } = deps;
  const { backoff, debounce } = settings;
  const queue = createWorkQueue(
    { ...(backoff && { backoff }), ...(debounce && { debounce }) },
    { clock, random: deps.random, metrics: metrics.queue },
  );
  const opened = settings.watches.map((watch) => ({ ...watch, ...watch.open(watch.cache ?? deps.cache) }));
  const primaries = opened.filter(({ primary }) => primary);
  const run: ReconcileRun = {
    ...deps,
    reconcile: settings.reconcile,
    queue,
    primaries,
    timeoutMs: settings.timeoutMs,
    caughtUpTimeoutMs: settings.caughtUpTimeoutMs,
    active: new Map(),
    metrics,
  };
  const stopListening = opened.map((watch) => listen(watch, watch.id, queue, deps.log));
  try {
    await waitForCaches({ ...settings, limitMs: settings.cacheSyncTimeoutMs, opened }, deps, signal);
    metrics.started?.(() => ({
      activeWorkers: run.active.size,
      maxConcurrent: settings.concurrency,
      queue: queue.snapshot(),
    }));
    const reconcile = async (key: string): Promise<void> => reconcileKey(run, key);
    const workers = hireWorkers({ queue, most: settings.concurrency, reconcile });
    await Promise.race([aborted(signal), workers]);
    await stop(settings, run, queue, workers);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    queue.shutDown();
    for (const stopOne of stopListening) stopOne();
  }
}

function listen(watch: OpenWatch, id: string, queue: ObservableWorkQueue, log: Log): () => void {
  return watch.onKey(
    (key, priority) => queue.add(key, { priority }),
    (error, { object }) =>
      log.error(
        { err: error, watch: id, namespace: object.metadata.namespace, name: object.metadata.name },
        'a predicate or mapper of a watch failed',
      ),
  );
}

async function stop(
  { name, stopGraceMs }: Settings,
  run: ReconcileRun,
  queue: ObservableWorkQueue,
  workers: Promise<void>,
): Promise<void> {
  queue.shutDown();
  for (const active of run.active.values()) active.abort(stopping);
  const late = Promise.withResolvers<never>();
  const cancel = run.clock.after(stopGraceMs, () => {
    const keys = [...run.active.keys()].join(', ');
    const message = `controller ${name}: still reconciling ${stopGraceMs} ms after the stop: ${keys}`;
    late.reject(new OperatorError('controller/stop-timeout', message, { kind: 'never' }));
  });
  await Promise.race([workers, late.promise]).finally(cancel);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
