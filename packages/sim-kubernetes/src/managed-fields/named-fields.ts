import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { isEmptySet, isMember, memberWith, withPrefix } from './field-set.ts';
import type { MergeType } from './merge-type.ts';
import { fieldType, hasField } from './merge-type.ts';

const nothing: MergeType = {};

/** The set with the structs that lead to its fields as members; a set names only what is in them otherwise. */
export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  const result: FieldSetDraft = {};
  for (const element in set) {
    const children = withPrefix(set, element);
    if (element === '.') continue;
    if (isEmptySet(children)) {
      result[element] = children;
      continue;
    }
    const below = withNamedFields(children, typeBelow(type, element));
    const named = element.startsWith('f:') && type.map !== undefined && hasField(type.map, element.slice(2));
    result[element] = named || isMember(set[element] ?? {}) ? memberWith(below) : below;
  }
  return result;
}

function typeBelow({ map, list }: MergeType, element: string): MergeType {
  if (element.startsWith('f:')) return (map && fieldType(map, element.slice(2))) ?? nothing;
  return element.startsWith('k:') ? (list?.element ?? nothing) : nothing;
}
