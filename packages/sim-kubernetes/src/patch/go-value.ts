import { goNumber } from '../schema/go-format.ts';
import { isRecord } from '../schema/schema-walk.ts';

/** A value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (isRecord(value)) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, item]) => `${key}:${goValue(item)}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goNumber(value) : `${value as string | boolean}`;
}
