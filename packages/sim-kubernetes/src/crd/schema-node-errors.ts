import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  unsupportedField,
} from '../schema/field-errors.ts';
import { mapValueSchema } from '../schema/schema-walk.ts';
import { listTypeErrors } from './list-type-errors.ts';
import { ruleShapeErrors } from './rule-errors.ts';

/** Where a node is, as far as it decides what the node may say. */
export type NodeContext = {
  readonly isRoot: boolean;
  readonly insideMetadata: boolean;
  /** Why no defaults are allowed here, when they are not. */
  readonly noDefaults?: string;
};

/** What no node of a CRD's schema may say, whether or not the whole is structural. */
export function schemaNodeErrors(node: SchemaNode, path: string, context: NodeContext): readonly FieldError[] {
  const below: NodeContext = { ...context, isRoot: false };
  const inner = (schema: SchemaNode | undefined, at: string, where = below): readonly FieldError[] =>
    schema ? schemaNodeErrors(schema, at, where) : [];
  const values = mapValueSchema(node);
  const ofValues = context.insideMetadata
    ? { ...below, noDefaults: 'inside additionalProperties applying to object metadata' }
    : below;
  return [
    ...standardErrors(node, path, context),
    ...additionalErrors(node, path),
    ...inner(values, childPath(path, 'additionalProperties'), ofValues),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      inner(property, keyPath(childPath(path, 'properties'), name), propertyContext(node, name, context)),
    ),
    ...inner(node.not, childPath(path, 'not')),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((junctor) =>
      (node[junctor] ?? []).flatMap((one, index) => inner(one, keyPath(childPath(path, junctor), index))),
    ),
    ...inner(node.items, childPath(path, 'items')),
    ...mapTypeErrors(node, path),
    ...listTypeErrors(node, path),
    ...ruleShapeErrors(node, path),
  ];
}

const typeFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function propertyContext(node: SchemaNode, name: string, context: NodeContext): NodeContext {
  const isResource = context.isRoot || node['x-kubernetes-embedded-resource'] === true;
  const below: NodeContext = { ...context, isRoot: false };
  if (!isResource || !typeFields.has(name)) return below;
  const inMetadata: NodeContext = { ...below, insideMetadata: true };
  return context.isRoot ? { ...inMetadata, noDefaults: `in top-level ${name}` } : inMetadata;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const unsupported: readonly (readonly [name: string, detail: string])[] = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
];

function standardErrors(node: SchemaNode, path: string, context: NodeContext): readonly FieldError[] {
  const given = node as { readonly [name: string]: unknown };
  const errors: FieldError[] = [];
  const type: string = node.type ?? '';
  if (type !== '' && !types.includes(type)) errors.push(unsupportedField(childPath(path, 'type'), type, types));
  if (node.default !== undefined && context.noDefaults !== undefined) {
    errors.push(forbiddenField(childPath(path, 'default'), `must not be set ${context.noDefaults}`));
  }
  for (const [name, detail] of unsupported) {
    if (given[name] !== undefined) errors.push(forbiddenField(childPath(path, name), detail));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbiddenField(childPath(path, 'type'), detail));
  }
  if (context.insideMetadata && node['x-kubernetes-embedded-resource'] === true) {
    errors.push(
      forbiddenField(childPath(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'),
    );
  }
  if (node.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(childPath(path, 'uniqueItems'), detail));
  }
  return errors;
}

function additionalErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const { additionalProperties, properties = {} } = node;
  if (additionalProperties === undefined || additionalProperties === true || Object.keys(properties).length === 0)
    return [];
  const detail = 'additionalProperties and properties are mutual exclusive';
  return [forbiddenField(childPath(path, 'additionalProperties'), detail)];
}

function mapTypeErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const preserve = node['x-kubernetes-preserve-unknown-fields'];
  if (preserve === false) {
    errors.push(
      invalidField(childPath(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'),
    );
  }
  const mapType = node['x-kubernetes-map-type'];
  if (mapType === undefined) return errors;
  if (node.type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    const at = childPath(path, 'type');
    errors.push(node.type === undefined ? requiredField(at, detail) : invalidField(at, node.type, detail));
  }
  if (!['atomic', 'granular'].includes(mapType)) {
    errors.push(unsupportedField(childPath(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  }
  return errors;
}
