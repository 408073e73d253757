import type { Draft, StoredObject } from '../registry/json.ts';

/** Whose objects: every version of a kind shares one resource. `group` is empty for core. */
export type ResourceId = { readonly group: string; readonly plural: string };

/** Which object: no namespace for cluster-wide kinds. */
export type ObjectName = { readonly namespace?: string | undefined; readonly name: string };

export type StoreEvent = {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** A deleted object carries the revision of its deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
};

/** Called synchronously and in order of revision; must not write. */
export type StoreListener = (event: StoreEvent, resource: ResourceId) => void;

/** `too-large`: more bytes than the store takes for one object. */
export type StoreConflict =
  | { readonly conflict: 'exists' | 'missing' | 'modified' }
  | { readonly conflict: 'too-large'; readonly bytes: number };

/** All objects and events as plain JSON. */
export type StoreSnapshot = {
  readonly revision: number;
  readonly objects: readonly { readonly group: string; readonly plural: string; readonly object: StoredObject }[];
};

/**
 * Objects in memory under one revision counter, as etcd has it. It knows nothing of kinds: what it is given it
 * keeps, and stamps with the revision. Objects that come out are shared and must not be changed.
 */
export type Store = {
  readonly revision: () => number;
  readonly get: (resource: ResourceId, ref: ObjectName) => StoredObject | undefined;
  /** In order of `namespace/name`. With `revision`: as of then, `undefined` when that is compacted. */
  readonly list: (resource: ResourceId, namespace?: string) => readonly StoredObject[];
  readonly listAt: (resource: ResourceId, revision: number, namespace?: string) => readonly StoredObject[] | undefined;
  readonly count: (resource: ResourceId) => number;
  /** Metadata must be complete but for resourceVersion. The draft is taken over: do not touch it afterwards. */
  readonly create: (resource: ResourceId, draft: Draft) => StoredObject | StoreConflict;
  /** `expected` is the resourceVersion that the object must still have. */
  readonly update: (resource: ResourceId, draft: Draft, expected: string) => StoredObject | StoreConflict;
  readonly delete: (resource: ResourceId, ref: ObjectName, expected: string) => StoredObject | StoreConflict;
  /** Everything after that revision, oldest first; `undefined` when some of it is forgotten. */
  readonly eventsAfter: (resource: ResourceId, revision: number) => readonly StoreEvent[] | undefined;
  readonly subscribe: (resource: ResourceId, listener: StoreListener) => () => void;
  readonly subscribeAll: (listener: StoreListener) => () => void;
  /** The oldest revision that a watch may still start from. */
  readonly oldestRevision: (resource: ResourceId) => number;
  /** The history of a resource begins now: what happened to others of its name before is not its own. */
  readonly beginHistory: (resource: ResourceId) => void;
  /** Forgets all events up to the revision (default: now), as a compaction of etcd does. */
  readonly compact: (revision?: number) => void;
  readonly snapshot: () => StoreSnapshot;
};

export function isStoreConflict(result: StoredObject | StoreConflict): result is StoreConflict {
  return 'conflict' in result && !('metadata' in result);
}
