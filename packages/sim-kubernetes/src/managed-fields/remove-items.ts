import type { FieldSet } from './field-set.ts';
import { hasElement, isEmptySet, withPrefix } from './field-set.ts';
import { itemElement } from './item-element.ts';
import type { ListForm, MapForm, MergeType } from './merge-type.ts';
import { asList, asMap, fieldType, formOf, untypedAtomic } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** The value without the fields and items of a set. A container that loses everything is null. */
export function removeItems(value: unknown, fields: FieldSet, type: MergeType): unknown {
  const form = formOf(type, value);
  if (form === 'map') return withoutFields(value, fields, type.map);
  if (form === 'list') return withoutItems(value, fields, type.list);
  return value;
}

function withoutFields(value: unknown, fields: FieldSet, form: MapForm | undefined): unknown {
  const map = asMap(value);
  if (map === undefined || form === undefined || form.atomic) return null;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(map)) {
    const element = fieldElement(name);
    if (field === undefined || hasElement(fields, element)) continue;
    const below = withPrefix(fields, element);
    kept[name] = isEmptySet(below) ? field : removeItems(field, below, fieldType(form, name) ?? untypedAtomic);
  }
  return Object.keys(kept).length > 0 ? kept : null;
}

function withoutItems(value: unknown, fields: FieldSet, form: ListForm | undefined): unknown {
  const list = asList(value);
  if (list === undefined || form === undefined || form.atomic) return null;
  const kept: unknown[] = [];
  for (const item of list) {
    const element = itemElement(form, item);
    if (hasElement(fields, element)) continue;
    const below = withPrefix(fields, element);
    kept.push(isEmptySet(below) ? item : removeItems(item, below, form.element));
  }
  return kept.length > 0 ? kept : null;
}
