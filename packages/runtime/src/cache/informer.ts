import type { SelectorOptions } from '../client/kube-client.ts';
import type { Kind } from '../kind.ts';
import type { AnyObject, KubeObject, ObjectKey, ObjectRef } from '../object.ts';

/** One step in the life of a cached object. `initial` marks what the first list (or a relist) delivered. */
export type Change<T extends KubeObject = AnyObject> =
  | { readonly type: 'added'; readonly object: T; readonly old?: undefined; readonly initial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly old: T; readonly initial: boolean }
  | { readonly type: 'deleted'; readonly object: T; readonly old: T; readonly initial: boolean };

export type ChangeListener<T extends KubeObject = AnyObject> = (change: Change<T>) => void;

/**
 * A local copy of all objects of one kind, kept in step by a watch. Reads are synchronous and free; what they
 * return is shared and must not be changed.
 */
export type Informer<T extends KubeObject = AnyObject> = {
  readonly kind: Kind<T>;
  readonly get: (ref: ObjectRef) => T | undefined;
  readonly list: (options?: { readonly namespace?: string }) => readonly T[];
  readonly size: () => number;
  /** The objects for which the index function named `index` returned `value`. */
  readonly byIndex: (index: string, value: string) => readonly T[];
  /** May be called at any time; objects already cached are indexed at once. Adding the same name twice is an error. */
  readonly addIndex: (index: string, toValues: (object: T) => readonly string[]) => void;
  /** A listener that joins late is first given all cached objects as `added`, `initial: true`. Returns unsubscribe. */
  readonly onChange: (listener: ChangeListener<T>) => () => void;
  /** The first list is complete and delivered to every listener. */
  readonly hasSynced: () => boolean;
  /** False while the watch is broken and not yet resumed: for readiness. */
  readonly watchAlive: () => boolean;
  /** Resolves when the cache shows what this process last wrote to that object, at once if it wrote nothing. */
  readonly caughtUp: (key: ObjectKey, signal?: AbortSignal) => Promise<void>;
};

/** Which part of a kind to hold. Informers of equal kind and scope are shared. */
export type InformerScope = SelectorOptions;

/** All informers of one process against one API server. */
export type ObjectCache = {
  /** Gets or makes the informer. After `start` a new one is started at once. */
  readonly informer: <T extends KubeObject>(kind: Kind<T>, scope?: InformerScope) => Informer<T>;
  /** Starts listing and watching; returns at once. Everything ends when the signal is aborted. */
  readonly start: (signal: AbortSignal) => void;
  /**
   * Resolves when every informer that was asked for has synced. Who says what it needs of its own waits for that and for
   * what stood at the start; an informer that others have asked for since, and that the server refuses, is their affair.
   */
  readonly waitForSync: (signal?: AbortSignal, own?: readonly Pick<Informer, 'hasSynced'>[]) => Promise<void>;
  readonly hasSynced: () => boolean;
  /** Names (kindId) of informers whose first list is not complete, or whose watch is broken: for readiness. */
  readonly unhealthy: () => readonly string[];
};
