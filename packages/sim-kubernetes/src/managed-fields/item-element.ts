import type { ListForm } from './merge-type.ts';
import { asMap } from './merge-type.ts';
import type { KeyField } from './path-element.ts';
import { keyElement, valueElement } from './path-element.ts';

/** A value that does not fit its merge type. */
export class TypedValueError extends Error {}

/** What names an item of a list that is not atomic. Throws when the item cannot be named. */
export function itemElement(list: ListForm, item: unknown): string {
  if (list.keys !== undefined && list.keys.length > 0) return keyedElement(list, list.keys, item);
  if (item === null || item === undefined) {
    throw new TypedValueError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) throw new TypedValueError('not supported: associative list with lists as elements');
  if (typeof item === 'object') {
    throw new TypedValueError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

function keyedElement({ element }: ListForm, keys: readonly string[], item: unknown): string {
  if (item === null || item === undefined) {
    throw new TypedValueError('associative list with keys may not have a null element');
  }
  const map = asMap(item);
  if (map === undefined) throw new TypedValueError('associative list with keys may not have non-map elements');
  const fields: KeyField[] = [];
  for (const name of keys) {
    const value = map[name];
    // A key that is left out counts with its default; without one the item is another than that which has it.
    const given = value === undefined ? (element.map?.fields[name]?.default ?? undefined) : value;
    if (given !== undefined) fields.push([name, given]);
  }
  if (fields.length === 0) {
    const named = `[${keys.map((key) => JSON.stringify(key)).join(' ')}]`;
    throw new TypedValueError(
      `associative list with keys has an element that omits all key fields ${named} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields.length === 1 ? fields : fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The items of a list by what names them, in the order of their first occurrence. */
export function itemsByElement(list: ListForm, items: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const [index, item] of items.entries()) {
    const element = elementAt(list, item, index);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

/** The same as `itemElement`; an error says which item it was. */
export function elementAt(list: ListForm, item: unknown, index: number): string {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw new TypedValueError(`element ${index}: ${error.message}`);
  }
}
