import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '@tributary/runtime';
import type { ApiMetrics } from './api-metrics.ts';

const durationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const waitBuckets = [0.01, 0.1, 1, 5, 15, 60, 300, 900];

/** The measurements as metrics of Prometheus in a registry that the caller serves. */
export function createPrometheusMetrics(registry: Metrics['registry']): ApiMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: 'tributary_cloudflare_requests_total',
    help: 'Calls to the Cloudflare API by product, method, HTTP status (0: no answer) and outcome',
    labelNames: ['family', 'method', 'status', 'class'],
    registers,
  });
  const durations = new Histogram({
    name: 'tributary_cloudflare_request_duration_seconds',
    help: 'Time until the answer of the Cloudflare API was read, without waiting for the budget',
    labelNames: ['family', 'method'],
    buckets: durationBuckets,
    registers,
  });
  const waits = new Histogram({
    name: 'tributary_cloudflare_budget_wait_seconds',
    help: 'Time that calls waited for the request budget of their credential',
    labelNames: ['priority'],
    buckets: waitBuckets,
    registers,
  });
  const gauge = (name: string, help: string): Gauge<'credential'> =>
    new Gauge({ name, help, labelNames: ['credential'], registers });
  const remaining = gauge('tributary_cloudflare_budget_remaining', 'Calls that the budget still allows now');
  const quota = gauge('tributary_cloudflare_budget_quota', 'Calls that the policy allows in its window');
  const paused = gauge('tributary_cloudflare_budget_paused_seconds', 'Time until calls may go out again');
  return {
    call: ({ family, method, status, class: outcome, durationMs }) => {
      calls.inc({ family, method, status, class: outcome });
      durations.observe({ family, method }, durationMs / 1000);
    },
    waited: ({ priority, waitedMs }) => waits.observe({ priority }, waitedMs / 1000),
    budget: (measure) => {
      const labels = { credential: measure.credentialId };
      remaining.set(labels, measure.remaining);
      quota.set(labels, measure.quota);
      paused.set(labels, measure.pausedForMs / 1000);
    },
    forget: (credential) => {
      for (const each of [remaining, quota, paused]) each.remove({ credential });
    },
  };
}
