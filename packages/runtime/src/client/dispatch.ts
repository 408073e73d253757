import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { startSilenceTimer } from './silence-timer.ts';
import type { HttpHead, StreamHandler } from './transport.ts';

export type DispatchTerms = {
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly beforeSend: (() => void) | undefined;
};

/**
 * One request on one dispatcher, by undici's own callbacks: no stream object and no promise per chunk. Resolves at
 * the clean end of the answer. When the signal is aborted, or the server stays silent for too long, it rejects at
 * once, whatever the connection is waiting for, and the handler is not called any more.
 */
export async function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: StreamHandler,
  terms: DispatchTerms,
): Promise<void> {
  terms.signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const exchange = createExchange(terms, { resolve, reject });
    // undici's own timeouts are off by up to a second, and do not count the wait for a connection.
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, toCallbacks(handler, exchange, terms));
  });
}

/** One request from its start to its one end, whoever brings that about. */
type Exchange = {
  readonly start: (controller: Dispatcher.DispatchController) => void;
  readonly isOver: () => boolean;
  readonly heard: () => void;
  readonly succeed: () => void;
  readonly fail: (error: Error) => void;
};

function createExchange(
  { headersTimeoutMs, bodyTimeoutMs, clock, signal }: DispatchTerms,
  { resolve, reject }: { resolve: () => void; reject: (error: Error) => void },
): Exchange {
  let controller: Dispatcher.DispatchController | undefined;
  let failure: Error | undefined;
  let over = false;
  const end = (settle: () => void): void => {
    if (over) return;
    over = true;
    silence.stop();
    signal?.removeEventListener('abort', onAbort);
    settle();
  };
  const fail = (error: Error): void =>
    end(() => {
      failure = error;
      reject(error);
      controller?.abort(error);
    });
  const onAbort = (): void => fail(signal?.reason as Error);
  const silence = startSilenceTimer(clock, headersTimeoutMs, (ms) => fail(new Error(`silence for ${ms} ms`)));
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    start: (started) => {
      controller = started;
      // Given up while it waited for a connection.
      if (failure !== undefined) started.abort(failure);
    },
    isOver: () => over,
    heard: () => silence.heard(bodyTimeoutMs),
    succeed: () => end(resolve),
    fail,
  };
}

function toCallbacks(
  handler: StreamHandler,
  exchange: Exchange,
  { beforeSend }: DispatchTerms,
): Dispatcher.DispatchHandler {
  return {
    // undici calls this in the turn in which it writes, and writes nothing if it is aborted here.
    onRequestStart: (controller) => {
      exchange.start(controller);
      if (exchange.isOver()) return;
      try {
        beforeSend?.();
      } catch (error) {
        exchange.fail(error as Error);
      }
    },
    onResponseStart: (_, status, headers) => {
      // 1xx answers precede the real one.
      if (exchange.isOver() || status < 200) return;
      exchange.heard();
      handler.onHead({ status, headers: toSingleValues(headers) });
    },
    onResponseData: (_, chunk) => {
      if (exchange.isOver()) return;
      exchange.heard();
      handler.onChunk(chunk);
    },
    onResponseEnd: () => exchange.succeed(),
    onResponseError: (_, error) => exchange.fail(error),
  };
}

/** Header lines of the same name become one, as HTTP allows. */
function toSingleValues(headers: Readonly<Record<string, string | string[] | undefined>>): HttpHead['headers'] {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}
