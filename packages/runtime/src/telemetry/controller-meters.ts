import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { ControllerMetrics, ControllerSnapshot } from '../controller/controller-metrics.ts';
import { reconcileBuckets } from './metric-buckets.ts';
import { createQueueMeters } from './queue-meters.ts';

/** The metrics of controller-runtime, one set of hooks for each controller. */
export function createControllerMeters(registers: Registry[]): (controller: string) => ControllerMetrics {
  const { total, time, errors, terminal, panics, timeouts } = createReconcileMeters(registers);
  const running = new Map<string, () => ControllerSnapshot>();
  addSnapshotGauges(running, registers);
  const queue = createQueueMeters(
    () => [...running].map(([name, snapshot]) => [name, snapshot().queue] as const),
    registers,
  );
  return (controller) => {
    // Known from the start as zero, or the first increase cannot be seen.
    for (const result of ['success', 'error', 'requeue_after']) total.inc({ controller, result }, 0);
    for (const counter of [errors, terminal, panics, timeouts]) counter.inc({ controller }, 0);
    return {
      queue: queue(controller),
      reconciled: (result, durationMs) => {
        total.inc({ controller, result });
        time.observe({ controller }, durationMs / 1000);
      },
      failed: (failure) => {
        errors.inc({ controller });
        if (failure.terminal) terminal.inc({ controller });
        if (failure.timedOut) timeouts.inc({ controller });
        // What controller-runtime counts as a panic is here an error that nobody has a name for.
        if (failure.code === 'bug') panics.inc({ controller });
      },
      started: (snapshot) => void running.set(controller, snapshot),
    };
  };
}

type ByController = Counter<'controller'>;
type ReconcileMeters = {
  readonly total: Counter<'controller' | 'result'>;
  readonly time: Histogram<'controller'>;
  readonly errors: ByController;
  readonly terminal: ByController;
  readonly panics: ByController;
  readonly timeouts: ByController;
};

function createReconcileMeters(registers: Registry[]): ReconcileMeters {
  const counter = (name: string, what: string): ByController =>
    new Counter({ name, help: `Total number of ${what} per controller`, labelNames: ['controller'], registers });
  return {
    total: new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labelNames: ['controller', 'result'],
      registers,
    }),
    time: new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labelNames: ['controller'],
      buckets: [...reconcileBuckets],
      registers,
    }),
    errors: counter('controller_runtime_reconcile_errors_total', 'reconciliation errors'),
    terminal: counter('controller_runtime_terminal_reconcile_errors_total', 'terminal reconciliation errors'),
    panics: counter('controller_runtime_reconcile_panics_total', 'reconciliation panics'),
    timeouts: counter('controller_runtime_reconcile_timeouts_total', 'reconciliation timeouts'),
  };
}

function addSnapshotGauges(running: ReadonlyMap<string, () => ControllerSnapshot>, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (snapshot: ControllerSnapshot) => number): void => {
    void new Gauge({
      name,
      help,
      labelNames: ['controller'],
      registers,
      collect() {
        for (const [controller, snapshot] of running) this.set({ controller }, read(snapshot()));
      },
    });
  };
  gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Maximum number of concurrent reconciles per controller',
    ({ maxConcurrent }) => maxConcurrent,
  );
  gauge(
    'controller_runtime_active_workers',
    'Number of currently used workers per controller',
    ({ activeWorkers }) => activeWorkers,
  );
}
