import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import type { WireHandler, WireRequest, WireResponse } from './wire.ts';

export type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` that asks the handler without a socket: nothing but the simulator's clock moves time, so a whole
 * world can run on simulated time. As over a socket, an aborted call may still have had its effect.
 */
export function createInProcessFetch(handler: WireHandler, clock: Clock): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const request = await toWireRequest(input, init);
    const answer = await untilAborted(handler(request), signal);
    return toResponse(answer, signal, clock);
  };
}

async function toWireRequest(input: string | URL | Request, init: RequestInit | undefined): Promise<WireRequest> {
  const url = new URL(input instanceof Request ? input.url : input);
  const headers: Record<string, string> = {};
  new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined)).forEach((value, name) => {
    headers[name] = value;
  });
  return {
    method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: await bodyText(input, init),
  };
}

async function bodyText(input: string | URL | Request, init: RequestInit | undefined): Promise<string> {
  const body = init?.body;
  if (typeof body === 'string') return body;
  if (body === undefined || body === null) return input instanceof Request ? input.clone().text() : '';
  return new Response(body).text();
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function toResponse(
  answer: WireResponse,
  signal: AbortSignal | null | undefined,
  clock: Clock,
): Promise<Response> {
  // A process that died hears nothing, not even an error.
  if (answer.kind === 'crashed' || answer.kind === 'hung') return untilAborted(new Promise<Response>(() => {}), signal);
  if (answer.kind === 'dropped') {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    throw new TypeError('fetch failed', { cause });
  }
  const { status, headers, body, bodyDelayMs } = answer;
  if (status === 204) return new Response(null, { status, headers });
  if (bodyDelayMs === undefined) return new Response(body, { status, headers });
  const late = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        await sleep(clock, bodyDelayMs, signal ?? undefined);
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
  });
  return new Response(late, { status, headers });
}
