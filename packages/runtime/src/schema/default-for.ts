import type { StructuralSchema } from './structural-schema.ts';

/**
 * The default to write into a CRD: as it was given, or with the defaults inside it filled in. Kubernetes fills
 * them in by itself, but it tries the rules on a default as written, and a rule may read a field that is not there.
 */
export function defaultFor(node: StructuralSchema, given: unknown, filled: unknown): unknown {
  return hasRules(node) ? filled : given;
}

function hasRules(node: StructuralSchema): boolean {
  if (node['x-kubernetes-validations']) return true;
  const children = [...Object.values(node.properties ?? {}), node.additionalProperties, node.items];
  return children.some((child) => child && hasRules(child));
}
