import type { SchemaNode } from '../registry/schema-node.ts';
import { referenceOf, wireEncoding, wireSchema } from './wire-schemas.ts';

type Building = { -readonly [Key in keyof SchemaNode]: SchemaNode[Key] };

const resolved = new Map<string, SchemaNode>();

/**
 * A built-in schema as one graph without `$ref`s. It may lead back to itself, as JSONSchemaProps does. The defaults of
 * the document are left out: they are zero values of Go, and what is really filled in is the strategy's to say.
 */
export function resolvedSchema(name: string): SchemaNode {
  const found = resolved.get(name);
  if (found !== undefined) return found;
  const building: Building = {};
  resolved.set(name, building);
  Object.assign(building, resolveStruct(name));
  return building;
}

function resolveStruct(name: string): SchemaNode {
  if (name === 'io.k8s.apimachinery.pkg.util.intstr.IntOrString') return { 'x-kubernetes-int-or-string': true };
  const { properties, ...rest } = wireSchema(name);
  if (properties === undefined) return rest;
  const always = new Set(wireEncoding(name).always);
  const entries = Object.entries(properties).map(([key, node]) => {
    const property = resolveNode(node);
    // Go writes an absent list or time that it may not leave out as null.
    const nullable = always.has(key) && (property.type !== 'object' || property.additionalProperties !== undefined);
    return [key, nullable ? { ...property, nullable } : property];
  });
  return { ...rest, properties: Object.fromEntries(entries) as Record<string, SchemaNode> };
}

function resolveNode(node: SchemaNode): SchemaNode {
  const reference = referenceOf(node);
  if (reference !== undefined && node['x-kubernetes-list-type'] === undefined) {
    const { $ref: _ref, allOf: _all, default: _default, ...own } = node;
    const target = resolvedSchema(reference);
    return Object.keys(own).length === 0 ? target : { ...target, ...own };
  }
  const { default: _default, items, additionalProperties, ...rest } = node;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: resolveNode(items) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean' ? additionalProperties : resolveNode(additionalProperties),
        }),
  };
}
