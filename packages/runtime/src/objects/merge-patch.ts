import { isDeepStrictEqual } from 'node:util';

/**
 * The RFC 7386 merge patch that turns `before` into `after`, undefined when they are equal. Lists are replaced as
 * a whole. A null or undefined field of `after` is taken for an absent one: a merge patch cannot say null.
 */
export function mergePatchBetween(before: object, after: object): Readonly<Record<string, unknown>> | undefined {
  const patch: Record<string, unknown> = {};
  const [old, next] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const [from, to] = [old[key], next[key]];
    if (isAbsent(to)) {
      if (!isAbsent(from)) patch[key] = null;
    } else if (isPlainObject(to)) {
      // Where an object takes the place of something else, the patch itself is what becomes of it.
      const inner = mergePatchBetween(isPlainObject(from) ? from : {}, to) ?? {};
      if (!isPlainObject(from) || Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!isDeepStrictEqual(from, to)) {
      patch[key] = to;
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
