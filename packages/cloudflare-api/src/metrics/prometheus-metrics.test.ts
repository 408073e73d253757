import { createMetrics } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { createPrometheusMetrics } from './prometheus-metrics.ts';

async function linesOf(scrape: () => Promise<{ readonly body: string }>): Promise<readonly string[]> {
  return (await scrape()).body.split('\n').filter((line) => line.startsWith('tributary_cloudflare'));
}

test('calls, waits and budgets are counted by labels that hold no secret', async () => {
  const { registry, scrape } = createMetrics();
  const metrics = createPrometheusMetrics(registry);
  const call = { family: 'dns', method: 'POST', status: 400, class: 'validation', durationMs: 120 } as const;
  metrics.call(call);
  metrics.call(call);
  metrics.waited({ priority: 'drift', waitedMs: 2000 });
  metrics.budget({ credentialId: 'c1', remaining: 700, quota: 1200, pausedForMs: 1500 });
  const lines = await linesOf(scrape);
  expect(lines).toContain(
    'tributary_cloudflare_requests_total{family="dns",method="POST",status="400",class="validation"} 2',
  );
  expect(lines).toContain('tributary_cloudflare_request_duration_seconds_sum{family="dns",method="POST"} 0.24');
  expect(lines).toContain('tributary_cloudflare_budget_wait_seconds_sum{priority="drift"} 2');
  expect(lines).toContain('tributary_cloudflare_budget_remaining{credential="c1"} 700');
  expect(lines).toContain('tributary_cloudflare_budget_quota{credential="c1"} 1200');
  expect(lines).toContain('tributary_cloudflare_budget_paused_seconds{credential="c1"} 1.5');
});

test('a credential that is no longer used leaves the metrics', async () => {
  const { registry, scrape } = createMetrics();
  const metrics = createPrometheusMetrics(registry);
  metrics.budget({ credentialId: 'c1', remaining: 1, quota: 1, pausedForMs: 0 });
  metrics.forget('c1');
  expect((await linesOf(scrape)).filter((line) => line.includes('c1'))).toEqual([]);
});
