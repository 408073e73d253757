import type { Priority } from './work-queue.ts';

/** What a queue tells while it works. The names in Prometheus are those of client-go's workqueue. */
export type QueueMetrics = {
  /** A key came due: `workqueue_adds_total`. */
  readonly added?: (priority: Priority) => void;
  /** A key was booked with back-off: `workqueue_retries_total`. */
  readonly retried?: () => void;
  /** From due to handed out: `workqueue_queue_duration_seconds`. */
  readonly waited?: (ms: number) => void;
  /** From handed out to `done`: `workqueue_work_duration_seconds`. */
  readonly worked?: (ms: number) => void;
};

/** What a queue holds at this moment, for gauges that are read when somebody asks. */
export type QueueSnapshot = {
  /** Due and waiting for a worker: `workqueue_depth`. */
  readonly depth: Readonly<Record<Priority, number>>;
  /** Booked for later, by back-off, `afterMs` or debounce. */
  readonly booked: number;
  readonly inWork: number;
  /** Sum over the keys in work: `workqueue_unfinished_work_seconds`. */
  readonly unfinishedMs: number;
  /** The one that has been in work for the longest: `workqueue_longest_running_processor_seconds`. */
  readonly longestRunningMs: number;
  /** Keys of which anything is remembered, their failures included. */
  readonly remembered: number;
};
