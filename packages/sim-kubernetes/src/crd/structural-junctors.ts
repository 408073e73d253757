import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { childPath, forbiddenField, invalidField, keyPath } from '../schema/field-errors.ts';
import { compileRe2 } from '../schema/re2.ts';

/** What allOf, anyOf, oneOf and not may say: conditions on values, nothing that gives them a shape. */
export function junctorErrors(node: SchemaNode, path: string): readonly FieldError[] {
  return valueErrors(node, isIntOrString(node.anyOf), isIntOrString(node.allOf?.[0]?.anyOf), path);
}

/** `anyOf` of the two types is how x-kubernetes-int-or-string is written out for other readers. */
function isIntOrString(anyOf: readonly SchemaNode[] | undefined): boolean {
  return JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

function valueErrors(
  node: SchemaNode,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  path: string,
): readonly FieldError[] {
  const nested = (junctor: 'anyOf' | 'allOf' | 'oneOf', skip: (index: number) => boolean): readonly FieldError[] =>
    (node[junctor] ?? []).flatMap((inner, index) =>
      nestedErrors(inner, skip(index), keyPath(childPath(path, junctor), index)),
    );
  return [
    ...(skipAnyOf ? [] : nested('anyOf', () => false)),
    ...nested('allOf', (index) => skipFirstAllOf && index === 0),
    ...nested('oneOf', () => false),
    ...(node.not ? nestedErrors(node.not, false, childPath(path, 'not')) : []),
    ...patternErrors(node, path),
  ];
}

function patternErrors(node: SchemaNode, path: string): readonly FieldError[] {
  if (node.pattern === undefined || node.pattern === '') return [];
  const compiled = compileRe2(node.pattern);
  if (typeof compiled !== 'string') return [];
  const detail = `must be a valid regular expression, but isn't: ${compiled}`;
  return [invalidField(childPath(path, 'pattern'), node.pattern, detail)];
}

const forbiddenInside: readonly (readonly [name: keyof SchemaNode | 'title', detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(node: SchemaNode, skipAnyOf: boolean, path: string): readonly FieldError[] {
  const given = node as { readonly [name: string]: unknown };
  const properties = Object.entries(node.properties ?? {});
  return [
    ...valueErrors(node, skipAnyOf, false, path),
    ...(node.items ? nestedErrors(node.items, false, childPath(path, 'items')) : []),
    ...properties.flatMap(([name, property]) =>
      nestedErrors(property, false, keyPath(childPath(path, 'properties'), name)),
    ),
    ...forbiddenInside
      .filter(([name]) => given[name] !== undefined && given[name] !== '' && given[name] !== false)
      .map(([name, detail]) => forbiddenField(childPath(path, name), detail)),
    ...properties
      .filter(([name]) => name === 'metadata')
      .map(([name]) =>
        forbiddenField(keyPath(childPath(path, 'properties'), name), 'must not be specified in a nested context'),
      ),
  ];
}
