import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { compileRules } from '../schema/cel/compile-rules.ts';
import { validateRules } from '../schema/cel/validate-rules.ts';
import { childPath, invalidField, keyPath } from '../schema/field-errors.ts';
import { prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';

/** Defaults that their own schema would not let through. */
export function defaultErrors(node: SchemaNode, path: string): readonly FieldError[] {
  return [
    ...ownErrors(node, path),
    ...(node.items ? defaultErrors(node.items, childPath(path, 'items')) : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      defaultErrors(property, keyPath(childPath(path, 'properties'), name)),
    ),
  ];
}

function ownErrors(node: SchemaNode, path: string): readonly FieldError[] {
  if (node.default === undefined || node.default === null) return [];
  const at = childPath(path, 'default');
  const copy = structuredClone(node.default);
  // The wrapper keeps the default itself from being taken for a resource, whose type fields nobody prunes.
  const unknown = prune({ value: copy }, { type: 'object', properties: { value: node } });
  const errors: FieldError[] =
    unknown.length > 0 ? [invalidField(at, node.default, 'must not have unknown fields')] : [];
  const invalid = validate(node.default, node, { path: at });
  if (invalid.length > 0) return [...errors, ...invalid];
  const holder: SchemaNode = { type: 'object', properties: { value: node } };
  const rules = compileRules(holder)?.properties.get('value');
  return rules ? [...errors, ...validateRules(node.default, undefined, rules, at)] : errors;
}
