// Sends the same requests to two servers, one after the other, and says where the status differs.
import { setTimeout as pause } from 'node:timers/promises';
import type { AskServer, Reply } from './ask-server.ts';
import type { FuzzRequest } from './requests.ts';

export type Difference = {
  readonly index: number;
  readonly request: FuzzRequest;
  readonly embedded: Reply;
  readonly real: Reply;
};

export type Comparison = {
  readonly requests: number;
  /** The real server has no status for some requests: it drops the connection. */
  readonly unanswered: number;
  readonly equal: number;
  /** How often each status was answered by the real server. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
};

type Pair = { readonly embedded: AskServer; readonly real: AskServer };

export async function compareServers(pair: Pair, requests: readonly FuzzRequest[]): Promise<Comparison> {
  const differences: Difference[] = [];
  const statuses: Record<string, number> = {};
  let unanswered = 0;
  for (const [index, request] of requests.entries()) {
    const { embedded, real } = await askBoth(pair, request);
    statuses[real.status] = (statuses[real.status] ?? 0) + 1;
    await settled(pair, request);
    if (real.status === 0) unanswered += 1;
    if (embedded.status === real.status || real.status === 0) continue;
    differences.push({ index, request, embedded, real });
    // What follows must not suffer: neither server keeps the object.
    await Promise.all([forget(pair.embedded, request), forget(pair.real, request)]);
  }
  const equal = requests.length - unanswered - differences.length;
  return { requests: requests.length, unanswered, equal, statuses, differences };
}

/** A custom kind comes and goes in the server's own time: what follows waits until both are where they will stay. */
async function settled(pair: Pair, { method, object }: FuzzRequest): Promise<void> {
  if (!object.includes('/customresourcedefinitions/') || method === 'GET') return;
  for (let left = 100; left > 0; left--) {
    const [ours, theirs] = await Promise.all([stateOf(pair.embedded, object), stateOf(pair.real, object)]);
    if (ours === theirs && ours !== '') return;
    await pause(20);
  }
}

type Definition = {
  readonly metadata: { readonly deletionTimestamp?: string; readonly finalizers?: readonly string[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
};

/** Empty: on its way. */
async function stateOf(server: AskServer, object: string): Promise<string> {
  const { status, text } = await server.ask(blank(object));
  if (status !== 200) return String(status);
  const { metadata, status: told } = JSON.parse(text) as Definition;
  const conditions = (told?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`).toSorted();
  return [...conditions, metadata.deletionTimestamp === undefined, metadata.finalizers].join();
}

async function askBoth(pair: Pair, request: FuzzRequest): Promise<{ embedded: Reply; real: Reply }> {
  const both = async (): Promise<{ embedded: Reply; real: Reply }> => {
    const [embedded, real] = await Promise.all([askFilled(pair.embedded, request), askFilled(pair.real, request)]);
    return { embedded, real };
  };
  let replies = await both();
  // The real server answers some reads from a cache that may be a moment late.
  for (
    let again = 0;
    again < 3 && request.method === 'GET' && replies.embedded.status !== replies.real.status;
    again++
  ) {
    await pause(200);
    replies = await both();
  }
  return replies;
}

const blank = (path: string, method = 'GET', body?: string): FuzzRequest => ({
  target: '',
  method,
  path,
  query: [],
  headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  body,
  object: path,
});

/** Fills in what each server says of its own about the object. */
async function askFilled(server: AskServer, request: FuzzRequest): Promise<Reply> {
  const text = `${request.body ?? ''} ${request.query.map(([, value]) => value).join(' ')}`;
  if (!/\$(rv|uid|continue)/.test(text)) return server.ask(request);
  const live = await metadataOf(server, blank(request.object));
  const collection = request.object.slice(0, request.object.lastIndexOf('/'));
  const list = text.includes('$continue')
    ? await metadataOf(server, { ...blank(collection), query: [['limit', '1']] })
    : {};
  const fill = (value: string): string =>
    value
      .replaceAll('$rv', live.resourceVersion ?? '1')
      .replaceAll('$uid', live.uid ?? 'none')
      .replaceAll('$continue', list.continue ?? '');
  return server.ask({
    ...request,
    body: request.body === undefined ? undefined : fill(request.body),
    query: request.query.map(([key, value]) => [key, fill(value)] as const),
  });
}

type Metadata = { readonly resourceVersion?: string; readonly uid?: string; readonly continue?: string };

async function metadataOf(server: AskServer, request: FuzzRequest): Promise<Metadata> {
  const { status, text } = await server.ask(request);
  return status === 200 ? ((JSON.parse(text) as { metadata?: Metadata }).metadata ?? {}) : {};
}

async function forget(server: AskServer, { object }: FuzzRequest): Promise<void> {
  const patch = { ...blank(object, 'PATCH', '{"metadata":{"finalizers":null}}') };
  await server.ask({ ...patch, headers: { ...patch.headers, 'content-type': 'application/merge-patch+json' } });
  await server.ask(blank(object, 'DELETE', '{"gracePeriodSeconds":0}'));
}
