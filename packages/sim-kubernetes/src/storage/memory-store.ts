import { deepFreeze } from './deep-freeze.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import { objectBytes } from './object-json.ts';
import { createObjectTable, tableKey } from './object-table.ts';
import type { ObjectTable } from './object-table.ts';
import { isStoreConflict } from './store.ts';
import type { ResourceId, Store, StoreConflict, StoreEvent, StoreListener, StoreSnapshot } from './store.ts';
import type { Draft, StoredObject } from '../registry/json.ts';

export type StoreOptions = {
  /** How many events of each resource are kept for watches and older lists. */
  readonly historyLimit?: number;
  /** Freezes what is stored: slow, but finds whoever changes a shared object. */
  readonly freeze?: boolean;
  /** The largest object in bytes of JSON; etcd takes 1.5 MiB. */
  readonly maxObjectBytes?: number;
  readonly snapshot?: StoreSnapshot;
};

type Stamp = (draft: Draft, limitBytes?: number) => StoredObject | StoreConflict;

type Bucket = {
  readonly id: ResourceId;
  readonly table: ObjectTable;
  readonly log: EventLog;
  readonly listeners: Set<StoreListener>;
};

type Buckets = {
  readonly of: (resource: ResourceId) => Bucket;
  readonly all: () => Iterable<Bucket>;
};

const defaultHistoryLimit = 10_000;
const defaultMaxObjectBytes = 1.5 * 1024 * 1024;

export function createStore(options: StoreOptions = {}): Store {
  const { historyLimit = defaultHistoryLimit, freeze = false, snapshot } = options;
  const { maxObjectBytes = defaultMaxObjectBytes } = options;
  // etcd begins at 1, and so do we: 0 means "any" to clients.
  let revision = snapshot?.revision ?? 1;
  const everyone = new Set<StoreListener>();
  const buckets = createBuckets(historyLimit, snapshot?.revision ?? 0);

  const stamp: Stamp = (draft, limit = maxObjectBytes) => {
    (draft['metadata'] as Draft)['resourceVersion'] = String(revision + 1);
    const object = (freeze ? deepFreeze(draft) : draft) as StoredObject;
    // Whoever wrote it is about to be answered with this very text, so measuring costs nothing.
    const bytes = objectBytes(object, limit);
    if (bytes > limit) return { conflict: 'too-large', bytes };
    revision++;
    return object;
  };
  const record = (bucket: Bucket, type: StoreEvent['type'], object: StoredObject, previous?: StoredObject): void => {
    const event: StoreEvent = { revision, type, object, previous };
    bucket.log.append(event);
    for (const listener of bucket.listeners) listener(event, bucket.id);
    for (const listener of everyone) listener(event, bucket.id);
  };
  for (const { group, plural, object } of snapshot?.objects ?? []) {
    buckets.of({ group, plural }).table.put(keyOf(object), freeze ? deepFreeze(object) : object);
  }
  return {
    ...createReads(buckets, () => revision),
    revision: () => revision,
    ...createWrites(buckets, stamp, record),
    subscribe: (resource, listener) => subscribeTo(buckets.of(resource).listeners, listener),
    subscribeAll: (listener) => subscribeTo(everyone, listener),
    beginHistory: (resource) => buckets.of(resource).log.begin(revision),
    compact: (upTo = revision) => {
      for (const bucket of buckets.all()) bucket.log.compact(upTo);
    },
    snapshot: () => ({
      revision,
      objects: [...buckets.all()].flatMap(({ id, table }) =>
        table.list(undefined).map((object) => ({ ...id, object })),
      ),
    }),
  };
}

function createBuckets(historyLimit: number, startRevision: number): Buckets {
  const groups = new Map<string, Map<string, Bucket>>();
  return {
    of: ({ group, plural }) => {
      let plurals = groups.get(group);
      if (plurals === undefined) groups.set(group, (plurals = new Map<string, Bucket>()));
      let bucket = plurals.get(plural);
      if (bucket === undefined) {
        const log = createEventLog(historyLimit, startRevision);
        bucket = { id: { group, plural }, table: createObjectTable(), log, listeners: new Set() };
        plurals.set(plural, bucket);
      }
      return bucket;
    },
    all: () => [...groups.values()].flatMap((plurals) => [...plurals.values()]),
  };
}

type Reads = Pick<Store, 'get' | 'list' | 'listAt' | 'count' | 'eventsAfter' | 'oldestRevision'>;

function createReads(buckets: Buckets, revision: () => number): Reads {
  return {
    get: (resource, { namespace, name }) => buckets.of(resource).table.get(tableKey(namespace, name)),
    list: (resource, namespace) => buckets.of(resource).table.list(namespace),
    listAt: (resource, at, namespace) => {
      const { log, table } = buckets.of(resource);
      if (at >= revision()) return table.list(namespace);
      const later = log.after(at);
      if (later === undefined) return undefined;
      const before = new Map<string, StoredObject | undefined>();
      // Undoing from the newest to the oldest leaves each object as it was at that revision.
      for (const { object, previous } of later.toReversed()) before.set(keyOf(object), previous);
      return table.listWith(before, namespace);
    },
    count: (resource) => buckets.of(resource).table.size(),
    eventsAfter: (resource, after) => {
      const { log } = buckets.of(resource);
      return log.isWatchable(after) ? log.after(after) : undefined;
    },
    oldestRevision: (resource) => buckets.of(resource).log.oldest(),
  };
}

function createWrites(
  buckets: Buckets,
  stamp: Stamp,
  record: (bucket: Bucket, type: StoreEvent['type'], object: StoredObject, previous?: StoredObject) => void,
): Pick<Store, 'create' | 'update' | 'delete'> {
  return {
    create: (resource, draft) => {
      const bucket = buckets.of(resource);
      const key = keyOf(draft as StoredObject);
      if (bucket.table.get(key) !== undefined) return { conflict: 'exists' };
      const object = stamp(draft);
      if (isStoreConflict(object)) return object;
      bucket.table.put(key, object);
      record(bucket, 'ADDED', object);
      return object;
    },
    update: (resource, draft, expected) => {
      const bucket = buckets.of(resource);
      const key = keyOf(draft as StoredObject);
      const previous = bucket.table.get(key);
      const refused = check(previous, expected);
      if (refused !== undefined) return refused;
      const object = stamp(draft);
      if (isStoreConflict(object)) return object;
      bucket.table.put(key, object);
      record(bucket, 'MODIFIED', object, previous);
      return object;
    },
    delete: (resource, { namespace, name }, expected) => {
      const bucket = buckets.of(resource);
      const key = tableKey(namespace, name);
      const previous = bucket.table.get(key);
      const refused = check(previous, expected);
      if (refused !== undefined || previous === undefined) return refused ?? { conflict: 'missing' };
      // What was small enough to come in may always go.
      const object = stamp({ ...previous, metadata: { ...previous.metadata } }, Infinity);
      if (isStoreConflict(object)) return object;
      bucket.table.remove(key);
      record(bucket, 'DELETED', object, previous);
      return object;
    },
  };
}

function check(previous: StoredObject | undefined, expected: string): StoreConflict | undefined {
  if (previous === undefined) return { conflict: 'missing' };
  return previous.metadata.resourceVersion === expected ? undefined : { conflict: 'modified' };
}

const keyOf = ({ metadata }: StoredObject): string => tableKey(metadata.namespace, metadata.name);

function subscribeTo(listeners: Set<StoreListener>, listener: StoreListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
