import type { FieldError } from '../registry/field-error.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import type { SchemaRules } from '../registry/object-rules.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { applyDefaults } from './apply-defaults.ts';
import { compileRules } from './cel/compile-rules.ts';
import { validateRules } from './cel/validate-rules.ts';
import { dropNulls } from './drop-nulls.ts';
import { coerceEmbedded, validateEmbedded } from './embedded-resource.ts';
import { invalidField } from './field-errors.ts';
import { objectMetadata } from './object-metadata.ts';
import { prune } from './prune.ts';
import { hasKey } from './schema-walk.ts';
import { validate } from './validate.ts';
import { validateListTypes } from './validate-list-types.ts';

/** What the verbs ask of the schema of a kind. */
export const schemaRules: SchemaRules = {
  prune: pruneObject,
  applyDefaults: (schema, draft) => applyDefaults(draft, schema),
  validate: validateObject,
};

function pruneObject(schema: SchemaNode, draft: Draft): readonly string[] {
  const metadata = draft['metadata'];
  const ofMetadata = prune(metadata, objectMetadata).map((path) => `metadata.${path}`);
  const unknown = prune(draft, schema);
  // Built-in kinds are read by their types, which say what a null stands for.
  if (!hasKey(schema, 'x-kubernetes-group-version-kind')) {
    dropNulls(metadata, objectMetadata);
    dropNulls(draft, schema);
  }
  return [...ofMetadata, ...unknown, ...coerceEmbedded(draft, schema)];
}

/** Without these a rule could meet a value of another type than its schema says. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

function validateObject(
  schema: SchemaNode,
  object: JsonObject,
  old: JsonObject | undefined,
  part?: 'status',
): readonly FieldError[] {
  const errors = [
    ...(part === 'status'
      ? validateStatus(schema, object, old)
      : validate(object, schema, old === undefined ? {} : { old })),
    ...validateEmbedded(object, schema),
    ...(old !== undefined && validateListTypes(old, schema).length > 0 ? [] : validateListTypes(object, schema)),
  ];
  const rules = compileRules(schema);
  if (!rules) return errors;
  if (errors.some(({ reason }) => blocking.has(reason))) return [...errors, unchecked];
  return [...errors, ...validateRules(object, old, rules)];
}

/** The server looks at the status alone then, and its messages name the fields from there. */
function validateStatus(schema: SchemaNode, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const ofStatus = schema.properties?.['status'];
  const { status } = object;
  if (!ofStatus || status === undefined) return [];
  const before = old?.['status'];
  return validate(status, ofStatus, { path: 'status', ...(before === undefined ? {} : { old: before }) });
}

const unchecked = invalidField(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
