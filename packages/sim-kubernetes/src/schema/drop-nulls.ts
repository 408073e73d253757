import type { SchemaNode } from '../registry/schema-node.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from './schema-walk.ts';
import type { ResolveRef } from './schema-walk.ts';

/**
 * Removes in place each null that the schema neither allows nor has a default for, as decoding into a Go struct
 * would. Nulls in lists stay, and nulls of fields without a schema too.
 */
export function dropNulls(value: unknown, schema: SchemaNode | undefined, resolveRef: ResolveRef = refusingRefs): void {
  if (value === null || typeof value !== 'object' || !schema) return;
  const node = resolveNode(schema, resolveRef);
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, node.items, resolveRef);
    return;
  }
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    const below = fieldSchema(node, key);
    if (value[key] === null && below && isForbidden(resolveNode(below, resolveRef))) delete value[key];
    else dropNulls(value[key], below, resolveRef);
  }
}

function fieldSchema(node: SchemaNode, key: string): SchemaNode | undefined {
  if (node.properties && hasKey(node.properties, key)) return node.properties[key];
  return mapValueSchema(node);
}

function isForbidden(node: SchemaNode): boolean {
  return node.nullable !== true && (node.default === undefined || node.default === null);
}
