import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Transport } from './transport.ts';

export type RetryOptions = {
  /** How often a request is sent again; 0 switches it off. */
  readonly retries: number;
  /** A longer wait is left to the caller, who has a queue for it. */
  readonly maxWaitMs?: number;
};

/**
 * Sends a request again that the server refused with 429 and a `Retry-After`: this is how it sheds load, and it has
 * certainly not executed the request. Nothing else is repeated. Watches are left to whoever holds them.
 */
export function withRetries(transport: Transport, options: RetryOptions, clock: Clock): Transport {
  const maxWaitMs = options.maxWaitMs ?? 10_000;
  return {
    ...transport,
    request: async (request) => {
      for (let left = options.retries; ; left -= 1) {
        const answer = await transport.request(request);
        if (answer.status !== 429 || left <= 0) return answer;
        const waitMs = retryAfterMs(answer.headers['retry-after'], clock.now());
        if (waitMs === undefined || waitMs > maxWaitMs) return answer;
        await sleep(clock, waitMs, request.signal);
      }
    },
  };
}
