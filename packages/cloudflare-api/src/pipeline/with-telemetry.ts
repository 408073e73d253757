import type { Clock, Log } from '@tributary/runtime';
import type { ApiMetrics } from '../metrics/api-metrics.ts';
import type { Answer, Call, Layer } from './call.ts';

export type TelemetryDeps = {
  readonly metrics: ApiMetrics;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/**
 * Counts and logs every call that goes out. The log has neither headers nor bodies nor values of the query: those are
 * where secrets are.
 */
export function withTelemetry({ credentialId }: { readonly credentialId: string }, deps: TelemetryDeps): Layer {
  const { metrics, log, clock } = deps;
  const note = (call: Call, startMs: number, answer: Answer | undefined): void => {
    const { family, method, path, priority } = call;
    const durationMs = clock.monotonic() - startMs;
    const outcome = answer === undefined ? 'aborted' : (answer.failure?.class ?? 'ok');
    const status = answer?.status ?? 0;
    metrics.call({ family, method, status, class: outcome, durationMs });
    const fields = {
      credentialId,
      method,
      path,
      query: [...new URL(call.url).searchParams.keys()],
      priority,
      status,
      class: outcome,
      apiCode: answer?.failure?.apiCode,
      requestId: answer?.headers.get('cf-ray') ?? undefined,
      durationMs: Math.round(durationMs),
    };
    log.debug(fields, 'call to Cloudflare');
  };
  return (next) => async (call) => {
    const startMs = clock.monotonic();
    let answer: Answer | undefined;
    try {
      answer = await next(call);
      return answer;
    } finally {
      note(call, startMs, answer);
    }
  };
}
