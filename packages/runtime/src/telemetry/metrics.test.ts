import { Counter, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { ControllerSnapshot } from '../controller/controller-metrics.ts';
import { createEventLoopProbe } from './event-loop-delay.ts';
import { createMetrics } from './metrics.ts';

const snapshot: ControllerSnapshot = {
  activeWorkers: 2,
  maxConcurrent: 4,
  queue: {
    depth: { high: 1, normal: 2, low: 3 },
    booked: 5,
    inWork: 2,
    unfinishedMs: 1500,
    longestRunningMs: 1000,
    remembered: 9,
  },
};

/** The samples of a scrape, without the buckets of histograms. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  const { body } = await metrics.scrape();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket{'));
}

describe('the metrics of a controller', () => {
  test('have the names and labels of controller-runtime and workqueue', async () => {
    const metrics = createMetrics();
    const hooks = metrics.controller('dns');
    hooks.started?.(() => snapshot);
    hooks.queue?.added?.('high');
    hooks.queue?.added?.('low');
    hooks.queue?.retried?.();
    hooks.queue?.waited?.(20);
    hooks.queue?.worked?.(250);
    hooks.reconciled?.('success', 100);
    hooks.reconciled?.('requeue_after', 100);
    hooks.failed?.({ code: 'kube/conflict', terminal: false, timedOut: false });
    hooks.failed?.({ code: 'bug', terminal: true, timedOut: true });
    hooks.reconciled?.('error', 300);
    expect(await samples(metrics)).toEqual([
      'controller_runtime_reconcile_total{controller="dns",result="success"} 1',
      'controller_runtime_reconcile_total{controller="dns",result="error"} 1',
      'controller_runtime_reconcile_total{controller="dns",result="requeue_after"} 1',
      'controller_runtime_reconcile_time_seconds_sum{controller="dns"} 0.5',
      'controller_runtime_reconcile_time_seconds_count{controller="dns"} 3',
      'controller_runtime_reconcile_errors_total{controller="dns"} 2',
      'controller_runtime_terminal_reconcile_errors_total{controller="dns"} 1',
      'controller_runtime_reconcile_panics_total{controller="dns"} 1',
      'controller_runtime_reconcile_timeouts_total{controller="dns"} 1',
      'controller_runtime_max_concurrent_reconciles{controller="dns"} 4',
      'controller_runtime_active_workers{controller="dns"} 2',
      'workqueue_adds_total{name="dns",controller="dns"} 2',
      'workqueue_retries_total{name="dns",controller="dns"} 1',
      'workqueue_queue_duration_seconds_sum{name="dns",controller="dns"} 0.02',
      'workqueue_queue_duration_seconds_count{name="dns",controller="dns"} 1',
      'workqueue_work_duration_seconds_sum{name="dns",controller="dns"} 0.25',
      'workqueue_work_duration_seconds_count{name="dns",controller="dns"} 1',
      'workqueue_depth{name="dns",controller="dns",priority="high"} 1',
      'workqueue_depth{name="dns",controller="dns",priority="normal"} 2',
      'workqueue_depth{name="dns",controller="dns",priority="low"} 3',
      'workqueue_unfinished_work_seconds{name="dns",controller="dns"} 1.5',
      'workqueue_longest_running_processor_seconds{name="dns",controller="dns"} 1',
    ]);
  });
  test('are zero from the start, so that the first increase is seen', async () => {
    const metrics = createMetrics();
    metrics.controller('dns');
    expect(await samples(metrics)).toContain('controller_runtime_reconcile_errors_total{controller="dns"} 0');
    expect(await samples(metrics)).toContain('workqueue_adds_total{name="dns",controller="dns"} 0');
  });
  test('have the buckets of the originals', async () => {
    const metrics = createMetrics();
    const hooks = metrics.controller('dns');
    hooks.reconciled?.('success', 1);
    hooks.queue?.waited?.(1);
    const { body, contentType } = await metrics.scrape();
    const buckets = (name: string): readonly string[] =>
      [...body.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"`, 'gm'))].map((match) => match[1] ?? '');
    expect(buckets('controller_runtime_reconcile_time_seconds')).toHaveLength(41);
    expect(buckets('controller_runtime_reconcile_time_seconds').slice(0, 3)).toEqual(['0.005', '0.01', '0.025']);
    expect(buckets('workqueue_queue_duration_seconds').map(Number).slice(0, -1)).toEqual([
      1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000,
    ]);
    expect(contentType).toContain('text/plain; version=0.0.4');
  });
});

test('answers of the API server are counted by code, method and host', async () => {
  const metrics = createMetrics();
  metrics.client.onAnswer({ code: '200', method: 'GET', host: 'k:6443', durationMs: 50 });
  metrics.client.onAnswer({ code: '<error>', method: 'GET', host: 'k:6443', durationMs: 150 });
  expect(await samples(metrics)).toEqual([
    'rest_client_requests_total{code="200",method="GET",host="k:6443"} 1',
    'rest_client_requests_total{code="<error>",method="GET",host="k:6443"} 1',
    'rest_client_request_duration_seconds_sum{verb="GET",host="k:6443"} 0.2',
    'rest_client_request_duration_seconds_count{verb="GET",host="k:6443"} 2',
  ]);
});

test('who leads is asked at every scrape, by the name of the lease', async () => {
  const metrics = createMetrics();
  let leading = true;
  metrics.leader('dns', () => leading);
  metrics.leader('eip', () => false);
  expect(await samples(metrics)).toEqual([
    'leader_election_master_status{name="dns"} 1',
    'leader_election_master_status{name="eip"} 0',
  ]);
  leading = false;
  expect(await samples(metrics)).toContain('leader_election_master_status{name="dns"} 0');
});

test('the cache tells of lists, watches, events and trouble', async () => {
  const metrics = createMetrics();
  const { cache } = metrics;
  cache.listed?.('pods.core/v1', { via: 'list', objects: 3, durationMs: 500 });
  cache.watchStarted?.('pods.core/v1');
  cache.event?.('pods.core/v1', 'ADDED');
  cache.restarted?.('pods.core/v1', 'expired', 'x');
  cache.garbage?.('pods.core/v1', 'x');
  cache.listenerFailed?.('pods.core/v1', new Error('x'));
  expect(await samples(metrics)).toEqual([
    'tributary_cache_list_duration_seconds_sum{kind="pods.core/v1",via="list"} 0.5',
    'tributary_cache_list_duration_seconds_count{kind="pods.core/v1",via="list"} 1',
    'tributary_cache_watches_total{kind="pods.core/v1"} 1',
    'tributary_cache_events_total{kind="pods.core/v1",type="ADDED"} 1',
    'tributary_cache_restarts_total{kind="pods.core/v1",reason="expired"} 1',
    'tributary_cache_garbage_total{kind="pods.core/v1"} 1',
    'tributary_cache_listener_failures_total{kind="pods.core/v1"} 1',
  ]);
});

describe('the event loop', () => {
  test('is measured by the probe that is given', async () => {
    const take = () => ({ mean: 1, p50: 2, p99: 30, max: 400 });
    const metrics = createMetrics({}, { eventLoop: { take, stop: () => undefined } });
    expect(await samples(metrics)).toEqual([
      'nodejs_eventloop_delay_seconds{stat="mean"} 0.001',
      'nodejs_eventloop_delay_seconds{stat="p50"} 0.002',
      'nodejs_eventloop_delay_seconds{stat="p99"} 0.03',
      'nodejs_eventloop_delay_seconds{stat="max"} 0.4',
    ]);
  });
  test('that was blocked shows it, once', async () => {
    const probe = createEventLoopProbe();
    try {
      expect(probe.take()).toEqual({ mean: 0, p50: 0, p99: 0, max: 0 });
      const ticks = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
      await ticks();
      const until = performance.now() + 120;
      while (performance.now() < until);
      await ticks();
      expect(probe.take().max).toBeGreaterThan(50);
      expect(probe.take().max).toBe(0);
    } finally {
      probe.stop();
    }
  });
});

test('process metrics and metrics of your own are in the same scrape', async () => {
  const registry = new Registry();
  const metrics = createMetrics({ registry, processMetrics: true });
  new Counter({ name: 'mine_total', help: 'x', registers: [registry] }).inc();
  const { body } = await metrics.scrape();
  expect(metrics.registry).toBe(registry);
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'mine_total'])
    expect(body).toContain(`${name} `);
});
