import type { Change, Informer, InformerScope, ObjectCache } from '../cache/informer.ts';
import { kindId } from '../kind.ts';
import type { Kind } from '../kind.ts';
import { keyOf } from '../object.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { Priority } from '../queue/work-queue.ts';
import { toPriority } from './change-priority.ts';
import type { Predicate } from './predicates.ts';

export type WatchOptions<T extends KubeObject> = {
  /** Which changes matter; all when absent. */
  readonly when?: Predicate<T>;
  /** Whose reconcile a change asks for; the object's own when absent. Of an update, both states are asked. */
  readonly toKeys?: (object: T) => readonly ObjectKey[];
  /** Which part of the kind to hold. */
  readonly scope?: InformerScope;
  readonly priority?: (change: Change<T>) => Priority;
  /** Where to look, if not in the cache of the controller: for a controller between two clusters. */
  readonly cache?: ObjectCache;
};

/** A watch of any kind, as a controller holds it. */
export type Watch = {
  readonly id: string;
  /** The keys are those of the watched objects themselves. */
  readonly primary: boolean;
  readonly cache: ObjectCache | undefined;
  readonly open: (cache: ObjectCache) => OpenWatch;
};

export type OpenWatch = Pick<Informer, 'caughtUp' | 'hasSynced'> & {
  /** Returns unsubscribe. `onBug` is told of a predicate or mapper that threw. */
  readonly onKey: (
    enqueue: (key: ObjectKey, priority: Priority) => void,
    onBug: (error: unknown, change: Change<KubeObject>) => void,
  ) => () => void;
};

export function watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions<T> = {}): Watch {
  const { when, toKeys, priority = toPriority } = options;
  return {
    id: kindId(kind),
    primary: toKeys === undefined,
    cache: options.cache,
    open: (cache) => {
      const informer = cache.informer(kind, options.scope);
      return {
        hasSynced: informer.hasSynced,
        caughtUp: informer.caughtUp,
        onKey: (enqueue, onBug) =>
          informer.onChange((change) => {
            try {
              if (when && !when(change)) return;
              for (const key of keysOf(change, toKeys)) enqueue(key, priority(change));
            } catch (error) {
              onBug(error, change);
              // A run too many does no harm, one too few may: level-triggered work does not ask why it was woken.
              if (!toKeys) enqueue(keyOf(change.object), 'normal');
            }
          }),
      };
    },
  };
}

/** An object that changes hands must wake both: the one it belongs to now and the one it left. */
function keysOf<T extends KubeObject>(
  change: Change<T>,
  toKeys: ((object: T) => readonly ObjectKey[]) | undefined,
): readonly ObjectKey[] {
  if (!toKeys) return [keyOf(change.object)];
  const keys = toKeys(change.object);
  return change.type === 'updated' ? [...keys, ...toKeys(change.old)] : keys;
}
