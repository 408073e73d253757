import type { Clock } from '@tributary/runtime/clock';
import { internalError, isApiError, tooLargeResourceVersion, tooOldResourceVersion } from '../registry/api-error.ts';
import type { ApiError } from '../registry/api-error.ts';
import { loadServed, storageOf, toServed } from '../registry/convert.ts';
import type { StoredObject } from '../registry/json.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Store, StoreEvent } from '../storage/store.ts';

export type WatchQuery = {
  readonly namespace: string | undefined;
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowBookmarks: boolean;
  readonly timeoutMs: number;
};

/** What a watcher is told. An `event` is set when others may be told the very same, so that it is written out once. */
export type WatchMessage =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: StoredObject;
      readonly event: StoreEvent | undefined;
    }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly error: ApiError };

export type Watcher = {
  /** False: the reader is too slow, and the watch ends. */
  readonly tell: (message: WatchMessage) => boolean;
  readonly end: () => void;
};

const bookmarkMs = 60_000;

export type WatchDeps = { readonly store: Store; readonly clock: Clock; readonly registry?: Registry };

/** Starts telling at once; the returned function stops it. */
export function watchObjects(
  { store, clock, registry }: WatchDeps,
  type: ResourceType,
  query: WatchQuery,
  watcher: Watcher,
): () => void {
  const cleanups: (() => void)[] = [];
  let live = true;
  let told = 0;
  const stop = (): void => {
    live = false;
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  const end = (): void => {
    if (!live) return;
    stop();
    watcher.end();
  };
  const tell = (message: WatchMessage): void => {
    if (live && !watcher.tell(message)) end();
  };
  const whenLoaded = type.convertRemotely === undefined ? atOnce : inTurn(type, (error) => (tell(error), end()));
  const pass = (event: StoreEvent): void =>
    whenLoaded([event.object, ...(event.previous === undefined ? [] : [event.previous])], () => {
      told = event.revision;
      const message = toMessage(type, query, event);
      if (message !== undefined) tell(message);
    });
  const bookmark = (initialEventsEnd: boolean): void => {
    const revision = Math.max(store.revision(), told);
    if (query.allowBookmarks) tell({ type: 'BOOKMARK', resourceVersion: String(revision), initialEventsEnd });
  };
  const everyMinute = (): void => {
    bookmark(false);
    if (live) cleanups[0] = clock.after(bookmarkMs, everyMinute);
  };

  cleanups.push(query.allowBookmarks ? clock.after(bookmarkMs, everyMinute) : () => undefined);
  cleanups.push(
    clock.after(query.timeoutMs, () => {
      bookmark(false);
      end();
    }),
  );
  if (registry !== undefined && type.origin === 'custom') cleanups.push(whenReplaced(registry, type, end));
  const from = Number(query.resourceVersion);
  replay(store, type, query, { tell, pass, bookmark, end, whenLoaded });
  if (live) cleanups.push(store.subscribe(storageOf(type), (event) => event.revision > from && pass(event)));
  return stop;
}

/** A custom resource that is defined anew, or no more, takes the watches of its old definition with it. */
function whenReplaced(registry: Registry, type: ResourceType, end: () => void): () => void {
  return registry.onChange(() => {
    const now = registry.find(type.group, type.version, type.plural);
    if (now === undefined || now.epoch !== type.epoch) end();
  });
}

type Outlet = {
  readonly tell: (message: WatchMessage) => void;
  readonly pass: (event: StoreEvent) => void;
  readonly bookmark: (initialEventsEnd: boolean) => void;
  readonly end: () => void;
  readonly whenLoaded: WhenLoaded;
};

/** Does something when objects can be shown; one after the other in the order of the calls. */
type WhenLoaded = (objects: readonly StoredObject[], then: () => void) => void;

const atOnce: WhenLoaded = (_objects, then) => then();

function inTurn(type: ResourceType, fail: (message: WatchMessage) => void): WhenLoaded {
  let last: Promise<void> = Promise.resolve();
  const failed = (error: unknown): void =>
    fail({ type: 'ERROR', error: isApiError(error) ? error : internalError(String(error)) });
  return (objects, then) => {
    last = last.then(() => loadServed(type, objects)).then(then, failed);
  };
}

/** What happened before now, or what is there now, depending on what the caller knows already. */
function replay(store: Store, type: ResourceType, query: WatchQuery, outlet: Outlet): void {
  const from = Number(query.resourceVersion);
  const fromNow = from === 0;
  if (query.sendInitialEvents === true || (fromNow && query.sendInitialEvents === undefined)) {
    if (from > store.revision()) {
      outlet.tell({ type: 'ERROR', error: tooLargeResourceVersion(from, store.revision()) });
      outlet.end();
      return;
    }
    const present = store.list(storageOf(type), query.namespace);
    outlet.whenLoaded(present, () => {
      for (const stored of present) {
        const object = toServed(type, stored);
        if (query.matches?.(object) ?? true) outlet.tell({ type: 'ADDED', object, event: undefined });
      }
      if (query.sendInitialEvents === true) outlet.bookmark(true);
    });
    return;
  }
  if (fromNow) return;
  const missed = store.eventsAfter(storageOf(type), from);
  if (missed === undefined) {
    const error = tooOldResourceVersion(from, store.oldestRevision(storageOf(type)));
    outlet.tell({ type: 'ERROR', error });
    outlet.end();
    return;
  }
  missed.forEach(outlet.pass);
}

/** An object that comes to match is added, and one that ceases to match is deleted, whatever happened to it. */
function toMessage(type: ResourceType, query: WatchQuery, event: StoreEvent): WatchMessage | undefined {
  if (query.namespace !== undefined && event.object.metadata.namespace !== query.namespace) return undefined;
  const object = toServed(type, event.object);
  if (query.matches === undefined) return { type: event.type, object, event };
  const before = event.previous !== undefined && query.matches(toServed(type, event.previous));
  const after = event.type !== 'DELETED' && query.matches(object);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', object, event };
  if (!before) return undefined;
  return event.type === 'DELETED'
    ? { type: 'DELETED', object, event }
    : { type: 'DELETED', object: lastMatch(type, event), event: undefined };
}

/** The object as it last matched, under the revision at which it ceased to. */
function lastMatch(type: ResourceType, { previous, object }: StoreEvent): StoredObject {
  const old = toServed(type, previous ?? object);
  return { ...old, metadata: { ...old.metadata, resourceVersion: object.metadata.resourceVersion } };
}
