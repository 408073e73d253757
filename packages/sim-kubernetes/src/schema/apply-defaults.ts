import type { SchemaNode } from '../registry/schema-node.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from './schema-walk.ts';
import type { ResolveRef } from './schema-walk.ts';

/**
 * Fills in place what is missing and has a default, level by level: a default that is an object is itself filled.
 * A null where the schema allows none counts as missing, but only where there is a default to put there.
 */
export function applyDefaults(value: unknown, schema: SchemaNode, resolveRef: ResolveRef = refusingRefs): void {
  if (value === null || typeof value !== 'object') return;
  const node = resolveNode(schema, resolveRef);
  if (Array.isArray(value)) fillList(value, node, resolveRef);
  else if (isRecord(value)) fillObject(value, node, resolveRef);
}

function fillObject(value: { [key: string]: unknown }, node: SchemaNode, resolveRef: ResolveRef): void {
  const properties = node.properties ?? {};
  for (const [key, property] of Object.entries(properties)) {
    const at = resolveNode(property, resolveRef);
    if (at.default === undefined || at.default === null) continue;
    if (!hasKey(value, key) || value[key] === undefined || isForbiddenNull(value[key], at)) {
      value[key] = structuredClone(at.default);
    }
  }
  const ofMap = mapValueSchema(node);
  for (const key of Object.keys(value)) {
    const property = hasKey(properties, key) ? properties[key] : undefined;
    if (property) applyDefaults(value[key], property, resolveRef);
    else if (ofMap) {
      value[key] = filledNull(value[key], resolveNode(ofMap, resolveRef));
      applyDefaults(value[key], ofMap, resolveRef);
    }
  }
}

function fillList(list: unknown[], node: SchemaNode, resolveRef: ResolveRef): void {
  if (!node.items) return;
  const items = resolveNode(node.items, resolveRef);
  for (const [index, item] of list.entries()) {
    list[index] = filledNull(item, items);
    applyDefaults(list[index], items, resolveRef);
  }
}

function filledNull(value: unknown, node: SchemaNode): unknown {
  return isForbiddenNull(value, node) ? structuredClone(node.default ?? null) : value;
}

function isForbiddenNull(value: unknown, node: SchemaNode): boolean {
  return value === null && node.nullable !== true;
}
