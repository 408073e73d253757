/** For tests: a proxy that tunnels to wherever it is asked and remembers what it was asked. */
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTo } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { KeyPair } from './test-server.ts';

export type TestProxy = { readonly port: number; readonly asked: readonly string[] };

/** Answers CONNECT; refuses those that do not show `authorization` when that is given. */
export async function startHttpProxy(pair?: KeyPair, authorization?: string): Promise<TestProxy> {
  const asked: string[] = [];
  const server = pair === undefined ? createHttpServer() : createHttpsServer(pair);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const allowed = authorization === undefined || request.headers['proxy-authorization'] === authorization;
    asked.push(`${request.method} ${request.url}`);
    if (!allowed) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connectTo(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(client, upstream);
    });
  });
  return { port: await listen(server), asked };
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
