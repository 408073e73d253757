import type { KubeObject, ObjectRef } from '../object.ts';
import { createChangeFeed } from './change-feed.ts';
import type { Change, ChangeListener } from './informer.ts';
import { createObjectIndexes } from './object-indexes.ts';
import { createPreparation } from './object-preparation.ts';
import type { PreparationOptions } from './object-preparation.ts';
import { createObjectTable } from './object-table.ts';
import { isEarlier } from './resource-version.ts';

/** One pass over everything the server has. Objects that were not put by the time of `finish` are gone. */
export type SyncPass<T extends KubeObject> = {
  readonly put: (object: T) => void;
  readonly remove: (object: T) => void;
  readonly finish: () => void;
};

export type ObjectStore<T extends KubeObject> = {
  readonly get: (ref: ObjectRef) => T | undefined;
  readonly list: (namespace?: string) => readonly T[];
  readonly size: () => number;
  readonly byIndex: (index: string, value: string) => readonly T[];
  readonly addIndex: (index: string, toValues: (object: T) => readonly string[]) => void;
  readonly onChange: (listener: ChangeListener<T>) => () => void;
  /** A live event. One that is older than what is stored is a repetition and changes nothing. */
  readonly put: (object: T) => void;
  readonly remove: (object: T) => void;
  readonly beginSync: () => SyncPass<T>;
};

/** All objects of a kind, with indexes. Each change is delivered once, with what was there before. */
export function createObjectStore<T extends KubeObject>(options: PreparationOptions<T>): ObjectStore<T> {
  const table = createObjectTable<T>();
  const indexes = createObjectIndexes<T>(options.kind.plural, options.onListenerError);
  const feed = createChangeFeed<T>(options.onListenerError);
  const prepare = createPreparation(options);

  const commit = (change: Change<T>): void => {
    if (change.type === 'deleted') table.delete(change.old);
    else table.set(change.object);
    indexes.replace(change.old, change.type === 'deleted' ? undefined : change.object);
    feed.deliver(change);
  };

  /** Returns what is stored afterwards. */
  const put = (raw: T, initial: boolean): T => {
    const old = table.stored(raw);
    if (old && old.metadata.resourceVersion === raw.metadata.resourceVersion) return old;
    if (old && !initial && isEarlier(raw.metadata.resourceVersion, old.metadata.resourceVersion)) return old;
    const object = prepare(raw);
    if (old && old.metadata.uid === object.metadata.uid) {
      commit({ type: 'updated', object, old, initial });
      return object;
    }
    // Another uid is another object, whose predecessor went away unseen.
    if (old) commit({ type: 'deleted', object: old, old, initial });
    commit({ type: 'added', object, initial });
    return object;
  };

  const remove = (raw: T, initial: boolean): void => {
    const old = table.stored(raw);
    if (!old || (!initial && isEarlier(raw.metadata.resourceVersion, old.metadata.resourceVersion))) return;
    commit({ type: 'deleted', object: raw === old ? old : prepare(raw), old, initial });
  };

  return {
    get: table.get,
    list: table.list,
    size: table.size,
    byIndex: indexes.find,
    addIndex: (name, toValues) => indexes.add(name, toValues, table.list()),
    onChange: (listener) => feed.subscribe(listener, table.list()),
    put: (object) => void put(object, false),
    remove: (object) => remove(object, false),
    beginSync: () => createSyncPass({ put, remove, list: table.list }),
  };
}

type SyncTarget<T> = {
  readonly put: (object: T, initial: boolean) => T;
  readonly remove: (object: T, initial: boolean) => void;
  readonly list: () => readonly T[];
};

/**
 * Objects go in as they come, page by page or event by event, so that neither memory nor the event loop has to take
 * the whole list at once; only what is gone has to wait for the end. A pass that is given up leaves every object
 * at its old or its new state, and the next pass puts the rest right.
 */
function createSyncPass<T extends KubeObject>(target: SyncTarget<T>): SyncPass<T> {
  const seen = new Set<T>();
  return {
    put: (object) => void seen.add(target.put(object, true)),
    remove: (object) => target.remove(object, true),
    finish: () => {
      for (const object of target.list()) if (!seen.has(object)) target.remove(object, true);
      seen.clear();
    },
  };
}
