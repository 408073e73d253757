import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Loose } from './loose.ts';
import { createWatch } from './watch-stream.ts';
import type { WatchStream } from './watch-stream.ts';

export type { Loose } from './loose.ts';

// A raw client: what goes over the wire is what the test wrote, and what comes back is neither retried nor typed.

export type Endpoint = { readonly url: string; readonly ca: string; readonly token: string };

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Loose;
  readonly text: string;
  readonly bytes: Buffer;
};

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
};

export type Query = NonNullable<Call['query']>;

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export type WireClient = {
  readonly send: (call: Call) => Promise<Answer>;
  readonly get: (path: string, query?: Query, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: unknown, query?: Query) => Promise<Answer>;
  readonly put: (path: string, body: unknown, query?: Query) => Promise<Answer>;
  readonly patch: (path: string, type: keyof typeof patchTypes, body: unknown, query?: Query) => Promise<Answer>;
  readonly del: (path: string, body?: unknown, query?: Query) => Promise<Answer>;
  readonly watch: (path: string, query?: Query, headers?: Readonly<Record<string, string>>) => Promise<WatchStream>;
  readonly close: () => void;
};

export function createWireClient(endpoint: Endpoint): WireClient {
  const agent = new Agent({ keepAlive: true, ca: endpoint.ca });
  const watchers = new Set<WatchStream>();
  const open = (call: Call): Promise<IncomingMessage> => openCall(endpoint, agent, call);
  const send = async (call: Call): Promise<Answer> => readAnswer(await open(call));
  return {
    send,
    get: (path, query, headers) => send({ method: 'GET', path, ...(query && { query }), ...(headers && { headers }) }),
    post: (path, body, query) => send({ method: 'POST', path, body, ...(query && { query }) }),
    put: (path, body, query) => send({ method: 'PUT', path, body, ...(query && { query }) }),
    patch: (path, type, body, query) =>
      send({ method: 'PATCH', path, body, headers: { 'content-type': patchTypes[type] }, ...(query && { query }) }),
    del: (path, body, query) => send({ method: 'DELETE', path, body, ...(query && { query }) }),
    watch: async (path, query, headers) => {
      const response = await open({
        method: 'GET',
        path,
        query: { watch: true, ...query },
        ...(headers && { headers }),
      });
      const stream = createWatch(response);
      watchers.add(stream);
      return stream;
    },
    close: () => {
      for (const stream of watchers) stream.close();
      agent.destroy();
    },
  };
}

function openCall(endpoint: Endpoint, agent: Agent, call: Call): Promise<IncomingMessage> {
  const url = new URL(call.path, endpoint.url);
  for (const [key, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  const body = toPayload(call.body);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${endpoint.token}`,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(url, { method: call.method, agent, headers }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function toPayload(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string | undefined>,
    // The real server names /openapi/v3 text/plain, though it is JSON.
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
    text,
    bytes,
  };
}
