/** A private copy of a JSON value: several times faster than structuredClone, which must think of cycles and classes. */
export function cloneJson<T>(value: T): Mutable<T> {
  return clone(value) as Mutable<T>;
}

/** The same value without `readonly`. */
export type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

/** An assignment to `__proto__` makes no field. */
const plain = { configurable: true, enumerable: true, writable: true } as const;

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone);
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const field = clone((value as Record<string, unknown>)[key]);
    if (key === '__proto__') Object.defineProperty(copy, key, { ...plain, value: field });
    else copy[key] = field;
  }
  return copy;
}
