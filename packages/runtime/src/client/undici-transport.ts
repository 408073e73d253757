import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { ClusterAccess, Credentials, FileAccess } from '../kubeconfig/cluster-access.ts';
import { OperatorError } from '../operator-error.ts';
import { createConnectionAgents } from './connection-agents.ts';
import type { AgentOptions } from './connection-agents.ts';
import { dispatch } from './dispatch.ts';
import type { HttpHead, HttpRequest, HttpResponse, StreamHandler, Transport } from './transport.ts';

export type UndiciTransportOptions = Partial<AgentOptions> & {
  readonly access: Pick<ClusterAccess, 'server' | 'tls' | 'auth' | 'proxyUrl'>;
  /** Until the first byte of an answer, the wait for a connection included. */
  readonly headersTimeoutMs?: number;
  /** Silence within the answer to a request. */
  readonly bodyTimeoutMs?: number;
  /** Silence on a watch. The server sends a bookmark about once a minute, so more means a dead connection. */
  readonly idleTimeoutMs?: number;
};

const defaults = {
  maxConnections: 64,
  connectTimeoutMs: 10_000,
  // The API server drops idle connections after 90 s; we must be first, or a request meets a closing connection.
  keepAliveMs: 60_000,
  checkFilesMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 60_000,
  idleTimeoutMs: 150_000,
};

type Send = (request: HttpRequest, handler: StreamHandler, credentials: Credentials) => Promise<void>;

/**
 * The transport over the network. Answers of 401 are repeated once if other credentials can be had. It does not ask
 * for gzip: listing 4,000 objects of 1.4 KB took 279 ms with it and 167 ms without, so below half a gigabit per second
 * it would pay, and operators run beside their API server.
 */
export function createUndiciTransport(
  options: UndiciTransportOptions,
  deps: FileAccess & { readonly clock: Clock },
): Transport {
  const { access, ...given } = options;
  const settings = { ...defaults, ...given };
  const { origin, pathname } = new URL(access.server);
  const prefix = pathname.replace(/\/+$/u, '');
  const agents = createConnectionAgents(access, settings, deps);
  let closed = false;

  const send =
    (agent: 'requests' | 'watches', bodyTimeoutMs: number): Send =>
    async (request, handler, credentials) => {
      const pair = await agents.current(credentials);
      if (closed) throw new OperatorError('kube/closed', 'the transport is closed', { kind: 'never' });
      const dispatchOptions: Dispatcher.DispatchOptions = {
        origin,
        path: `${prefix}${request.path}`,
        method: request.method,
        headers: toHeaders(request, credentials),
        body: request.body ?? null,
      };
      await dispatch(pair[agent], dispatchOptions, handler, {
        headersTimeoutMs: request.headersTimeoutMs ?? settings.headersTimeoutMs,
        bodyTimeoutMs: request.bodyTimeoutMs ?? bodyTimeoutMs,
        clock: deps.clock,
        signal: request.signal,
        beforeSend: request.beforeSend,
      });
    };
  const sendRequest = authorized(access.auth, send('requests', settings.bodyTimeoutMs));
  const sendStream = authorized(access.auth, send('watches', settings.idleTimeoutMs));

  return {
    request: async (request) => {
      const collected = createCollector();
      await untilAborted(sendRequest(request, collected.handler), request.signal);
      return collected.response();
    },
    stream: async (request, handler) => untilAborted(sendStream(request, handler), request.signal),
    close: async () => {
      closed = true;
      await agents.close();
    },
  };
}

/** Adds credentials, and on a 401 tries once more if there are newer ones. A 401 means that nothing was executed. */
function authorized(auth: ClusterAccess['auth'], send: Send) {
  return async (request: HttpRequest, handler: StreamHandler): Promise<void> => {
    const credentials = await auth.credentials();
    const refusal = createCollector();
    let refused = false;
    await send(
      request,
      {
        onHead: (head) => {
          refused = head.status === 401;
          (refused ? refusal.handler : handler).onHead(head);
        },
        onChunk: (chunk) => (refused ? refusal.handler : handler).onChunk(chunk),
      },
      credentials,
    );
    if (!refused) return;
    auth.refused(credentials);
    // If there is no way to newer ones, the refusal is the more telling answer.
    const newer = await auth.credentials().catch(() => credentials);
    if (newer !== credentials) return send(request, handler, newer);
    const answer = refusal.response();
    handler.onHead(answer);
    handler.onChunk(answer.body);
  };
}

function createCollector(): { readonly handler: StreamHandler; readonly response: () => HttpResponse } {
  let head: HttpHead = { status: 0, headers: {} };
  const chunks: Uint8Array[] = [];
  return {
    handler: { onHead: (received) => (head = received), onChunk: (chunk) => void chunks.push(chunk) },
    response: () => {
      const [first] = chunks;
      return { ...head, body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks) };
    },
  };
}

/** Credentials may take long (a plugin that asks a person): who has given up need not wait for them. */
async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function toHeaders(request: HttpRequest, credentials: Credentials): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { ...request.headers };
  for (const [name, value] of Object.entries(credentials.headers)) {
    headers[name] = typeof value === 'string' ? value : [...value];
  }
  return headers;
}
