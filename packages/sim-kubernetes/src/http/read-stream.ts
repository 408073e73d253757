import type { Clock } from '@tributary/runtime/clock';
import type { ApiResponse } from './api-request.ts';
import { ConnectionReset } from './connection-reset.ts';

export type StreamTerms = {
  readonly signal: AbortSignal | undefined;
  /** How long the stream may stay silent. */
  readonly bodyTimeoutMs: number | undefined;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
};

const encoder = new TextEncoder();

/** Reads a stream in process to its end; rejects when it breaks, falls silent or is given up. */
export async function readStream(
  response: Extract<ApiResponse, { readonly kind: 'stream' }>,
  onChunk: (chunk: Uint8Array) => void,
  { signal, bodyTimeoutMs, clock }: StreamTerms,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let over = false;
    const stops: (() => void)[] = [];
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      silence.stop();
      delivery.stop();
      signal?.removeEventListener('abort', onAbort);
      for (const stop of stops) stop();
      settle();
    };
    const fail = (error: Error): void => finish(() => reject(error));
    const onAbort = (): void => fail(signal?.reason as Error);
    const silence = createSilenceLimit(bodyTimeoutMs, clock, fail);
    const heard = (chunk: Uint8Array): void => {
      silence.heard();
      onChunk(chunk);
    };
    const delivery = createDelivery(heard, finish, fail);
    signal?.addEventListener('abort', onAbort, { once: true });
    const stop = response.open({
      write: (chunk) => {
        delivery.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
        return !over;
      },
      end: () => delivery.end(resolve),
      reset: () => delivery.end(() => reject(new ConnectionReset())),
    });
    stops.push(stop);
    if (over) stop();
  });
}

type Delivery = {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: (settle: () => void) => void;
  readonly stop: () => void;
};

/** Chunks are handed on in a later turn, as from a network: whoever writes is never called back from within. */
function createDelivery(
  onChunk: (chunk: Uint8Array) => void,
  onEnd: (settle: () => void) => void,
  onError: (error: Error) => void,
): Delivery {
  const waiting: Uint8Array[] = [];
  let scheduled = false;
  let stopped = false;
  let ended: (() => void) | undefined;
  const deliver = (): void => {
    scheduled = false;
    try {
      for (const chunk of waiting.splice(0)) if (!stopped) onChunk(chunk);
      if (ended !== undefined) onEnd(ended);
    } catch (error) {
      onError(error as Error);
    }
  };
  const schedule = (): void => {
    if (scheduled || stopped) return;
    scheduled = true;
    queueMicrotask(deliver);
  };
  return {
    push: (chunk) => {
      if (ended === undefined) waiting.push(chunk);
      schedule();
    },
    end: (settle) => {
      ended ??= settle;
      schedule();
    },
    stop: () => void (stopped = true),
  };
}

type SilenceLimit = { readonly heard: () => void; readonly stop: () => void };

/** One timer however many chunks come: it looks at the last one when it fires. */
function createSilenceLimit(
  limitMs: number | undefined,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  onSilence: (error: Error) => void,
): SilenceLimit {
  if (limitMs === undefined) return { heard: () => undefined, stop: () => undefined };
  let last = clock.monotonic();
  const arm = (ms: number): (() => void) =>
    clock.after(ms, () => {
      const left = last + limitMs - clock.monotonic();
      if (left > 0) cancel = arm(left);
      else onSilence(new Error(`silence for ${limitMs} ms`));
    });
  let cancel = arm(limitMs);
  return { heard: () => void (last = clock.monotonic()), stop: () => cancel() };
}
