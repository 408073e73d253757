import type { z } from 'zod';
import { celField, celFieldPath } from './cel-text.ts';
import type { Convert, Converted } from './conversion.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { refuseBareChecks } from './peel.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';
import { defOf } from './zod-def.ts';

export function convertObject(schema: z.core.$ZodObject, path: string, convert: Convert): StructuralSchema {
  refuseBareChecks(schema, path);
  const { shape, catchall } = defOf(schema);
  const node = objectNode(convertShape(shape, path, convert), path);
  const rest = catchall && defOf(catchall).type;
  // Strict needs no word: pruning, or fieldValidation=Strict, is the server's way to say it.
  if (rest === undefined || rest === 'never') return node;
  if (rest === 'unknown' || rest === 'any') return { ...node, 'x-kubernetes-preserve-unknown-fields': true };
  throw new LossySchemaError(path, 'catchall() needs additionalProperties beside properties, which a CRD forbids');
}

export function convertShape(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  path: string,
  convert: Convert,
): Readonly<Record<string, Converted>> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, convert(field, `${path}.${name}`)] as const),
  );
}

export function objectNode(fields: Readonly<Record<string, Converted>>, path: string): StructuralSchema {
  const node: StructuralSchema = { type: 'object' };
  const entries = Object.entries(fields);
  if (entries.length > 0) node.properties = Object.fromEntries(entries.map(([name, { node: child }]) => [name, child]));
  const required = entries
    .filter(([, field]) => !field.optional && field.node.default === undefined)
    .map(([name]) => name);
  if (required.length > 0) node.required = required;
  const rules = entries
    .filter(([, field]) => field.immutable && field.optional)
    .map(([name]) => presenceRule(name, path));
  if (rules.length > 0) node['x-kubernetes-validations'] = rules;
  return node;
}

/** A rule on a field is skipped when the field comes or goes, so its parent has to see that. */
function presenceRule(name: string, path: string): CelRule {
  const field = celField(name);
  if (field === undefined) throw new LossySchemaError(`${path}.${name}`, 'CEL cannot name this field');
  return {
    rule: `has(self.${field}) == has(oldSelf.${field})`,
    message: 'is immutable: it cannot be added or removed',
    fieldPath: celFieldPath(name),
  };
}
