import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { QueueMetrics, QueueSnapshot } from '../queue/queue-metrics.ts';
import { queueBuckets } from './metric-buckets.ts';

type Snapshots = () => readonly (readonly [string, QueueSnapshot])[];

/** The metrics of client-go's workqueue. A queue has the name of its controller. */
export function createQueueMeters(snapshots: Snapshots, registers: Registry[]): (name: string) => QueueMetrics {
  const labelNames = ['name', 'controller'] as const;
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames, buckets: [...queueBuckets], registers });
  const adds = counter('workqueue_adds_total', 'Total number of adds handled by workqueue');
  const retries = counter('workqueue_retries_total', 'Total number of retries handled by workqueue');
  const waits = histogram(
    'workqueue_queue_duration_seconds',
    'How long in seconds an item stays in workqueue before being requested',
  );
  const works = histogram(
    'workqueue_work_duration_seconds',
    'How long in seconds processing an item from workqueue takes',
  );
  addGauges(snapshots, registers);

  return (name) => {
    const labels = { name, controller: name };
    adds.inc(labels, 0);
    retries.inc(labels, 0);
    return {
      added: () => adds.inc(labels),
      retried: () => retries.inc(labels),
      waited: (ms) => waits.observe(labels, ms / 1000),
      worked: (ms) => works.observe(labels, ms / 1000),
    };
  };
}

function addGauges(snapshots: Snapshots, registers: Registry[]): void {
  void new Gauge({
    name: 'workqueue_depth',
    help: 'Current depth of workqueue by workqueue and priority',
    labelNames: ['name', 'controller', 'priority'],
    registers,
    collect() {
      for (const [name, { depth }] of snapshots()) {
        for (const [priority, count] of Object.entries(depth)) this.set({ name, controller: name, priority }, count);
      }
    },
  });
  const seconds = (name: string, help: string, readMs: (snapshot: QueueSnapshot) => number): void => {
    void new Gauge({
      name,
      help,
      labelNames: ['name', 'controller'],
      registers,
      collect() {
        for (const [queue, snapshot] of snapshots()) {
          this.set({ name: queue, controller: queue }, readMs(snapshot) / 1000);
        }
      },
    });
  };
  seconds(
    'workqueue_unfinished_work_seconds',
    'How many seconds of work is in progress and has not been observed by work_duration',
    ({ unfinishedMs }) => unfinishedMs,
  );
  seconds(
    'workqueue_longest_running_processor_seconds',
    'How many seconds has the longest running processor for workqueue been running',
    ({ longestRunningMs }) => longestRunningMs,
  );
}
