import type { z } from 'zod';
import { celString } from './cel-text.ts';
import type { Convert } from './conversion.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { refuseBareChecks } from './peel.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';
import { defOf } from './zod-def.ts';

/** A map. What its keys must be cannot be said in the schema, so it becomes CEL. */
export function convertRecord(schema: z.core.$ZodRecord, path: string, convert: Convert): StructuralSchema {
  refuseBareChecks(schema, path);
  const def = defOf(schema) as z.core.$ZodRecordDef & { mode?: string; partial?: boolean };
  if (def.mode === 'loose')
    throw new LossySchemaError(path, 'a loose record leaves values unchecked in our process only');
  const values = convert(def.valueType, `${path}.*`);
  if (values.optional || values.node.default !== undefined) {
    throw new LossySchemaError(
      `${path}.*`,
      'a value of a map is there or not: it cannot be optional or have a default',
    );
  }
  const keys = convert(def.keyType, `${path} (keys)`).node;
  if (keys.type !== 'string' || keys.nullable) throw new LossySchemaError(path, 'the keys of a map are strings');
  const node: StructuralSchema = { type: 'object', additionalProperties: values.node };
  const names = keys.enum as readonly string[] | undefined;
  if (names) {
    node.maxProperties = names.length;
    // Without partialRecord zod asks for every key.
    if (!def.partial) node.required = names;
  }
  const rules = keyRules(keys, path);
  if (rules.length > 0) node['x-kubernetes-validations'] = rules;
  return node;
}

function keyRules(keys: StructuralSchema, path: string): readonly CelRule[] {
  if (keys.format !== undefined || keys.anyOf !== undefined) {
    throw new LossySchemaError(path, 'CEL has no word for the format of the keys: use regex()');
  }
  const patterns = [keys, ...(keys.allOf ?? [])].flatMap(({ pattern }) => pattern ?? []);
  const rules = patterns.map((pattern) => allKeys(`k.matches(${celString(pattern)})`, `keys must match ${pattern}`));
  if (keys.enum) {
    const names = keys.enum as readonly string[];
    rules.push(allKeys(`k in [${names.map(celString).join(', ')}]`, `keys must be one of ${names.join(', ')}`));
  }
  if (keys.minLength !== undefined) {
    rules.push(allKeys(`size(k) >= ${keys.minLength}`, `keys must have at least ${keys.minLength} characters`));
  }
  if (keys.maxLength !== undefined) {
    rules.push(allKeys(`size(k) <= ${keys.maxLength}`, `keys must have at most ${keys.maxLength} characters`));
  }
  return rules;
}

function allKeys(condition: string, message: string): CelRule {
  return { rule: `self.all(k, ${condition})`, message };
}
