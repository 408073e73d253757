import type { SchemaNode } from '../registry/schema-node.ts';
import { compareText } from './go-format.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from './schema-walk.ts';
import type { ResolveRef } from './schema-walk.ts';

/** Fields that every resource has, whatever its schema says. */
const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes in place what the schema does not know, and returns the paths of it (sorted, as in `spec.list[2].foo`), so
 * that strict decoding can name them. `metadata` of the object itself is left to `pruneMetadata`.
 */
export function prune(value: unknown, schema: SchemaNode, resolveRef: ResolveRef = refusingRefs): readonly string[] {
  const unknown: string[] = [];
  const root = { ...resolveNode(schema, resolveRef), 'x-kubernetes-embedded-resource': true };
  const keepsShapeless = hasKey(root, 'x-kubernetes-group-version-kind');
  pruneNode({ resolveRef, unknown, keepsShapeless }, value, root, '');
  return unknown.toSorted(compareText);
}

type Pruning = {
  readonly resolveRef: ResolveRef;
  readonly unknown: string[];
  /** In the schemas of built-in kinds an object without properties is raw JSON; in those of CRDs it is empty. */
  readonly keepsShapeless: boolean;
};

function pruneNode(pruning: Pruning, value: unknown, schema: SchemaNode | undefined, path: string): void {
  if (value === null || typeof value !== 'object') return;
  const node = schema && resolveNode(schema, pruning.resolveRef);
  if (pruning.keepsShapeless && node && isShapeless(node)) return;
  if (node?.['x-kubernetes-preserve-unknown-fields'] === true) keepNode(pruning, value, node, path);
  else if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => pruneNode(pruning, item, node?.items, `${path}[${index}]`));
  } else pruneObject(pruning, value as { [key: string]: unknown }, node, path);
}

function pruneObject(
  pruning: Pruning,
  value: { [key: string]: unknown },
  node: SchemaNode | undefined,
  path: string,
): void {
  for (const key of Object.keys(value)) {
    if (node?.['x-kubernetes-embedded-resource'] === true && typeFields.has(key)) continue;
    const known = node && childSchema(node, key);
    const at = path === '' ? key : `${path}.${key}`;
    if (known) pruneNode(pruning, value[key], known.schema, at);
    else {
      pruning.unknown.push(at);
      delete value[key];
    }
  }
}

/** Inside `x-kubernetes-preserve-unknown-fields` nothing is removed but below fields that are specified. */
function keepNode(pruning: Pruning, value: unknown, schema: SchemaNode | undefined, path: string): void {
  if (!schema) return;
  const node = resolveNode(schema, pruning.resolveRef);
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => keepNode(pruning, item, node.items, `${path}[${index}]`));
    return;
  }
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    if (node['x-kubernetes-embedded-resource'] === true && typeFields.has(key)) continue;
    const known = childSchema(node, key);
    if (known) pruneNode(pruning, value[key], known.schema, path === '' ? key : `${path}.${key}`);
  }
}

function isShapeless(node: SchemaNode): boolean {
  return node.properties === undefined && node.additionalProperties === undefined && node.items === undefined;
}

/** A known field may have no schema of its own: `additionalProperties: true` knows every name and nothing below. */
function childSchema(node: SchemaNode, key: string): { readonly schema: SchemaNode | undefined } | undefined {
  const { properties } = node;
  if (properties && hasKey(properties, key)) return { schema: properties[key] };
  if (node.additionalProperties === undefined || node.additionalProperties === false) return undefined;
  return { schema: mapValueSchema(node) };
}
