import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { VpcAction } from './vpc-send.ts';

/** Latency by action, and calls by action and code: the code is the provider's word, `OK` or `NoAnswer`. */
export function createVpcMetrics(registry: Registry): (action: VpcAction, code: string, durationMs: number) => void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'alibabacloud_api_request_duration_seconds',
    help: 'How long calls of the Alibaba Cloud API took, by action',
    labelNames: ['action'],
    buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers,
  });
  const calls = new Counter({
    name: 'alibabacloud_api_requests_total',
    help: 'Calls of the Alibaba Cloud API, by action and code of the answer',
    labelNames: ['action', 'code'],
    registers,
  });
  const errors = new Counter({
    name: 'alibabacloud_api_errors_total',
    help: 'Calls of the Alibaba Cloud API that did not succeed, by action and code of the answer',
    labelNames: ['action', 'code'],
    registers,
  });
  return (action, code, durationMs) => {
    durations.observe({ action }, durationMs / 1000);
    calls.inc({ action, code });
    if (code !== 'OK') errors.inc({ action, code });
  };
}
