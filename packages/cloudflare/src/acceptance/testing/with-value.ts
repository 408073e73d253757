import type { KubeObject } from '@tributary/runtime';

/** The object with another value at the path; a number in it is a place in a list. What lies between is made. */
export function withValue(object: KubeObject, path: string, value: unknown): KubeObject {
  return put(object, path.split('.'), value) as KubeObject;
}

export function without(object: KubeObject, path: string): KubeObject {
  return put(object, path.split('.'), undefined) as KubeObject;
}

function put(into: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  if (/^\d+$/.test(head)) {
    const list: readonly unknown[] = Array.isArray(into) ? into : [];
    const place = Number(head);
    if (place < list.length) return list.with(place, put(list[place], rest, value));
    return [...list, put(undefined, rest, value)];
  }
  const map = (into ?? {}) as Readonly<Record<string, unknown>>;
  const next = put(map[head], rest, value);
  if (next !== undefined) return { ...map, [head]: next };
  return Object.fromEntries(Object.entries(map).filter(([key]) => key !== head));
}
