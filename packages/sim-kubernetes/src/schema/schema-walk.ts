import type { SchemaNode } from '../registry/schema-node.ts';

/** Finds what a `$ref` names. Built-in kinds have them, custom resources never do. */
export type ResolveRef = (ref: string) => SchemaNode;

export function refusingRefs(ref: string): SchemaNode {
  throw new Error(`schema reference ${ref} and no way to resolve it`);
}

/**
 * The node that a `$ref` stands for. Generated documents wrap a reference as `allOf: [{$ref}]` to say something
 * beside it (a default, a description); what stands beside wins.
 */
export function resolveNode(node: SchemaNode, resolveRef: ResolveRef): SchemaNode {
  if (node.$ref !== undefined) return resolveRef(node.$ref);
  const only = node.allOf?.length === 1 ? node.allOf[0] : undefined;
  if (only?.$ref === undefined) return node;
  const { allOf: _wrapped, ...beside } = node;
  return { ...resolveRef(only.$ref), ...beside };
}

/** The schema of the values of a map, when the node describes one. */
export function mapValueSchema(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function hasKey(value: object, key: string): boolean {
  return Object.hasOwn(value, key);
}
