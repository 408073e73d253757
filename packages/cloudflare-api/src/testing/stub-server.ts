/** For tests: an HTTP server that answers as it is told and remembers what it was asked. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts as they are. */
  readonly body?: unknown;
};

/** A reply, or a function that does with the connection what it likes. */
export type Responder = (request: SeenRequest) => Reply | ((response: ServerResponse) => void);

export type StubServer = {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly connections: () => number;
  /** Resolves when that many requests have arrived. */
  readonly arrived: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startStubServer(respond: Responder): Promise<StubServer> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let watchers: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://stub');
      const path = url.pathname.replace(/^\/client\/v4/u, '');
      const { method = '', headers } = request;
      const arrived: SeenRequest = { method, path, query: url.searchParams, headers, body };
      seen.push(arrived);
      for (const watcher of watchers) watcher();
      reply(response, respond(arrived));
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    seen,
    connections: () => connections,
    arrived: async (count) => {
      await new Promise<void>((resolve) => {
        const check = (): void => void (seen.length >= count && resolve());
        watchers = [...watchers, check];
        check();
      });
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function reply(response: ServerResponse, answer: ReturnType<Responder>): void {
  if (typeof answer === 'function') {
    answer(response);
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, body === undefined ? headers : { 'content-type': type, ...headers });
  response.end(text);
}

/** A success of the API. */
export function ok(result: unknown, info?: unknown): Reply {
  return {
    body: { success: true, errors: [], messages: [], result, ...(info === undefined ? {} : { result_info: info }) },
  };
}

/** A refusal of the API. */
export function refused(status: number, code: number, message: string, headers: Reply['headers'] = {}): Reply {
  return { status, headers, body: { success: false, errors: [{ code, message }], messages: [], result: null } };
}
