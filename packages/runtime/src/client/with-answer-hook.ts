import type { Clock } from '../clock.ts';
import type { Transport } from './transport.ts';

/**
 * One answer of the API server. The fields are the labels of client-go's `rest_client_requests_total` and
 * `rest_client_request_duration_seconds`, so that dashboards made for them work.
 */
export type Answer = {
  /** The HTTP status, or `<error>` when no answer came. */
  readonly code: string;
  readonly method: string;
  readonly host: string;
  /** Until the whole answer was there; for a watch, until its head was. */
  readonly durationMs: number;
};

export type AnswerHookOptions = {
  readonly host: string;
  readonly onAnswer: (answer: Answer) => void;
};

/** Reports every answer once. A call that the caller gave up is reported as one without an answer. */
export function withAnswerHook(
  transport: Transport,
  { host, onAnswer }: AnswerHookOptions,
  clock: Pick<Clock, 'monotonic'>,
): Transport {
  const start = (method: string): ((code: string) => void) => {
    const startMs = clock.monotonic();
    return (code) => onAnswer({ code, method, host, durationMs: clock.monotonic() - startMs });
  };
  return {
    request: async (request) => {
      const report = start(request.method);
      const answer = await transport.request(request).catch((error: unknown) => {
        report('<error>');
        throw error;
      });
      report(String(answer.status));
      return answer;
    },
    stream: async (request, handler) => {
      const report = start(request.method);
      let answered = false;
      const onHead: typeof handler.onHead = (head) => {
        answered = true;
        report(String(head.status));
        handler.onHead(head);
      };
      try {
        await transport.stream(request, { ...handler, onHead });
      } finally {
        // A stream that breaks later was answered all the same.
        if (!answered) report('<error>');
      }
    },
    close: transport.close,
  };
}
