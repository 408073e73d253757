import { schemaNameOf } from '../kinds/builtin-kind.ts';
import { wireGroups } from '../kinds/wire-groups.ts';
import { wireDocumentSchemas, wireSchema } from '../kinds/wire-schemas.ts';
import type { JsonObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { resourcePaths } from './resource-paths.ts';

const referencePrefix = '#/components/schemas/';
const metaSchemas = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const info = { title: 'Kubernetes', version: 'v1.36.3' };

/** The OpenAPI v3 document of a group-version: the paths and schemas of all that it serves. */
export function openApiDocument(types: readonly ResourceType[]): JsonObject {
  const paths = types.flatMap((type) => Object.entries(resourcePaths(type, schemaName(type))));
  return {
    openapi: '3.0.0',
    info,
    paths: Object.fromEntries(paths.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: documentSchemas(types) as JsonObject },
  };
}

/** The document of a path that lists others. */
export function rootDocument(name: string): JsonObject {
  const responses = { '200': { description: 'OK' }, '401': { description: 'Unauthorized' } };
  const path = name === 'version' ? '/version/' : `/${name}/`;
  return { openapi: '3.0.0', info, paths: { [path]: { get: { tags: [name], responses } } } };
}

/** `Thing` in `example.com/v1` is `com.example.v1.Thing`. */
export function schemaName(type: Pick<ResourceType, 'group' | 'version' | 'kind' | 'origin'>): string {
  const { group, version, kind, origin } = type;
  if (origin === 'builtin') return schemaNameOf(group, version, kind);
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

type Schemas = { readonly [name: string]: SchemaNode };

function documentSchemas(types: readonly ResourceType[]): Schemas {
  const [first] = types;
  const custom = types.filter(({ origin }) => origin === 'custom');
  const builtin = first && types.some(({ origin }) => origin === 'builtin') ? builtinSchemas(first) : {};
  const own = Object.assign({}, ...custom.map(customSchemas)) as Schemas;
  return sorted({ ...(custom.length > 0 ? sharedSchemas(custom) : {}), ...builtin, ...own });
}

function builtinSchemas({ group, version }: ResourceType): Schemas {
  const isKnown = wireGroups().some((known) => known.group === group && known.version === version);
  return isKnown ? wireDocumentSchemas(group, version) : {};
}

export function customSchemas(type: ResourceType): Schemas {
  const name = schemaName(type);
  const text: SchemaNode = { type: 'string' };
  const metadata = { allOf: [{ $ref: `${referencePrefix}${metaSchemas}.ObjectMeta` }] };
  const listMetadata = { $ref: `${referencePrefix}${metaSchemas}.ListMeta` };
  const { group, version, kind, listKind } = type;
  const { properties, ...rest } = type.schema;
  const object = {
    ...rest,
    properties: { ...properties, apiVersion: text, kind: text, metadata },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  };
  const list = {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: text,
      kind: text,
      metadata: listMetadata,
      items: { type: 'array', items: { $ref: `${referencePrefix}${name}` } },
    },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  } as const;
  return { [name]: object, [`${name}List`]: list };
}

/** What the paths and schemas of custom resources refer to. */
export function sharedSchemas(custom: readonly ResourceType[]): Schemas {
  const roots = ['DeleteOptions', 'ListMeta', 'ObjectMeta', 'Patch', 'Status'].map((kind) => `${metaSchemas}.${kind}`);
  if (custom.some(({ scale }) => scale)) roots.push('io.k8s.api.autoscaling.v1.Scale');
  const found: { [name: string]: SchemaNode } = {};
  const visit = (name: string): void => {
    if (Object.hasOwn(found, name)) return;
    found[name] = wireSchema(name);
    referencesIn(found[name]).forEach(visit);
  };
  roots.forEach(visit);
  return found;
}

function referencesIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: readonly [string, unknown]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(referencePrefix.length)] : referencesIn(value),
  );
}

function sorted(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
