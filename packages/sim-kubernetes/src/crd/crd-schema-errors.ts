import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { childPath, forbiddenField, invalidField, requiredField } from '../schema/field-errors.ts';
import { isRecord } from '../schema/schema-walk.ts';
import { defaultErrors } from './default-errors.ts';
import { ruleCompileErrors } from './rule-errors.ts';
import { schemaNodeErrors } from './schema-node-errors.ts';
import { structuralErrors } from './structural-schema.ts';

/** What is wrong with the schema of one version. Rules are compiled only when all else is well. */
export function crdSchemaErrors(schema: SchemaNode, path: string, hasStatus: boolean): readonly FieldError[] {
  const nodes = schemaNodeErrors(schema, path, { isRoot: true, insideMetadata: false });
  // A schema with parts that are not supported is not even asked whether it is structural.
  const unreadable = nodes.some(({ message }) => message.endsWith('is not supported'));
  const shape = [...rootErrors(schema, path, hasStatus), ...(unreadable ? [] : structuralErrors(schema, path))];
  if (shape.length > 0 || nodes.length > 0) return [...shape, ...nodes];
  const defaults = [...rootDefaultErrors(schema, path), ...defaultErrors(schema, path)];
  return defaults.length > 0 ? defaults : ruleCompileErrors(schema, path);
}

/** A default of the whole object would have to be a whole object. */
function rootDefaultErrors(schema: SchemaNode, path: string): readonly FieldError[] {
  if (!isRecord(schema.default)) return [];
  const given = schema.default;
  const missing = ['apiVersion', 'kind'].filter((name) => given[name] === undefined);
  return missing.map((name) => requiredField(`${path}.default.${name}`));
}

const rootFields: ReadonlySet<string> = new Set(
  `description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations`.split(
    ' ',
  ),
);

const rootFieldNames =
  '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]';

/** With a status of its own, the root may not hold conditions that spec and status would have to meet together. */
function rootErrors(schema: SchemaNode, path: string, hasStatus: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus) {
    const { type = '' } = schema;
    if (type !== '' && type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      errors.push(invalidField(childPath(path, 'type'), type, detail));
    } else if (Object.keys(schema).some((name) => !rootFields.has(name) && name !== 'nullable')) {
      const detail = `only ${rootFieldNames} fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalidField(path, schema, detail));
    }
  }
  if (schema.nullable === true) {
    errors.push(forbiddenField(childPath(path, 'nullable'), 'nullable cannot be true at the root'));
  }
  return errors;
}
