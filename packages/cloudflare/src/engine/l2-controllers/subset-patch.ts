import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The merge patch that gives `current` the fields that are named in `wanted`, undefined when it has them. What the server
 * or others have added beside them stays, inside of lists too, as long as the list need not change. Null: not there.
 */
export function subsetPatch(current: object, wanted: object): Fields | undefined {
  const patch: Record<string, unknown> = {};
  const seen = current as Fields;
  for (const [name, value] of Object.entries(wanted)) {
    const there = seen[name];
    if (value === undefined || covers(there, value)) continue;
    patch[name] = isFields(value) && isFields(there) ? subsetPatch(there, value) : value;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function covers(current: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return current === undefined || current === null;
  if (Array.isArray(wanted)) {
    const list: readonly unknown[] = Array.isArray(current) ? current : [];
    return (
      Array.isArray(current) && list.length === wanted.length && wanted.every((item, at) => covers(list[at], item))
    );
  }
  if (!isFields(wanted)) return isDeepStrictEqual(current, wanted);
  const entries = Object.entries(wanted);
  // A map that is not there has none of what must not be in it.
  if (current === undefined || current === null) {
    return entries.length > 0 && entries.every(([, value]) => covers(undefined, value));
  }
  return isFields(current) && entries.every(([name, value]) => covers(current[name], value));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
