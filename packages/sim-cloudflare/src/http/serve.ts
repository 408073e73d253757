import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import type { WireHandler, WireRequest } from './wire.ts';

export type ServeOptions = { readonly port: number; readonly host: string };

export type HttpServer = { readonly port: number; readonly close: () => Promise<void> };

/** Puts a handler behind HTTP. */
export async function serve(handler: WireHandler, { port, host }: ServeOptions, clock: Clock): Promise<HttpServer> {
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing, clock).catch(() => incoming.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  handler: WireHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  clock: Clock,
): Promise<void> {
  const response = await handler(await toWireRequest(incoming));
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
