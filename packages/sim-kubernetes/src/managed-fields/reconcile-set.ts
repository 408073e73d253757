import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { insertAt, isEmptySet, isMember, recursiveDifference, union, withPrefix } from './field-set.ts';
import type { MapForm, MergeType } from './merge-type.ts';
import { deduced, fieldType } from './merge-type.ts';

/**
 * A set as it stands after the schema changed: whoever owned fields of what is now owned as a whole owns the whole.
 * The other way round everything stays as it is.
 */
export function reconcileSet(set: FieldSet, type: MergeType): FieldSet {
  const wholes: FieldSetDraft = {};
  // The object itself is never owned.
  visit(wholes, [], set, false, type);
  return isEmptySet(wholes) ? set : union(recursiveDifference(set, wholes), wholes);
}

function visit(wholes: FieldSetDraft, path: string[], below: FieldSet, owned: boolean, { map, list }: MergeType): void {
  if (map !== undefined) {
    if (isUntyped(map)) return;
    if (map.atomic) {
      if (!owned && !isEmptySet(below)) insertAt(wholes, path);
      return;
    }
    for (const element in below) {
      const type = element.startsWith('f:') ? fieldType(map, element.slice(2)) : map.element;
      if (element !== '.' && type !== undefined) descend(wholes, path, below, element, type);
    }
  } else if (list !== undefined) {
    if (list.atomic) {
      if (!owned) insertAt(wholes, path);
      return;
    }
    for (const element in below) if (element !== '.') descend(wholes, path, below, element, list.element);
  }
}

function descend(wholes: FieldSetDraft, path: string[], set: FieldSet, element: string, type: MergeType): void {
  const node = set[element] ?? {};
  const children = withPrefix(set, element);
  path.push(element);
  visit(wholes, path, children, isMember(node) && isEmptySet(children), type);
  path.pop();
}

function isUntyped({ fields, element }: MapForm): boolean {
  if (Object.keys(fields).length > 0) return false;
  return element === deduced || element?.scalar === 'untyped';
}
