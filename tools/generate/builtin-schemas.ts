import type { SchemaNode } from '../../packages/sim-kubernetes/src/registry/schema-node.ts';

export type OpenApiDocument = {
  readonly components?: { readonly schemas?: Readonly<Record<string, SchemaNode>> };
};

const referencePrefix = '#/components/schemas/';

/** A schema as structure: without the prose, and with `allOf: [{ $ref }]` kept as the server writes it. */
export function withoutProse(node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutProse(value)]));
}

/** Names of the schemas that a node refers to, directly. */
export function referencesOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item) => referencesOf(item));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(referencePrefix.length)] : referencesOf(value),
  );
}

/** Those schemas of a document that no other schema leads to: all others follow from them. */
export function rootsOf(schemas: Readonly<Record<string, SchemaNode>>): readonly string[] {
  const led = new Set<string>();
  for (const [name, schema] of Object.entries(schemas)) {
    for (const reference of referencesOf(schema)) if (reference !== name) led.add(reference);
  }
  return Object.keys(schemas)
    .filter((name) => !led.has(name))
    .toSorted();
}

/** `io.k8s.api.core.v1.Pod` → `io.k8s.api.core.v1` and `Pod`. */
export function splitSchemaName(name: string): { readonly bundle: string; readonly type: string } {
  const dot = name.lastIndexOf('.');
  return { bundle: name.slice(0, dot), type: name.slice(dot + 1) };
}

/** The Go package of a bundle of schemas: `io.k8s.api.core.v1` → `k8s.io/api` and `core/v1`. */
export function goPackageOf(bundle: string): { readonly module: string; readonly folder: string } | undefined {
  const match = /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\.(.+)$/.exec(bundle);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { module: `k8s.io/${match[1]}`, folder: match[2].replaceAll('.', '/') };
}
