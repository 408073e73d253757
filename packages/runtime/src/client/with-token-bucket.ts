import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from './transport.ts';

export type TokenBucketOptions = {
  readonly perSecond: number;
  /** How many may go at once after a pause. */
  readonly burst: number;
};

/**
 * A limit on how many requests and watches start per second, first come first served. Off unless asked for: the
 * server's own priority and fairness is the better judge, this is for servers without it.
 */
export function withTokenBucket(transport: Transport, options: TokenBucketOptions, clock: Clock): Transport {
  const { perSecond, burst } = options;
  if (!(perSecond > 0) || !(burst >= 1)) throw new RangeError('a token bucket needs a rate above 0 and a burst of 1');
  let tokens = burst;
  let filledAtMs = clock.monotonic();

  // Tokens may fall below zero: each waiter has taken its own and waits until the bucket would hold it.
  const take = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    const nowMs = clock.monotonic();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond);
    filledAtMs = nowMs;
    tokens -= 1;
    if (tokens >= 0) return;
    try {
      await sleep(clock, (-tokens / perSecond) * 1000, signal);
    } catch (error) {
      tokens += 1;
      throw error;
    }
  };

  return {
    request: async (request) => {
      await take(request.signal);
      return transport.request(request);
    },
    stream: async (request, handler) => {
      await take(request.signal);
      return transport.stream(request, handler);
    },
    close: transport.close,
  };
}
