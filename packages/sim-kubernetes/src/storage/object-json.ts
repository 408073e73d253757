import type { StoredObject } from '../registry/json.ts';

// Stored objects never change, so each is written out once, whoever reads it and however often.
const written = new WeakMap<StoredObject, string>();

export function objectJson(object: StoredObject): string {
  let json = written.get(object);
  if (json === undefined) written.set(object, (json = JSON.stringify(object)));
  return json;
}

/** Size in bytes; only what may be large is really counted. */
export function objectBytes(object: StoredObject, from: number): number {
  const json = objectJson(object);
  return json.length * 3 < from ? json.length : Buffer.byteLength(json);
}
