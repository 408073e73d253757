import type { Clock } from '@tributary/runtime/clock';
import type { HttpRequest, HttpResponse, StreamHandler, Transport } from '@tributary/runtime/transport';
import type { ApiHandler, ApiRequest, ApiResponse } from './api-request.ts';
import { ConnectionReset } from './connection-reset.ts';
import { readStream } from './read-stream.ts';
import { splitOnce } from './serve.ts';

export type InProcessOptions = {
  /** Sent with every request that does not bring them itself, for example `user-agent` and `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait for an answer, and for more of it, where the request does not say. */
  readonly headersTimeoutMs?: number;
  readonly bodyTimeoutMs?: number;
};

const nothing = new Uint8Array();
const encoder = new TextEncoder();
const never = new AbortController().signal;

/** A transport that calls the handler: no sockets, no time but the clock's, and the same order of things every time. */
export function createInProcessTransport(
  handler: ApiHandler,
  options: InProcessOptions,
  clock: Pick<Clock, 'after' | 'monotonic'>,
): Transport {
  let closed = false;
  const send = async (request: HttpRequest): Promise<ApiResponse> => {
    if (closed) throw new ConnectionReset('the transport is closed');
    request.signal?.throwIfAborted();
    request.beforeSend?.();
    const answer = handler(toApiRequest(request, options.headers ?? {}));
    return limited(answer, request.headersTimeoutMs ?? options.headersTimeoutMs, request.signal, clock);
  };
  const stream = async (request: HttpRequest, handler: StreamHandler): Promise<void> => {
    const response = await send(request);
    handler.onHead({ status: response.status, headers: response.headers });
    if (response.kind === 'body') {
      const bytes = bytesOf(response.body);
      if (bytes.byteLength > 0) handler.onChunk(bytes);
      return;
    }
    const bodyTimeoutMs = request.bodyTimeoutMs ?? options.bodyTimeoutMs;
    await readStream(response, handler.onChunk, { signal: request.signal, bodyTimeoutMs, clock });
  };
  const request = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await send(request);
    const { status, headers } = response;
    if (response.kind === 'body') return { status, headers, body: bytesOf(response.body) };
    const chunks: Uint8Array[] = [];
    const { signal, bodyTimeoutMs = options.bodyTimeoutMs } = request;
    await readStream(response, (chunk) => chunks.push(chunk), { signal, bodyTimeoutMs, clock });
    return { status, headers, body: Buffer.concat(chunks) };
  };
  return {
    request,
    stream,
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : body;
}

function toApiRequest(
  { method, path: url, headers = {}, body, signal }: HttpRequest,
  common: Readonly<Record<string, string>>,
): ApiRequest {
  const [path, query] = splitOnce(url, '?');
  const lower: Record<string, string> = { ...common };
  for (const name in headers) lower[name.toLowerCase()] = headers[name] ?? '';
  const bytes = body === undefined ? nothing : bytesOf(body);
  return { method, path, url, query: new URLSearchParams(query), headers: lower, body: bytes, signal: signal ?? never };
}

/** The answer, unless the caller gives up or the time is over first. */
async function limited<T>(
  answer: Promise<T>,
  limitMs: number | undefined,
  signal: AbortSignal | undefined,
  clock: Pick<Clock, 'after'>,
): Promise<T> {
  if (limitMs === undefined && signal === undefined) return answer;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => finish(() => reject(signal?.reason as Error));
    const cancel =
      limitMs === undefined
        ? undefined
        : clock.after(limitMs, () => finish(() => reject(new Error(`silence for ${limitMs} ms`))));
    const finish = (settle: () => void): void => {
      cancel?.();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    answer.then(
      (value) => finish(() => resolve(value)),
      (error: Error) => finish(() => reject(error)),
    );
  });
}
