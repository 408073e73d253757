import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../log.ts';
import type { BindAddress } from './bind-address.ts';
import type { HealthReport } from './health-report.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export type HealthServer = {
  readonly port: number;
  readonly close: () => Promise<void>;
};

/** Handlers by exact path. Every answer is made when it is asked for: nothing is cached. */
export async function startHealthServer(
  address: BindAddress,
  handlers: Readonly<Record<string, HttpHandler>>,
  log: Log,
): Promise<HealthServer> {
  const server = createServer((request, response) => void answer(handlers, request, response, log));
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

export function toHealthHandler(report: () => HealthReport): HttpHandler {
  return (_, response) => {
    const { passed, text } = report();
    response.writeHead(passed ? 200 : 500, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(text);
  };
}

async function listen(server: Server, { host, port }: BindAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function answer(
  handlers: Readonly<Record<string, HttpHandler>>,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '/';
  const handler = handlers[path];
  try {
    if (!handler) response.writeHead(404).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    else await handler(request, response);
  } catch (error) {
    log.error({ err: error, path }, 'the health server could not answer');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}
