import type { StoredObject } from '../registry/json.ts';
import type { ObjectName } from '../storage/store.ts';

/** `namespace/name`, or the name alone where there is no namespace. */
export function keyOf({ metadata: { namespace, name } }: StoredObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function refOf(key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
