import { hash } from 'node:crypto';

/**
 * JSON with one spelling for equal values (RFC 8785): keys in order of their UTF-16 units, no white space, numbers
 * and strings as JavaScript writes them. Undefined fields are absent, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no JSON`);
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('half of a surrogate pair has no JSON');
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON`);
    return text;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** Equal values have equal hashes, whatever the order of their keys: sha256 in hex. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
