import type { z } from 'zod';
import { LossySchemaError } from './lossy-schema-error.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { twinOf } from './twin.ts';
import { checkDefOf, defOf } from './zod-def.ts';

export function convertNumber(schema: z.core.$ZodNumber, path: string): StructuralSchema {
  const def = defOf(schema);
  if (def.coerce) throw new LossySchemaError(path, 'coerce changes values in our process only');
  const node: StructuralSchema = { type: 'number' };
  // z.int() is a number schema and its own first check.
  if ('check' in def) addCheck(node, schema as unknown as z.core.$ZodCheck, path);
  for (const check of def.checks ?? []) {
    if (!twinOf(check)) addCheck(node, check, path);
  }
  return node;
}

function addCheck(node: StructuralSchema, check: z.core.$ZodCheck, path: string): void {
  const def = checkDefOf(check);
  if (def.check === 'number_format') addFormat(node, def.format, path);
  else if (def.check === 'greater_than') addMinimum(node, def.value as number, !def.inclusive);
  else if (def.check === 'less_than') addMaximum(node, def.value as number, !def.inclusive);
  else if (def.check === 'multiple_of') addStep(node, Number(def.value), path);
  else
    throw new LossySchemaError(path, `the check ${def.check} exists in our process only: use rule() with a CEL twin`);
}

function addStep(node: StructuralSchema, step: number, path: string): void {
  // The server divides in floating point without zod's correction.
  if (!Number.isInteger(step)) throw new LossySchemaError(path, 'steps that are no integers are rounded differently');
  if (node.multipleOf !== undefined) throw new LossySchemaError(path, 'has two steps');
  node.multipleOf = step;
}

function addFormat(node: StructuralSchema, format: string, path: string): void {
  switch (format) {
    case 'safeint':
      // The server holds int64. What lies beyond the safe integers cannot reach us unchanged anyway.
      Object.assign(node, { type: 'integer', format: 'int64' });
      return;
    case 'int32':
      Object.assign(node, { type: 'integer', format: 'int32' });
      return;
    case 'uint32':
      Object.assign(node, { type: 'integer', format: 'int64' });
      addMinimum(node, 0, false);
      addMaximum(node, 2 ** 32 - 1, false);
      return;
    case 'float64':
      node.format = 'double';
      return;
    default:
      throw new LossySchemaError(path, `the format ${format} exists in our process only`);
  }
}

function addMinimum(node: StructuralSchema, value: number, exclusive: boolean): void {
  if (node.minimum !== undefined && (node.minimum > value || (node.minimum === value && !exclusive))) return;
  node.minimum = value;
  if (exclusive) node.exclusiveMinimum = true;
  else delete node.exclusiveMinimum;
}

function addMaximum(node: StructuralSchema, value: number, exclusive: boolean): void {
  if (node.maximum !== undefined && (node.maximum < value || (node.maximum === value && !exclusive))) return;
  node.maximum = value;
  if (exclusive) node.exclusiveMaximum = true;
  else delete node.exclusiveMaximum;
}
