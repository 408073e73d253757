import type { AnyObject } from '../../object.ts';

export type HistoryEntry = {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: AnyObject;
};

/** What an API server knows about one kind: the objects now, and every change since the last compaction. */
export type ScriptedHistory = {
  readonly revision: () => number;
  readonly compactedTo: () => number;
  readonly get: (name: string) => AnyObject | undefined;
  readonly objects: () => readonly AnyObject[];
  readonly since: (revision: number) => readonly HistoryEntry[];
  /** All changes, also those that a compaction has taken from `since`. */
  readonly all: () => readonly HistoryEntry[];
  /** Creates or changes an object; what is given replaces labels, finalizers and spec. */
  readonly write: (name: string, more?: ObjectParts) => AnyObject;
  /** Marks the object for deletion when it has finalizers, else removes it. Returns how it is, or last was. */
  readonly remove: (name: string) => AnyObject | undefined;
  readonly compact: () => void;
  /** Skips revisions, as writes of other kinds do. */
  readonly skip: (count: number) => void;
};

export type ObjectParts = {
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
};

export function createScriptedHistory(
  options: { readonly toVersion?: (revision: number) => string } = {},
): ScriptedHistory {
  const toVersion = options.toVersion ?? String;
  const objects = new Map<string, AnyObject>();
  const log: HistoryEntry[] = [];
  let revision = 100;
  let compactedTo = 0;

  const record = (type: HistoryEntry['type'], object: AnyObject): AnyObject => {
    revision += 1;
    const versioned = { ...object, metadata: { ...object.metadata, resourceVersion: toVersion(revision) } };
    log.push({ revision, type, object: versioned });
    if (type === 'DELETED') objects.delete(object.metadata.name ?? '');
    else objects.set(object.metadata.name ?? '', versioned);
    return versioned;
  };

  const finish = (object: AnyObject): AnyObject => {
    const finished = object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).length === 0;
    return record(finished ? 'DELETED' : 'MODIFIED', object);
  };

  return {
    revision: () => revision,
    compactedTo: () => compactedTo,
    get: (name) => objects.get(name),
    objects: () => [...objects.values()],
    since: (from) => log.slice(firstAfter(log, from)),
    all: () => log,
    write: (name, { spec, ...metadata } = {}) => {
      const old = objects.get(name);
      if (old) return finish({ ...old, metadata: { ...old.metadata, ...metadata }, spec: spec ?? revision });
      const uid = `uid-${revision}`;
      return record('ADDED', { ...type, metadata: { name, namespace: 'default', uid, ...metadata }, spec });
    },
    remove: (name) => {
      const old = objects.get(name);
      if (!old) return undefined;
      if ((old.metadata.finalizers ?? []).length === 0) return record('DELETED', old);
      const deletionTimestamp = old.metadata.deletionTimestamp ?? '2026-01-05T12:00:00Z';
      return record('MODIFIED', { ...old, metadata: { ...old.metadata, deletionTimestamp } });
    },
    compact: () => void (compactedTo = revision),
    skip: (count) => void (revision += count),
  };
}

const type = { apiVersion: 'example.com/v1', kind: 'Widget' };

function firstAfter(log: readonly HistoryEntry[], revision: number): number {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((log[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
