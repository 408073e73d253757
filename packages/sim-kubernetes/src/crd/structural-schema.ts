// Which schemas are structural: every field is specified outside of allOf, anyOf, oneOf and not, and has a type.
import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../schema/field-errors.ts';
import { compareText } from '../schema/go-format.ts';
import { hasKey, mapValueSchema } from '../schema/schema-walk.ts';
import { junctorErrors } from './structural-junctors.ts';

type SchemaLevel = 'root' | 'item' | 'field';

export function structuralErrors(schema: SchemaNode, path: string): readonly FieldError[] {
  const errors = [...invariantErrors(schema, 'root', path), ...completenessErrors(schema, schema, path, path)];
  return errors.toSorted((a, b) => compareText(`${a.field}: ${a.message}`, `${b.field}: ${b.message}`));
}

function invariantErrors(node: SchemaNode, level: SchemaLevel, path: string): readonly FieldError[] {
  return [
    ...(node.type === 'array' && !node.items ? [requiredField(childPath(path, 'items'), 'must be specified')] : []),
    ...(node.items ? invariantErrors(node.items, 'item', childPath(path, 'items')) : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      invariantErrors(property, 'field', keyPath(childPath(path, 'properties'), name)),
    ),
    ...additionalErrors(node, level, path),
    ...extensionErrors(node, path),
    ...junctorErrors(node, path),
    ...typeErrors(node, level, path),
    ...metadataErrors(node, level, path),
  ];
}

function additionalErrors(node: SchemaNode, level: SchemaLevel, path: string): readonly FieldError[] {
  if (node.additionalProperties === undefined) return [];
  const at = childPath(path, 'additionalProperties');
  const values = mapValueSchema(node);
  return [
    ...(level === 'root' ? [forbiddenField(at, 'must not be used at the root')] : []),
    ...(values ? invariantErrors(values, 'field', at) : []),
  ];
}

function extensionErrors(node: SchemaNode, path: string): readonly FieldError[] {
  if (node['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => node[name] === true)
    .map((name) => invalidField(childPath(path, name), true, 'must be false if x-kubernetes-int-or-string is true'));
}

const emptyType: Readonly<Record<SchemaLevel, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(node: SchemaNode, level: SchemaLevel, path: string): readonly FieldError[] {
  const at = childPath(path, 'type');
  const type = node.type ?? '';
  const embedded = node['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? requiredField(at, detail) : invalidField(at, type, detail));
  } else if (type === '' && !isUntyped(node)) errors.push(requiredField(at, emptyType[level]));
  if (embedded && node.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenField(childPath(path, 'additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidField(at, type, 'must be object at the root'));
  }
  if (embedded && !isPreserving(node) && Object.keys(node.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredField(childPath(path, 'properties'), detail));
  }
  return errors;
}

function metadataErrors(node: SchemaNode, level: SchemaLevel, path: string): readonly FieldError[] {
  const isResource = level === 'root' || node['x-kubernetes-embedded-resource'] === true;
  const properties = node.properties ?? {};
  const at = (name: string): string => keyPath(childPath(path, 'properties'), name);
  const errors: FieldError[] = [];
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const type = hasKey(properties, name) ? (properties[name]?.type ?? '') : 'string';
    if (type !== 'string') errors.push(invalidField(childPath(at(name), 'type'), type, 'must be string'));
  }
  const { metadata } = properties;
  if (!metadata) return errors;
  if (isResource && metadata.type !== 'object') {
    errors.push(invalidField(childPath(at('metadata'), 'type'), metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && saysMoreThanName(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(at('metadata'), detail));
  }
  return errors;
}

function saysMoreThanName(metadata: SchemaNode): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const names = Object.keys(properties);
  return Object.keys(rest).length > 0 || names.some((name) => name !== 'name' && name !== 'generateName');
}

function isUntyped(node: SchemaNode): boolean {
  return node['x-kubernetes-int-or-string'] === true || isPreserving(node);
}

function isPreserving(node: SchemaNode): boolean {
  return node['x-kubernetes-preserve-unknown-fields'] === true;
}

/** What alternatives speak of must be specified outside of them. */
function completenessErrors(
  check: SchemaNode,
  node: SchemaNode | undefined,
  at: string,
  from: string,
): readonly FieldError[] {
  const below = (inner: SchemaNode, where: string): readonly FieldError[] => nestedErrors(inner, node, at, where);
  return [
    ...(check.not ? below(check.not, childPath(from, 'not')) : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
      (check[junctor] ?? []).flatMap((inner, index) => below(inner, keyPath(childPath(from, junctor), index))),
    ),
  ];
}

function nestedErrors(
  check: SchemaNode,
  node: SchemaNode | undefined,
  at: string,
  from: string,
): readonly FieldError[] {
  if (!node) return [requiredField(at, `because it is defined in ${from}`)];
  return [
    ...completenessErrors(check, node, at, from),
    ...(check.items ? nestedErrors(check.items, node.items, childPath(at, 'items'), childPath(from, 'items')) : []),
    ...Object.entries(check.properties ?? {}).flatMap(([name, property]) => {
      const known = node.properties && hasKey(node.properties, name) ? node.properties[name] : undefined;
      const where = keyPath(childPath(from, 'properties'), name);
      return nestedErrors(property, known, keyPath(childPath(at, 'properties'), name), where);
    }),
  ];
}
