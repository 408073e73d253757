import type { AnyCustomKind, KubeObject } from '@tributary/runtime';
import type { KindForms } from './manifest-tables.ts';

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
};

const ofTheServer = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * Looks for fields and values of enums that no form of the tables names: `DNSRecord v1alpha2 spec.type: PTR`. `known` is
 * how many there are in all.
 */
export function namedBy(
  tables: readonly KindForms[],
  kinds: readonly AnyCustomKind[],
): { readonly unnamed: readonly string[]; readonly known: number } {
  const named = new Set(tables.flatMap((table) => table.accepted.flatMap(({ manifest }) => namesOf(table, manifest))));
  const known = kinds.filter(({ kind }) => tables.some((table) => table.kind === kind)).flatMap(namesIn);
  return { unnamed: known.filter((name) => !named.has(name)), known: known.length };
}

function namesIn(kind: AnyCustomKind): readonly string[] {
  return kind.toCrd().spec.versions.flatMap(({ name, schema }) => {
    const { properties = {} } = schema.openAPIV3Schema as Schema;
    const own = Object.entries(properties).filter(([field]) => !ofTheServer.includes(field));
    return own.flatMap(([field, inner]) => fieldsOf(inner, `${kind.kind} ${name} ${field}`));
  });
}

function fieldsOf(schema: Schema, path: string): readonly string[] {
  const { properties = {}, items, additionalProperties: values, enum: words = [] } = schema;
  return [
    path,
    ...words.map((word) => `${path}: ${String(word)}`),
    ...Object.entries(properties).flatMap(([field, inner]) => fieldsOf(inner, `${path}.${field}`)),
    ...(items ? fieldsOf(items, `${path}[]`) : []),
    ...(typeof values === 'object' ? fieldsOf(values, `${path}{}`) : []),
  ];
}

function namesOf({ kind, apiVersion }: KindForms, manifest: KubeObject): readonly string[] {
  const version = apiVersion.split('/')[1] ?? '';
  return Object.entries(manifest).flatMap(([field, value]) => mentioned(value, `${kind} ${version} ${field}`));
}

/** What a value mentions, by every name that a schema may have for it: a key may be a field, or belong to a map. */
function mentioned(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => mentioned(item, `${path}[]`))];
  if (typeof value !== 'object' || value === null) return [path, `${path}: ${String(value)}`];
  const inner = Object.entries(value);
  return [
    path,
    ...inner.flatMap(([field, one]) => [...mentioned(one, `${path}.${field}`), ...mentioned(one, `${path}{}`)]),
  ];
}
