import { sameJson } from '../registry/same-json.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { insertAt, leaf, memberWith } from './field-set.ts';
import { itemsByElement } from './item-element.ts';
import type { Form, JsonMap, ListForm, MapForm, MergeType } from './merge-type.ts';
import { asList, asMap, formOf, untypedAtomic } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** In which fields two objects of one type differ. No field is in more than one of the sets. */
export type Comparison = {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
};

type Found = { readonly [part in keyof Comparison]: FieldSetDraft };

/** Throws a TypedValueError where an item of a list cannot be named. */
export function compareValues(before: unknown, after: unknown, type: MergeType): Comparison {
  const found: Found = { removed: {}, modified: {}, added: {} };
  compare(found, [], before, after, type);
  return found;
}

function compare(found: Found, path: string[], before: unknown, after: unknown, type: MergeType): void {
  // Nothing of what came through untouched needs a closer look.
  if (before === after) return;
  const form = formOf(type, before);
  compareAs(form, found, path, before, after, type);
  // A value of another form than before counts as both: changed, and with new fields of its own.
  const other = formOf(type, after);
  if (other !== form) compareAs(other, found, path, before, after, type);
}

function compareAs(
  form: Form,
  found: Found,
  path: string[],
  before: unknown,
  after: unknown,
  { map, list }: MergeType,
): void {
  if (form === 'map' && map !== undefined && !map.atomic) {
    const [left, right] = [asMap(before) ?? {}, asMap(after) ?? {}];
    if (!isEmptyMap(left) || !isEmptyMap(right)) return compareMaps(found, path, left, right, map);
  }
  if (form === 'list' && list !== undefined && !list.atomic) {
    const [left, right] = [asList(before) ?? [], asList(after) ?? []];
    if (left.length > 0 || right.length > 0) return compareLists(found, path, left, right, list);
  }
  // Scalars, what is owned as a whole, and the difference between empty and null.
  if (!sameJson(before, after)) insertAt(found.modified, path);
}

function isEmptyMap(map: JsonMap): boolean {
  for (const name in map) if (map[name] !== undefined) return false;
  return true;
}

function compareMaps(found: Found, path: string[], left: JsonMap, right: JsonMap, map: MapForm): void {
  for (const name in left) compareField(found, path, name, left[name], right[name], map);
  for (const name in right) {
    if (left[name] === undefined) compareField(found, path, name, undefined, right[name], map);
  }
}

function compareField(found: Found, path: string[], name: string, before: unknown, after: unknown, map: MapForm): void {
  if (before === after) return;
  const field = map.fields[name];
  path.push(field === undefined ? fieldElement(name) : field.element);
  comparePart(found, path, before, after, field?.type ?? map.element ?? untypedAtomic);
  path.pop();
}

function comparePart(found: Found, path: string[], before: unknown, after: unknown, type: MergeType): void {
  if (before === undefined) insertAt(found.added, path, wholeNode(after, type));
  else if (after === undefined) insertAt(found.removed, path, wholeNode(before, type));
  else compare(found, path, before, after, type);
}

function compareLists(
  found: Found,
  path: string[],
  left: readonly unknown[],
  right: readonly unknown[],
  list: ListForm,
): void {
  const before = itemsByElement(list, left);
  const after = itemsByElement(list, right);
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    path.push(element);
    compareItems(found, path, before.get(element) ?? [], after.get(element) ?? [], list.element);
    path.pop();
  }
}

/** Items of one name. Where there are several, nobody knows which is which, and they count as a whole. */
function compareItems(
  found: Found,
  path: string[],
  before: readonly unknown[],
  after: readonly unknown[],
  type: MergeType,
): void {
  if (before.length <= 1 && after.length <= 1) return comparePart(found, path, before[0], after[0], type);
  if (before.length > 1 && after.length > 1) {
    if (!sameJson(before, after)) insertAt(found.modified, path);
  } else if (before.length > 1) {
    if (after.length > 0) insertAt(found.added, path, wholeNode(after[0], type));
    insertAt(found.removed, path);
  } else {
    if (before.length > 0) insertAt(found.removed, path, wholeNode(before[0], type));
    insertAt(found.added, path);
  }
}

/** All fields of a value that is new, or gone. */
function wholeNode(value: unknown, type: MergeType): FieldSet {
  const form = formOf(type, value);
  if (form === 'map') return wholeMap(value, type.map);
  if (form === 'list') return wholeList(value, type.list);
  return leaf;
}

function wholeMap(value: unknown, map: MapForm | undefined): FieldSet {
  const fields = asMap(value);
  if (map === undefined || map.atomic || fields === undefined) return leaf;
  const names = Object.keys(fields);
  if (names.length === 0) return leaf;
  const node: FieldSetDraft = { '.': leaf };
  for (const name of names.length > 1 ? names.toSorted() : names) {
    const field = map.fields[name];
    if (fields[name] === undefined) continue;
    if (field === undefined) node[fieldElement(name)] = wholeNode(fields[name], map.element ?? untypedAtomic);
    else node[field.element] = wholeNode(fields[name], field.type);
  }
  return node;
}

function wholeList(value: unknown, list: ListForm | undefined): FieldSet {
  const items = asList(value);
  if (list === undefined || list.atomic || items === undefined) return leaf;
  const below: FieldSetDraft = {};
  for (const [element, same] of itemsByElement(list, items)) {
    below[element] = same.length > 1 ? leaf : wholeNode(same[0], list.element);
  }
  return memberWith(below);
}
