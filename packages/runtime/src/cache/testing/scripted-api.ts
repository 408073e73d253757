import { KubeApiError } from '../../client/kube-api-error.ts';
import type {
  KubeClient,
  KubeStatus,
  ListOptions,
  ObjectList,
  WatchEvent,
  WatchOptions,
} from '../../client/kube-client.ts';
import type { Clock } from '../../clock.ts';
import { sleep } from '../../clock.ts';
import { OperatorError } from '../../operator-error.ts';
import type { AnyObject } from '../../object.ts';
import { createScriptedHistory } from './scripted-history.ts';
import type { ScriptedHistory } from './scripted-history.ts';
import { createScriptedStream, sendInitialEvents } from './scripted-stream.ts';
import type { ScriptedStream } from './scripted-stream.ts';

export type ScriptedApiOptions = {
  readonly clock: Clock;
  /** What the server makes of a watch-list: old servers refuse it or do not know the parameter. */
  readonly watchList?: 'known' | 'refused' | 'ignored';
  readonly latencyMs?: number;
  /** How revisions are written; decimals when absent. */
  readonly toVersion?: (revision: number) => string;
};

/** `unreachable`, or the Status that the server answers with. */
export type ScriptedFault = 'unreachable' | 'bad-answer' | (KubeStatus & { readonly code: number });

/** An API server for one kind, in memory and on a simulated clock, that does wrong on demand. */
export type ScriptedApi = {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly history: ScriptedHistory;
  /** Every request in short: `list`, `list more`, `watch 105`, `watch-list`. */
  readonly requests: string[];
  readonly lists: readonly ListOptions[];
  readonly streams: () => readonly ScriptedStream[];
  /** What the next requests get, one each, before they are answered properly again. */
  readonly failLists: (...faults: readonly ScriptedFault[]) => void;
  readonly failWatches: (...faults: readonly ScriptedFault[]) => void;
  readonly heal: () => void;
  /** Lets open watches know what happened. */
  readonly pump: () => void;
};

export const gone: ScriptedFault = { code: 410, reason: 'Expired', message: 'too old resource version' };

export function createScriptedApi(options: ScriptedApiOptions): ScriptedApi {
  const history = createScriptedHistory(options);
  const requests: string[] = [];
  const lists: ListOptions[] = [];
  let streams: readonly ScriptedStream[] = [];
  let listFaults: readonly ScriptedFault[] = [];
  let watchFaults: readonly ScriptedFault[] = [];

  const list = async (_: unknown, request: ListOptions = {}): Promise<ObjectList> => {
    requests.push(request.continue ? 'list more' : 'list');
    lists.push(request);
    await sleep(options.clock, options.latencyMs ?? 1, request.signal);
    const [fault, ...rest] = listFaults;
    listFaults = rest;
    if (fault) throw toError(fault);
    return toPage(history, request, options.toVersion ?? String);
  };

  const watch = async (_: unknown, request: WatchOptions, onEvent: (event: WatchEvent) => void): Promise<void> => {
    requests.push(request.sendInitialEvents ? 'watch-list' : `watch ${request.resourceVersion ?? ''}`);
    await sleep(options.clock, options.latencyMs ?? 1, request.signal);
    const [fault, ...rest] = watchFaults;
    watchFaults = rest;
    if (fault) throw toError(fault);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = openStream(history, request, { options, onEvent, settle: { resolve, reject } });
    streams = [...streams.filter((other) => other.open()), stream];
    await promise;
  };

  return {
    client: { list: list as KubeClient['list'], watch: watch as KubeClient['watch'] },
    history,
    requests,
    lists,
    streams: () => streams.filter((stream) => stream.open()),
    failLists: (...faults) => void (listFaults = [...listFaults, ...faults]),
    failWatches: (...faults) => void (watchFaults = [...watchFaults, ...faults]),
    heal: () => {
      listFaults = [];
      watchFaults = [];
    },
    pump: () => {
      for (const stream of streams) stream.pump();
    },
  };
}

type OpenDeps = {
  readonly options: ScriptedApiOptions;
  readonly onEvent: (event: WatchEvent) => void;
  readonly settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
};

function openStream(
  history: ScriptedHistory,
  request: WatchOptions,
  { options, onEvent, settle }: OpenDeps,
): ScriptedStream {
  const toVersion = options.toVersion ?? String;
  const revision = history.revision();
  const deps = { clock: options.clock, history, toVersion, onEvent, settle };
  if (request.sendInitialEvents) {
    if (options.watchList === 'refused') throw toError({ code: 422, reason: 'Invalid', message: 'sendInitialEvents' });
    const stream = createScriptedStream(request, revision, deps);
    const end = options.watchList === 'ignored' ? undefined : { resourceVersion: toVersion(revision) };
    sendInitialEvents(stream, history.objects(), end);
    return stream;
  }
  const from = findRevision(request.resourceVersion ?? '', revision, toVersion);
  if (from === undefined) throw toError(tooLarge);
  if (from < history.compactedTo()) throw toError(gone);
  const stream = createScriptedStream(request, from, deps);
  stream.pump();
  return stream;
}

const tooLarge: ScriptedFault = {
  code: 504,
  reason: 'Timeout',
  details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
};

function findRevision(version: string, latest: number, toVersion: (revision: number) => string): number | undefined {
  for (let revision = latest; revision >= 0; revision -= 1) if (toVersion(revision) === version) return revision;
  return undefined;
}

/** Pages are of the moment of the first one; the token holds it, and expires with it. */
function toPage(history: ScriptedHistory, request: ListOptions, toVersion: (revision: number) => string): ObjectList {
  const [at = history.revision(), start = 0] = request.continue ? request.continue.split(':').map(Number) : [];
  if (at < history.compactedTo()) throw toError(gone);
  const objects = request.continue ? objectsAt(history, at) : history.objects();
  const limit = request.limit ?? objects.length;
  const items = structuredClone(objects.slice(start, start + limit));
  const more = start + limit < objects.length;
  return {
    metadata: { resourceVersion: toVersion(at), ...(more ? { continue: `${at}:${start + limit}` } : {}) },
    items,
  };
}

function objectsAt(history: ScriptedHistory, revision: number): readonly AnyObject[] {
  const objects = new Map<string, AnyObject>();
  for (const entry of history.all()) {
    if (entry.revision > revision) break;
    const name = entry.object.metadata.name ?? '';
    if (entry.type === 'DELETED') objects.delete(name);
    else objects.set(name, entry.object);
  }
  return [...objects.values()];
}

function toError(fault: ScriptedFault): Error {
  if (fault === 'unreachable') return new OperatorError('kube/unreachable', 'no route', { kind: 'backoff' });
  if (fault === 'bad-answer') return new OperatorError('kube/bad-answer', 'no JSON', { kind: 'backoff' });
  const seconds = fault.details?.retryAfterSeconds;
  const retry = seconds ? ({ kind: 'after', ms: seconds * 1000 } as const) : ({ kind: 'backoff' } as const);
  const answer = { status: fault.code, reason: fault.reason ?? '', body: fault };
  return new KubeApiError('kube/scripted', fault.message ?? `status ${fault.code}`, retry, answer);
}
