import type { StoredObject } from '../registry/json.ts';

/** The objects of one resource in the order that lists have: by `namespace/name`, as the keys of etcd sort. */
export type ObjectTable = {
  readonly get: (key: string) => StoredObject | undefined;
  readonly put: (key: string, object: StoredObject) => void;
  readonly remove: (key: string) => void;
  readonly list: (namespace: string | undefined) => readonly StoredObject[];
  /** The table with some keys replaced; `undefined` takes a key out. */
  readonly listWith: (
    changes: ReadonlyMap<string, StoredObject | undefined>,
    namespace: string | undefined,
  ) => readonly StoredObject[];
  readonly size: () => number;
};

export const tableKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

export function createObjectTable(): ObjectTable {
  const objects = new Map<string, StoredObject>();
  const keys: string[] = [];
  let whole: readonly StoredObject[] | undefined;

  const range = (namespace: string): readonly string[] =>
    keys.slice(firstAtLeast(keys, `${namespace}/`), firstAtLeast(keys, `${namespace}0`));
  const list = (namespace: string | undefined): readonly StoredObject[] => {
    if (namespace !== undefined) return range(namespace).flatMap((key) => objects.get(key) ?? []);
    whole ??= keys.flatMap((key) => objects.get(key) ?? []);
    return whole;
  };
  return {
    get: (key) => objects.get(key),
    put: (key, object) => {
      if (!objects.has(key)) insert(keys, key);
      objects.set(key, object);
      whole = undefined;
    },
    remove: (key) => {
      if (!objects.delete(key)) return;
      keys.splice(firstAtLeast(keys, key), 1);
      whole = undefined;
    },
    list,
    listWith: (changes, namespace) => {
      if (changes.size === 0) return list(namespace);
      const now = namespace === undefined ? keys : range(namespace);
      const wanted = new Set(now.filter((key) => !changes.has(key)));
      for (const [key, object] of changes) {
        if (object !== undefined && (namespace === undefined || key.startsWith(`${namespace}/`))) wanted.add(key);
      }
      return [...wanted].toSorted(byText).flatMap((key) => changes.get(key) ?? objects.get(key) ?? []);
    },
    size: () => objects.size,
  };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function firstAtLeast(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(keys: string[], key: string): void {
  const last = keys.at(-1);
  if (last === undefined || last < key) keys.push(key);
  else keys.splice(firstAtLeast(keys, key), 0, key);
}
