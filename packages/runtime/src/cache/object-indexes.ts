import type { KubeObject } from '../object.ts';

export type ObjectIndexes<T extends KubeObject> = {
  /** Adding the same name twice is an error. */
  readonly add: (name: string, toValues: (object: T) => readonly string[], present: readonly T[]) => void;
  readonly replace: (old: T | undefined, object: T | undefined) => void;
  readonly find: (name: string, value: string) => readonly T[];
};

/** The named indexes of one store. An index function that throws is reported, and its object left out. */
export function createObjectIndexes<T extends KubeObject>(
  plural: string,
  onError: (error: unknown) => void,
): ObjectIndexes<T> {
  const indexes = new Map<string, ObjectIndex<T>>();
  return {
    add: (name, toValues, present) => {
      if (indexes.has(name)) throw new Error(`there is already an index named ${name} on ${plural}`);
      const index = createObjectIndex(toValues, onError);
      for (const object of present) index.replace(undefined, object);
      indexes.set(name, index);
    },
    replace: (old, object) => {
      for (const index of indexes.values()) index.replace(old, object);
    },
    find: (name, value) => {
      const index = indexes.get(name);
      if (!index) throw new Error(`there is no index named ${name} on ${plural}`);
      return index.find(value);
    },
  };
}

type ObjectIndex<T extends KubeObject> = {
  readonly replace: (old: T | undefined, object: T | undefined) => void;
  readonly find: (value: string) => readonly T[];
};

/**
 * Objects by what a function says about them. The function must be pure: its values are not stored but asked for
 * again when the object goes, which keeps an index at one set entry per object.
 */
function createObjectIndex<T extends KubeObject>(
  toValues: (object: T) => readonly string[],
  onError: (error: unknown) => void,
): ObjectIndex<T> {
  const objects = new Map<string, Set<T>>();

  const valuesOf = (object: T): readonly string[] => {
    try {
      return toValues(object);
    } catch (error) {
      onError(error);
      return [];
    }
  };

  const add = (object: T): void => {
    for (const value of valuesOf(object)) {
      const found = objects.get(value);
      if (found) found.add(object);
      else objects.set(value, new Set([object]));
    }
  };

  const remove = (object: T): void => {
    for (const value of valuesOf(object)) {
      const found = objects.get(value);
      if (found?.delete(object) && found.size === 0) objects.delete(value);
    }
  };

  return {
    replace: (old, object) => {
      if (old) remove(old);
      if (object) add(object);
    },
    find: (value) => [...(objects.get(value) ?? [])],
  };
}
