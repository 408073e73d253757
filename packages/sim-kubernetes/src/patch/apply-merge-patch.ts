import { badRequest } from '../registry/api-error.ts';
import { isRecord } from '../schema/schema-walk.ts';
import { jsonTypeName } from './json-type-name.ts';

/**
 * JSON merge patch (RFC 7386): objects are merged, null removes, everything else replaces. As on the server, nulls
 * are also removed from objects inside of lists, where the standard would keep them. The target is left as it was.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return withoutNulls(patch);
  const merged: { [key: string]: unknown } = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = applyMergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

/** A patch of an object must be an object itself. */
export function mergePatchObject(target: unknown, patch: unknown): unknown {
  if (isRecord(patch)) return applyMergePatch(target, patch);
  const type = 'map[string]interface {}';
  throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type ${type}`);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}
