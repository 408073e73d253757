import type { WatchEvent } from '../client/kube-client.ts';
import type { KubeObject } from '../object.ts';
import type { CacheObserver } from './cache-observer.ts';
import { isReadable } from './is-readable.ts';
import type { AttemptOutcome } from './judge-end.ts';
import type { ObjectStore, SyncPass } from './object-store.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import { isEarlier } from './resource-version.ts';
import { fromErrorEvent } from './watch-failure.ts';

export type WatchReaderOptions<T extends KubeObject> = {
  /** For the observer. */
  readonly name: string;
  /** Set for a watch-list: where its initial events go. */
  readonly pass: SyncPass<T> | undefined;
};

export type WatchReaderDeps<T extends KubeObject> = {
  readonly store: Pick<ObjectStore<T>, 'put' | 'remove'>;
  readonly position: Pick<ReflectorPosition, 'advance' | 'current'>;
  readonly observer: CacheObserver;
  readonly onSynced: (objects: number, version: string) => void;
  readonly onProgress: (what: 'event' | 'bookmark') => void;
};

export type WatchReader<T extends KubeObject> = {
  /** Applies an event; says why the stream must end, nothing when it may go on. */
  readonly read: (event: WatchEvent<T>) => AttemptOutcome | undefined;
  /** To be asked now and then: initial events that neither come nor end are not going to. */
  readonly lookForSilence: () => AttemptOutcome | undefined;
  readonly phase: () => 'watch-list' | 'watch';
  readonly events: () => number;
};

const eventTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);
const initialEventsEnd = 'k8s.io/initial-events-end';

/** Turns the events of one stream into changes of the store and of the position, and stops at what it cannot read. */
export function createWatchReader<T extends KubeObject>(
  options: WatchReaderOptions<T>,
  deps: WatchReaderDeps<T>,
): WatchReader<T> {
  let { pass } = options;
  let events = 0;
  let eventsAtLastLook = 0;

  const readObject = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): AttemptOutcome | undefined => {
    if (!isReadable(object)) return garbage(`a ${type} event whose object has no name or version`);
    events += 1;
    if (pass) apply(pass, type, object);
    else applyLive(deps, type, object);
    deps.onProgress('event');
    return undefined;
  };

  const readBookmark = (object: T | undefined): AttemptOutcome | undefined => {
    const version = object?.metadata?.resourceVersion;
    if (!version) return garbage('a BOOKMARK event without a version');
    // A server that knows watch-list sends no other bookmark before the one that ends the initial events.
    if (pass && object.metadata.annotations?.[initialEventsEnd] !== 'true') return { how: 'ignored' };
    if (pass) deps.onSynced(finish(pass), version);
    else deps.position.advance(version);
    events += 1;
    deps.onProgress('bookmark');
    return undefined;
  };

  const finish = (complete: SyncPass<T>): number => {
    complete.finish();
    pass = undefined;
    return events;
  };

  return {
    read: (event) => {
      if (!eventTypes.has(event?.type)) return garbage('an event of an unknown type');
      deps.observer.event?.(options.name, event.type);
      if (event.type === 'ERROR') return { how: 'failed', failure: fromErrorEvent(event.object) };
      return event.type === 'BOOKMARK' ? readBookmark(event.object) : readObject(event.type, event.object);
    },
    lookForSilence: () => {
      const silent = events === eventsAtLastLook;
      eventsAtLastLook = events;
      return pass && silent ? { how: 'ignored' } : undefined;
    },
    phase: () => (pass ? 'watch-list' : 'watch'),
    events: () => events,
  };
}

type Target<T> = { readonly put: (object: T) => void; readonly remove: (object: T) => void };

function apply<T>(target: Target<T>, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
  if (type === 'DELETED') target.remove(object);
  else target.put(object);
}

function applyLive<T extends KubeObject>(
  { store, position }: Pick<WatchReaderDeps<T>, 'store' | 'position'>,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: T,
): void {
  const version = object.metadata.resourceVersion ?? '';
  // Behind the position is what was applied already: a server that repeats itself must not bring back the dead.
  if (isEarlier(version, position.current())) return;
  apply(store, type, object);
  position.advance(version);
}

function garbage(message: string): AttemptOutcome {
  return { how: 'failed', failure: { kind: 'garbage', message } };
}
