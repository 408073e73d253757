// The schemas of the built-in kinds. They are stored once per Go package and loaded when the first of them is asked for.
import { existsSync, readFileSync } from 'node:fs';
import type { SchemaNode } from '../registry/schema-node.ts';
import { wireFolder } from './wire-folder.ts';
import { wireGroup } from './wire-groups.ts';

/** How Go writes the fields of a struct where it differs from leaving empty ones out. */
export type FieldEncoding = {
  readonly kept?: readonly string[];
  readonly always?: readonly string[];
  readonly unlessZero?: readonly string[];
};

type Bundle = {
  readonly schemas: Readonly<Record<string, SchemaNode>>;
  readonly encoding: Readonly<Record<string, FieldEncoding>>;
};

const folder = new URL('schemas/', wireFolder);
const referencePrefix = '#/components/schemas/';
const bundles = new Map<string, Bundle>();

/** A schema by its OpenAPI name (`io.k8s.api.core.v1.Pod`), with `$ref`s as the server writes them. */
export function wireSchema(name: string): SchemaNode {
  const { bundle, type } = locate(name);
  const schema = bundle.schemas[type];
  if (schema === undefined) throw new Error(`There is no built-in schema ${name}`);
  return schema;
}

export function wireEncoding(name: string): FieldEncoding {
  const { bundle, type } = locate(name);
  return bundle.encoding[type] ?? {};
}

/** The name that a node refers to, directly or by `allOf: [{ $ref }]`. */
export function referenceOf(node: SchemaNode): string | undefined {
  const reference = node.$ref ?? node.allOf?.[0]?.$ref;
  return reference?.slice(referencePrefix.length);
}

/** All schemas of the OpenAPI document of a built-in group-version. */
export function wireDocumentSchemas(group: string, version: string): Readonly<Record<string, SchemaNode>> {
  const found = new Map<string, SchemaNode>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const schema = wireSchema(name);
    found.set(name, named(name, schema, group, version));
    for (const reference of referencesIn(schema)) visit(reference);
  };
  for (const root of wireGroup(group, version).roots) visit(root);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

// These two belong to every group that serves them, and say so.
const perGroup = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
]);

function named(name: string, schema: SchemaNode, group: string, version: string): SchemaNode {
  if (!perGroup.has(name) || group === '') return schema;
  const kind = name.slice(name.lastIndexOf('.') + 1);
  const kinds = [
    { group: '', kind, version: 'v1' },
    { group, kind, version },
  ];
  return { ...schema, 'x-kubernetes-group-version-kind': kinds } as SchemaNode;
}

function referencesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item) => referencesIn(item));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(referencePrefix.length)] : referencesIn(value),
  );
}

function locate(name: string): { readonly bundle: Bundle; readonly type: string } {
  const dot = name.lastIndexOf('.');
  const file = name.slice(0, dot);
  const bundle = bundles.get(file) ?? readBundle(file);
  bundles.set(file, bundle);
  return { bundle, type: name.slice(dot + 1) };
}

function readBundle(name: string): Bundle {
  const file = new URL(`${name}.json`, folder);
  if (!existsSync(file)) return { schemas: {}, encoding: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as Bundle;
}
