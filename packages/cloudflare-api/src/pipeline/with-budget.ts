import type { Log } from '@tributary/runtime';
import type { Budget, CallReport } from '../budget/create-budget.ts';
import { toRateReport } from '../budget/rate-headers.ts';
import type { ApiMetrics } from '../metrics/api-metrics.ts';
import type { Answer, Layer } from './call.ts';

export type BudgetLayerDeps = {
  readonly budget: Budget;
  readonly metrics: ApiMetrics;
  readonly log: Log;
};

/** No call goes out without a permit, and every answer teaches the budget. */
export function withBudget({ credentialId }: { readonly credentialId: string }, deps: BudgetLayerDeps): Layer {
  const { budget, metrics, log } = deps;
  const report = (): void => {
    const { remaining, quota, pausedForMs } = budget.snapshot();
    metrics.budget({ credentialId, remaining, quota, pausedForMs });
  };
  return (next) => async (call) => {
    const permit = await budget.acquire(call.priority, call.signals);
    metrics.waited({ priority: call.priority, waitedMs: permit.waitedMs });
    let learned: CallReport = {};
    try {
      const answer = await next(call);
      learned = toCallReport(answer);
      return answer;
    } finally {
      permit.done(learned);
      report();
      if (learned.pauseMs !== undefined) {
        log.warn({ credentialId, pauseMs: learned.pauseMs, path: call.path }, 'Cloudflare asks us to slow down');
      }
    }
  };
}

function toCallReport({ headers, failure }: Answer): CallReport {
  const rate = toRateReport(headers);
  return failure?.class === 'rate-limited' && failure.retry.kind === 'after'
    ? { rate, pauseMs: failure.retry.ms }
    : { rate };
}
