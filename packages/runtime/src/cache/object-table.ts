import type { KubeObject, ObjectRef } from '../object.ts';

export type ObjectTable<T extends KubeObject> = {
  readonly get: (ref: ObjectRef) => T | undefined;
  /** What is held under the name of the given object. */
  readonly stored: (object: T) => T | undefined;
  readonly set: (object: T) => void;
  readonly delete: (object: T) => void;
  readonly list: (namespace?: string) => readonly T[];
  readonly size: () => number;
};

/**
 * Objects by namespace and name. Two levels of maps need no key strings (the names are in the objects already),
 * and the list of one namespace costs nothing extra.
 */
export function createObjectTable<T extends KubeObject>(): ObjectTable<T> {
  const namespaces = new Map<string, Map<string, T>>();
  let size = 0;

  const lookUp = (namespace: string | undefined, name: string | undefined): T | undefined =>
    namespaces.get(namespace ?? '')?.get(name ?? '');

  return {
    get: ({ namespace, name }) => lookUp(namespace, name),
    stored: ({ metadata }) => lookUp(metadata.namespace, metadata.name),
    set: (object) => {
      const { namespace = '', name = '' } = object.metadata;
      const objects = namespaces.get(namespace);
      if (!objects?.has(name)) size += 1;
      if (objects) objects.set(name, object);
      else namespaces.set(namespace, new Map([[name, object]]));
    },
    delete: ({ metadata: { namespace = '', name = '' } }) => {
      const objects = namespaces.get(namespace);
      if (!objects?.delete(name)) return;
      size -= 1;
      if (objects.size === 0) namespaces.delete(namespace);
    },
    list: (namespace) =>
      namespace === undefined
        ? [...namespaces.values()].flatMap((objects) => [...objects.values()])
        : [...(namespaces.get(namespace)?.values() ?? [])],
    size: () => size,
  };
}
