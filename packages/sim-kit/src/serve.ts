import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';
import type { WireHandler, WireRequest } from './wire.ts';

export type TlsOptions = { readonly key: string; readonly cert: string };

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  /** For clients that speak nothing but HTTPS. */
  readonly tls?: TlsOptions | undefined;
};

/** Puts a handler behind HTTP. */
export async function serve(handler: WireHandler, options: ServeOptions, clock: Clock): Promise<Listening> {
  const { tls } = options;
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer(handler, incoming, outgoing, clock).catch(() => incoming.socket.destroy());
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  return listen(server, options);
}

async function answer(
  handler: WireHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  clock: Clock,
): Promise<void> {
  const response = await handler(await toWireRequest(incoming));
  // Closing the server ends what hangs.
  if (response.kind === 'hung') return;
  if (response.kind !== 'answer') {
    incoming.socket.destroy();
    return;
  }
  const hasBody = response.status !== 204 && incoming.method !== 'HEAD';
  const length = hasBody ? { 'content-length': Buffer.byteLength(response.body) } : {};
  outgoing.writeHead(response.status, { ...response.headers, ...length });
  if (response.bodyDelayMs !== undefined) {
    outgoing.flushHeaders();
    await sleep(clock, response.bodyDelayMs);
  }
  outgoing.end(hasBody ? response.body : undefined);
}

async function toWireRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
