import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { insertAt } from './field-set.ts';
import { itemsByElement } from './item-element.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { asList, asMap, fieldType, formOf, hasField, untypedAtomic } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** The fields that an applied configuration claims: its leaves, and the items of lists and maps that it names. */
export function toFieldSet(value: unknown, type: MergeType): FieldSet {
  const set: FieldSetDraft = {};
  collect(set, [], value, type);
  return set;
}

function collect(set: FieldSetDraft, path: string[], value: unknown, type: MergeType): void {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined && !type.map.atomic) collectMap(set, path, value, type.map);
  else if (form === 'list' && type.list !== undefined && !type.list.atomic) collectList(set, path, value, type.list);
  else insertAt(set, path);
}

function collectMap(set: FieldSetDraft, path: string[], value: unknown, map: MapForm): void {
  const fields = asMap(value);
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    path.push(fieldElement(name));
    collect(set, path, field, fieldType(map, name) ?? untypedAtomic);
    // A struct is owned by its fields; an entry of a map, an empty object and a null are owned themselves.
    if (field === null || isEmptyMap(field) || !hasField(map, name)) insertAt(set, path);
    path.pop();
  }
}

function isEmptyMap(value: unknown): boolean {
  const map = asMap(value);
  return map !== undefined && Object.keys(map).length === 0;
}

function collectList(set: FieldSetDraft, path: string[], value: unknown, list: ListForm): void {
  for (const [element, items] of itemsByElement(list, asList(value) ?? [])) {
    path.push(element);
    if (items.length === 1) collect(set, path, items[0], list.element);
    insertAt(set, path);
    path.pop();
  }
}
