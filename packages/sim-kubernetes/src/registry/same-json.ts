/** Equal as JSON: order of keys does not matter, and a key that is undefined is a key that is absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameJson(item, b[index]));
  }
  return sameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let fields = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    // What an object inherits, such as `__proto__`, is not a field of it.
    if (!Object.hasOwn(b, key) || !sameJson(a[key], b[key])) return false;
    fields++;
  }
  for (const key in b) if (b[key] !== undefined) fields--;
  return fields === 0;
}
