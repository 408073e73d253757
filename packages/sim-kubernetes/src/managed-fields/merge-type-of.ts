// Merge types from OpenAPI schemas: those of the built-in kinds by name, those of custom kinds from their CRD.
import { schemaNameOf } from '../kinds/builtin-kind.ts';
import { referenceOf, wireSchema } from '../kinds/wire-schemas.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import type { ListForm, MapForm, MergeType, ScalarForm } from './merge-type.ts';
import { deduced, noNames, untypedAtomic } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const ofTypes = new WeakMap<ResourceType, MergeType>();
const ofNames = new Map<string, MergeType>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { scalar: 'untyped' }],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', untypedAtomic],
]);

export function mergeTypeOf(type: ResourceType): MergeType {
  let found = ofTypes.get(type);
  if (found === undefined) {
    const { group, version, kind } = type;
    found = type.origin === 'builtin' ? namedType(schemaNameOf(group, version, kind)) : customType(type.schema);
    ofTypes.set(type, found);
  }
  return found;
}

/** The merge type of a built-in schema by its OpenAPI name. */
export function namedType(name: string): MergeType {
  let found = ofNames.get(name);
  if (found === undefined) ofNames.set(name, (found = compile(wireSchema(name), false)));
  return found;
}

export function customType(schema: SchemaNode): MergeType {
  return compile({ type: 'object', ...withObjectFields(schema) }, false);
}

const metadataNode: SchemaNode = { $ref: `#/components/schemas/${objectMeta}` };

function withObjectFields(node: SchemaNode): SchemaNode {
  const text: SchemaNode = { type: 'string' };
  return { ...node, properties: { ...node.properties, apiVersion: text, kind: text, metadata: metadataNode } };
}

// `x-kubernetes-preserve-unknown-fields` holds for everything below it.
function compile(node: SchemaNode, inherited: boolean): MergeType {
  const reference = referenceOf(node);
  if (reference !== undefined) return referredType(node, reference);
  const preserves = inherited || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (node.type === undefined) {
    return { scalar: 'untyped', list: listForm(node, preserves), map: mapForm(node, preserves) };
  }
  if (node.type === 'object') return { map: mapForm(node, preserves) };
  return node.type === 'array' ? { list: listForm(node, preserves) } : { scalar: scalarForm(node) };
}

/** A field may say of the type that it refers to that it is owned as a whole, or not. */
function referredType(node: SchemaNode, name: string): MergeType {
  const type = namedType(name);
  const mapType = node['x-kubernetes-map-type'];
  if (mapType === undefined) return type;
  const atomic = mapType === 'atomic';
  const { map, list } = type;
  if (map !== undefined) return { ...type, map: { atomic, fields: map.fields, element: map.element } };
  return list === undefined ? type : { ...type, list: { ...list, atomic } };
}

function scalarForm({ type, format }: SchemaNode): ScalarForm {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  return type === 'string' && (format === undefined || format === '' || format === 'byte') ? 'string' : 'untyped';
}

function listForm(node: SchemaNode, preserves: boolean): ListForm {
  const { items } = node;
  let element: MergeType | undefined;
  return {
    ...listRelation(node),
    get element() {
      return (element ??= items === undefined ? untypedAtomic : compileNested(items, preserves));
    },
  };
}

function listRelation(node: SchemaNode): Pick<ListForm, 'atomic' | 'keys'> {
  const listType = node['x-kubernetes-list-type'];
  if (listType === 'map') return { atomic: false, keys: node['x-kubernetes-list-map-keys'] ?? [] };
  if (listType !== undefined) return { atomic: listType !== 'set' };
  const merges = node['x-kubernetes-patch-strategy']?.startsWith('merge') === true;
  const mergeKey = node['x-kubernetes-patch-merge-key'];
  return { atomic: !merges, ...(merges && mergeKey !== undefined ? { keys: [mergeKey] } : {}) };
}

// Schemas may lead back to themselves, so what is below is compiled when it is first asked for.
function mapForm(node: SchemaNode, preserves: boolean): MapForm {
  const { additionalProperties: values } = node;
  let fields: MapForm['fields'] | undefined;
  let element: { readonly type: MergeType | undefined } | undefined;
  const elementType = (): MergeType | undefined => {
    if (typeof values === 'object') return compileNested(values, preserves);
    if (values !== undefined) return values ? deduced : undefined;
    return preserves || Object.keys(node.properties ?? {}).length === 0 ? deduced : undefined;
  };
  return {
    atomic: node['x-kubernetes-map-type'] === 'atomic',
    get fields() {
      return (fields ??= compileFields(node.properties ?? {}, preserves));
    },
    get element() {
      return (element ??= { type: elementType() }).type;
    },
  };
}

function compileFields(properties: NonNullable<SchemaNode['properties']>, preserves: boolean): MapForm['fields'] {
  const fields = noNames();
  for (const [name, node] of Object.entries(properties)) {
    const own = { type: compileNested(node, preserves), element: fieldElement(name) };
    fields[name] = node.default === undefined ? own : { ...own, default: node.default };
  }
  return fields;
}

function compileNested(node: SchemaNode, preserves: boolean): MergeType {
  return compile(node['x-kubernetes-embedded-resource'] === true ? withObjectFields(node) : node, preserves);
}
