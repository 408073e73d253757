import type { Dispatcher } from 'undici';
import type { HttpHead, StreamHandler } from './transport.ts';

/**
 * One request on one dispatcher, by undici's own callbacks: no stream object and no promise per chunk. Resolves at
 * the clean end of the answer. Once the signal is aborted it rejects with the signal's reason at once, and the
 * handler is not called any more.
 */
export async function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: StreamHandler,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => {
      const reason = signal?.reason as Error;
      finish(() => reject(reason));
      controller?.abort(reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        // Aborted while it waited for a connection.
        if (over) started.abort(signal?.reason as Error);
      },
      onResponseStart: (_, status, headers) => {
        // 1xx answers precede the real one.
        if (!over && status >= 200) handler.onHead({ status, headers: toSingleValues(headers) });
      },
      onResponseData: (_, chunk) => {
        if (!over) handler.onChunk(chunk);
      },
      onResponseEnd: () => finish(resolve),
      onResponseError: (_, error) => finish(() => reject(error)),
    });
  });
}

/** Header lines of the same name become one, as HTTP allows. */
function toSingleValues(headers: Readonly<Record<string, string | string[] | undefined>>): HttpHead['headers'] {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}
