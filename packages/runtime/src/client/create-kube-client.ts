import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { apiVersionOf } from '../kind.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject, ObjectRef } from '../object.ts';
import { createApiCaller, describeCall } from './api-call.ts';
import type { ApiCaller } from './api-call.ts';
import type { DeleteOptions, KubeClient, ListOptions, ObjectList, Patch, WriteOptions } from './kube-client.ts';
import { collectionPath, creationPath, objectPath, withQuery } from './resource-path.ts';
import type { QueryValue } from './resource-path.ts';
import { toKubeApiError } from './to-kube-api-error.ts';
import type { Transport } from './transport.ts';
import { createWatchStream } from './watch-stream.ts';
import { withRetries } from './with-retries.ts';
import { withWarnings } from './with-warnings.ts';

export type KubeClientOptions = {
  readonly transport: Transport;
  readonly userAgent?: string;
  /** How often a request that was refused with 429 is sent again by the client itself. */
  readonly retriesWhenRefused?: number;
  /** What the server warns of, for example a deprecated version. */
  readonly onWarning?: (text: string) => void;
};

const pageSize = 500;

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // The name says YAML, of which JSON is a part.
  apply: 'application/apply-patch+yaml',
};

export function createKubeClient(
  options: KubeClientOptions,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): KubeClient {
  const retrying = withRetries(options.transport, { retries: options.retriesWhenRefused ?? 0 }, clock);
  const transport = options.onWarning === undefined ? retrying : withWarnings(retrying, options.onWarning);
  const api = createApiCaller({ transport, userAgent: options.userAgent ?? 'tributary' }, clock);
  const list = lister(api);
  return {
    get: async (kind, ref, call) => api.call({ method: 'GET', path: objectPath(kind, ref) }, call),
    list,
    listPages: (kind, query) => pages(list, kind, query),
    watch: watcher(api, clock),
    ...writers(api),
    ...deleters(api),
    getScale: async (kind, ref, call) => api.call({ method: 'GET', path: objectPath(kind, ref, 'scale') }, call),
    patchScale: async (kind, ref, replicas, write) =>
      sendPatch(api, objectPath(kind, ref, 'scale'), 'merge', { spec: { replicas } }, write),
    patchSubresource: async (kind, ref, subresource, { type, body }, write) =>
      sendPatch(api, objectPath(kind, ref, subresource), type, body, write),
    createSubresource: async (kind, ref, subresource, body, write) =>
      api.call({ method: 'POST', path: withQuery(objectPath(kind, ref, subresource), writeQuery(write)), body }, write),
  };
}

function lister(api: ApiCaller): KubeClient['list'] {
  return async (kind, options = {}) => {
    const path = withQuery(collectionPath(kind, options.namespace), {
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
    });
    return api.call({ method: 'GET', path }, options);
  };
}

async function* pages<T extends KubeObject>(
  list: KubeClient['list'],
  kind: Kind<T>,
  options: ListOptions = {},
): AsyncGenerator<ObjectList<T>> {
  let page = await list(kind, { limit: pageSize, ...options });
  yield page;
  while (page.metadata.continue) {
    // The token already holds the version, and the server refuses to be told twice.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    page = await list(kind, { limit: pageSize, ...rest, continue: page.metadata.continue });
    yield page;
  }
}

function watcher(api: ApiCaller, clock: Clock): KubeClient['watch'] {
  return async (kind, options, onEvent) => {
    const path = withQuery(collectionPath(kind, options.namespace), {
      watch: true,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      sendInitialEvents: options.sendInitialEvents,
      allowWatchBookmarks: options.allowWatchBookmarks,
      timeoutSeconds: options.timeoutSeconds,
    });
    const what = describeCall({ method: 'WATCH', path });
    const stream = createWatchStream(what, onEvent);
    const idle = options.idleTimeoutMs === undefined ? {} : { bodyTimeoutMs: options.idleTimeoutMs };
    await api.stream({ method: 'GET', path, signal: options.signal, ...idle }, stream.handler);
    const refusal = stream.refusal();
    if (refusal !== undefined) throw toKubeApiError(refusal, what, clock.now());
    stream.end();
  };
}

type Writers = 'create' | 'update' | 'updateStatus' | 'patch' | 'patchStatus' | 'apply' | 'applyStatus';

function writers(api: ApiCaller): Pick<KubeClient, Writers> {
  const put =
    (subresource?: string): KubeClient['update'] =>
    async (kind, object, options) => {
      const path = withQuery(objectPath(kind, refOf(object), subresource), writeQuery(options));
      return api.call({ method: 'PUT', path, body: withType(kind, object) }, options);
    };
  const patch =
    (subresource?: string): KubeClient['patch'] =>
    async (kind, ref, { type, body }, options) =>
      sendPatch(api, objectPath(kind, ref, subresource), type, body, options);
  const apply =
    (subresource?: string): KubeClient['apply'] =>
    async (kind, object, options) => {
      const path = objectPath(kind, refOf(object), subresource);
      return sendPatch(api, path, 'apply', withType(kind, object), options, { force: options.force });
    };
  return {
    create: async (kind, object, options) => {
      const path = withQuery(creationPath(kind, object.metadata.namespace), writeQuery(options));
      return api.call({ method: 'POST', path, body: withType(kind, object) }, options);
    },
    update: put(),
    updateStatus: put('status'),
    patch: patch(),
    patchStatus: patch('status'),
    apply: apply(),
    applyStatus: apply('status'),
  };
}

async function sendPatch<R>(
  api: ApiCaller,
  path: string,
  type: Patch['type'] | 'apply',
  body: unknown,
  options?: WriteOptions,
  more: Readonly<Record<string, QueryValue>> = {},
): Promise<R> {
  const full = withQuery(path, { ...writeQuery(options), ...more });
  return api.call({ method: 'PATCH', path: full, body, contentType: patchTypes[type] }, options);
}

function deleters(api: ApiCaller): Pick<KubeClient, 'delete' | 'deleteCollection'> {
  return {
    delete: async (kind, ref, options) =>
      api.call({ method: 'DELETE', path: objectPath(kind, ref), body: deleteBody(options) }, options),
    deleteCollection: async (kind, { namespace, labelSelector, fieldSelector }, options) => {
      const path = withQuery(creationPath(kind, namespace), { labelSelector, fieldSelector });
      await api.call({ method: 'DELETE', path, body: deleteBody(options) }, options);
    },
  };
}

function deleteBody({ preconditions, propagationPolicy, gracePeriodSeconds, dryRun }: DeleteOptions = {}): unknown {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions,
    propagationPolicy,
    gracePeriodSeconds,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
}

function writeQuery(options: WriteOptions = {}): Readonly<Record<string, QueryValue>> {
  const { fieldManager, fieldValidation, dryRun } = options;
  return { fieldManager, fieldValidation, dryRun: dryRun === true ? 'All' : undefined };
}

function refOf({ metadata }: KubeObject): ObjectRef {
  return { namespace: metadata.namespace, name: metadata.name ?? '' };
}

/** Objects out of a typed list carry neither field, and the server wants both. */
function withType<T extends KubeObject>(kind: Kind<T>, object: T): T {
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
