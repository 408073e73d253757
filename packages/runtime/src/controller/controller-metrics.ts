import type { QueueMetrics, QueueSnapshot } from '../queue/queue-metrics.ts';

/** The label `result` of `controller_runtime_reconcile_total`, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue_after';

export type ReconcileFailure = {
  /** The code of the `OperatorError`, or `bug` for everything else. */
  readonly code: string;
  /** It will not be tried again: `controller_runtime_terminal_reconcile_errors_total`. */
  readonly terminal: boolean;
  /** It ran into its time limit: `controller_runtime_reconcile_timeouts_total`. */
  readonly timedOut: boolean;
};

/** What a controller tells while it works. All hooks of one controller are made for its name. */
export type ControllerMetrics = {
  readonly queue?: QueueMetrics;
  /** `controller_runtime_reconcile_total` and `controller_runtime_reconcile_time_seconds`. */
  readonly reconciled?: (result: ReconcileResult, durationMs: number) => void;
  /** `controller_runtime_reconcile_errors_total`. Comes before `reconciled` of the same run. */
  readonly failed?: (failure: ReconcileFailure) => void;
  /** Called when the controller starts: from then on the gauges can be read. */
  readonly started?: (snapshot: () => ControllerSnapshot) => void;
};

/** For gauges that are read when somebody asks. */
export type ControllerSnapshot = {
  /** `controller_runtime_active_workers`. */
  readonly activeWorkers: number;
  /** `controller_runtime_max_concurrent_reconciles`. */
  readonly maxConcurrent: number;
  readonly queue: QueueSnapshot;
};
