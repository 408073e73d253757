import { apiVersionOf } from '../registry/convert.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { RestDeps } from '../rest/rest-deps.ts';
import { watchObjects } from '../rest/watch-objects.ts';
import type { WatchMessage } from '../rest/watch-objects.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { eventLine, toLine } from './encode-object.ts';
import type { Negotiated } from './negotiate.ts';
import type { ListOptions } from './query-options.ts';
import type { AnswerShaper } from './shape-answer.ts';

/** A watch without a limit of its own ends after 30 to 60 minutes, as with kube-apiserver's defaults. */
const shortestWatchMs = 1_800_000;

type WatchParts = {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly options: ListOptions;
  readonly negotiated: Negotiated;
  readonly request: ApiRequest;
};

/** The stream of a watch: one JSON line per event. */
export function respondWatch(deps: RestDeps, shape: AnswerShaper, parts: WatchParts): ApiResponse {
  const { type, namespace, options, negotiated, request } = parts;
  const { matches, resourceVersion, sendInitialEvents, timeoutSeconds = 0 } = options;
  const timeoutMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : shortestWatchMs * (1 + deps.random());
  const query = {
    namespace,
    matches,
    resourceVersion,
    sendInitialEvents,
    allowBookmarks: options.allowWatchBookmarks,
    timeoutMs,
  };
  let first = true;
  const encode = (message: WatchMessage): Uint8Array => {
    if (message.type === 'ERROR') return toLine('ERROR', JSON.stringify(message.error.toStatus()));
    if (message.type !== 'BOOKMARK' && negotiated.shape === 'object') return eventLine(type, message);
    const object = message.type === 'BOOKMARK' ? bookmarkOf(type, message) : message.object;
    const json = shape.watched(type, object, negotiated, request, first);
    first = false;
    return toLine(message.type, json);
  };
  return {
    kind: 'stream',
    status: 200,
    headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
    open: (sink) =>
      watchObjects(deps, type, query, { tell: (message) => sink.write(encode(message)), end: () => sink.end() }),
  };
}

function bookmarkOf(type: ResourceType, message: Extract<WatchMessage, { readonly type: 'BOOKMARK' }>): StoredObject {
  const { resourceVersion, initialEventsEnd } = message;
  const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion, ...annotations };
  return { kind: type.kind, apiVersion: apiVersionOf(type), metadata } as unknown as StoredObject;
}
