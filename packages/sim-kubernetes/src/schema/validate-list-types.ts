import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { childPath, duplicateField, invalidField, keyPath } from './field-errors.ts';
import { goJson } from './go-format.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from './schema-walk.ts';
import type { ResolveRef } from './schema-walk.ts';

/** Items that stand twice in a list of type set, or twice under the same keys in a list of type map. */
export function validateListTypes(
  value: unknown,
  schema: SchemaNode,
  path = '',
  resolveRef: ResolveRef = refusingRefs,
): readonly FieldError[] {
  if (value === null || typeof value !== 'object') return [];
  const node = resolveNode(schema, resolveRef);
  if (Array.isArray(value)) {
    const below = node.items
      ? value.flatMap((item, index) => validateListTypes(item, node.items ?? {}, keyPath(path, index), resolveRef))
      : [];
    return [...ownErrors(value, node, path), ...below];
  }
  const ofMap = mapValueSchema(node);
  return Object.entries(value).flatMap(([key, item]) => {
    if (node.properties && hasKey(node.properties, key)) {
      return validateListTypes(item, node.properties[key] ?? {}, childPath(path, key), resolveRef);
    }
    return ofMap ? validateListTypes(item, ofMap, keyPath(path, key), resolveRef) : [];
  });
}

function ownErrors(list: readonly unknown[], node: SchemaNode, path: string): readonly FieldError[] {
  if (node['x-kubernetes-list-type'] === 'set') {
    return secondOnes(list).map((index) => duplicateField(keyPath(path, index), list[index]));
  }
  if (node['x-kubernetes-list-type'] !== 'map') return [];
  const stray = list.findIndex((item) => item !== null && !isRecord(item));
  if (stray !== -1) {
    return [invalidField(keyPath(path, stray), list[stray], 'must be an object for an array of list-type map')];
  }
  const names = node['x-kubernetes-list-map-keys'] ?? [];
  const keys = list.map((item) => pick(item, names));
  return secondOnes(keys).map((index) => duplicateField(keyPath(path, index), keys[index]));
}

function pick(item: unknown, names: readonly string[]): { readonly [key: string]: unknown } {
  if (!isRecord(item)) return {};
  return Object.fromEntries(names.filter((name) => hasKey(item, name)).map((name) => [name, item[name]]));
}

/** Where a value occurs for the second time. The third and later ones are not named. */
function secondOnes(list: readonly unknown[]): readonly number[] {
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const key = goJson(item);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return before === 1 ? [index] : [];
  });
}
