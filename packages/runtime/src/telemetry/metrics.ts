import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CacheObserver } from '../cache/cache-observer.ts';
import type { Answer } from '../client/with-answer-hook.ts';
import type { ControllerMetrics } from '../controller/controller-metrics.ts';
import { createCacheMeters } from './cache-meters.ts';
import { createControllerMeters } from './controller-meters.ts';
import { addLoopDelayGauge } from './event-loop-delay.ts';
import type { EventLoopProbe } from './event-loop-delay.ts';
import { requestBuckets } from './metric-buckets.ts';

export type MetricsOptions = {
  /** For further metrics of one's own; a new one when absent. */
  readonly registry?: Registry;
  /** CPU, memory, open files, garbage collection. They watch the whole process, so ask for them once. */
  readonly processMetrics?: boolean;
};

/** Everything that is counted. The names are those of controller-runtime and client-go, so that dashboards fit. */
export type Metrics = {
  readonly registry: Registry;
  /** The hooks of one controller and its queue. */
  readonly controller: (name: string) => ControllerMetrics;
  /** For `withAnswerHook`. */
  readonly client: { readonly onAnswer: (answer: Answer) => void };
  readonly cache: CacheObserver;
  /** Shows at every scrape whether this process holds the lease: `leader(elector.lease, elector.isLeaderNow)`. */
  readonly leader: (name: string, isLeaderNow: () => boolean) => void;
  /** What Prometheus reads. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly body: string }>;
};

export function createMetrics(
  options: MetricsOptions = {},
  deps: { readonly eventLoop?: EventLoopProbe } = {},
): Metrics {
  const registry = options.registry ?? new Registry();
  const registers = [registry];
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  if (deps.eventLoop) addLoopDelayGauge(deps.eventLoop, registers);
  const leaders = createLeaderMeter(registers);
  return {
    registry,
    controller: createControllerMeters(registers),
    client: createClientMeters(registers),
    cache: createCacheMeters(registers),
    leader: (name, isLeaderNow) => void leaders.set(name, isLeaderNow),
    scrape: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** Asked at every scrape, since a process that was frozen has lost its lease without noticing. */
function createLeaderMeter(registers: Registry[]): Map<string, () => boolean> {
  const leaders = new Map<string, () => boolean>();
  const gauge = new Gauge({
    name: 'leader_election_master_status',
    help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease",
    labelNames: ['name'],
    registers,
    collect: () => {
      for (const [name, isLeaderNow] of leaders) gauge.set({ name }, isLeaderNow() ? 1 : 0);
    },
  });
  return leaders;
}

function createClientMeters(registers: Registry[]): Metrics['client'] {
  const requests = new Counter({
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests, partitioned by status code, method, and host',
    labelNames: ['code', 'method', 'host'],
    registers,
  });
  const durations = new Histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds. Broken down by verb and host',
    labelNames: ['verb', 'host'],
    buckets: [...requestBuckets],
    registers,
  });
  return {
    onAnswer: ({ code, method, host, durationMs }) => {
      requests.inc({ code, method, host });
      durations.observe({ verb: method, host }, durationMs / 1000);
    },
  };
}
