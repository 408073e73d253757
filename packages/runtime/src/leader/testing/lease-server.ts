import type { HttpRequest, HttpResponse } from '../../client/transport.ts';
import type { Lease } from '../lease.ts';

/** A write that took effect: who wrote, in which term. */
export type Effect = { readonly atMs: number; readonly by: string; readonly term: number };

/** The parts of an API server that an election and a writer need: one lease with optimistic locking, and a log of writes. */
export type LeaseServer = {
  readonly handle: (request: HttpRequest) => HttpResponse;
  readonly lease: () => Lease | undefined;
  readonly put: (lease: Lease | undefined) => void;
  readonly effects: readonly Effect[];
};

export function createLeaseServer(now: () => number): LeaseServer {
  const effects: Effect[] = [];
  let lease: Lease | undefined;
  let version = 0;

  const store = (next: Lease): HttpResponse => {
    version += 1;
    lease = { ...next, metadata: { ...next.metadata, resourceVersion: String(version) } };
    return answer(200, lease);
  };
  const handle = (request: HttpRequest): HttpResponse => {
    if (!request.path.includes('/leases')) {
      const { data } = JSON.parse(String(request.body)) as { data: { by: string; term: string } };
      effects.push({ atMs: now(), by: data.by, term: Number(data.term) });
      return answer(200, { metadata: {} });
    }
    if (request.method === 'GET') return lease ? answer(200, lease) : refuse(404, 'NotFound');
    const sent = JSON.parse(String(request.body)) as Lease;
    if (request.method === 'POST') return lease ? refuse(409, 'AlreadyExists') : store(sent);
    if (!lease) return refuse(404, 'NotFound');
    return sent.metadata.resourceVersion === lease.metadata.resourceVersion ? store(sent) : refuse(409, 'Conflict');
  };
  return {
    handle,
    effects,
    lease: () => lease,
    put: (next) => {
      if (next) store(next);
      else lease = undefined;
    },
  };
}

function answer(status: number, body: unknown): HttpResponse {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

function refuse(code: number, reason: string): HttpResponse {
  return answer(code, { kind: 'Status', status: 'Failure', code, reason, message: reason });
}
