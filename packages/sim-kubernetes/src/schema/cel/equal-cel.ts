/** Equality of CEL values: by content, an integer equals the double of the same value. */
export function equalCel(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumeric(a) && isNumeric(b)) return Number(a) === Number(b);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalCel(item, b[index]));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || a.constructor !== b.constructor) {
    return false;
  }
  if ('valueOf' in a && typeof a.valueOf() !== 'object') return a.valueOf() === b.valueOf();
  const left = Object.entries(a);
  const right = b as { readonly [key: string]: unknown };
  return left.length === Object.keys(b).length && left.every(([key, item]) => equalCel(item, right[key]));
}

function isNumeric(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
