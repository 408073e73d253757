import type { SchemaNode } from '../registry/schema-node.ts';
import { goJson } from './go-format.ts';
import { hasKey, isRecord } from './schema-walk.ts';

/** The value that stood in the same place before an update, or `nothing` where no place can be called the same. */
export type Correlated = { readonly value: unknown };

export const nothing: Correlated = Object.freeze({ value: undefined });

export function correlatedChild(key: string, old: Correlated): Correlated {
  if (old === nothing || !isRecord(old.value) || !hasKey(old.value, key)) return nothing;
  return { value: old.value[key] };
}

/** Items have an identity in a list of type map only: the values of its keys. */
export function correlatedItem(list: SchemaNode, item: unknown, old: Correlated): Correlated {
  if (old === nothing || list['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old.value)) return nothing;
  const wanted = itemKey(list, item);
  if (wanted === undefined) return nothing;
  const before = old.value.find((candidate: unknown) => itemKey(list, candidate) === wanted) as unknown;
  return before === undefined ? nothing : { value: before };
}

function itemKey(list: SchemaNode, item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  return goJson((list['x-kubernetes-list-map-keys'] ?? []).map((key) => item[key]));
}

export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalValues(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = definedKeys(a);
  return keys.length === definedKeys(b).length && keys.every((key) => hasKey(b, key) && equalValues(a[key], b[key]));
}

function definedKeys(value: { readonly [key: string]: unknown }): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
