import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { celField, celFieldPath, celString } from './cel-text.ts';
import type { Convert, Converted } from './conversion.ts';
import { convertShape, objectNode } from './convert-object.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { refuseBareChecks } from './peel.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';
import type { Twin } from './twin.ts';
import { defOf } from './zod-def.ts';

/** Structural schemas know no unions. Those that our helpers make have a form of their own, the rest is refused. */
export function convertUnion(
  schema: z.core.$ZodUnion,
  twins: readonly Twin[],
  path: string,
  convert: Convert,
): StructuralSchema {
  refuseBareChecks(schema, path);
  for (const twin of twins) {
    if (twin.kind === 'int-or-string') return intOrStringNode(twin);
    if (twin.kind === 'scalars') return { 'x-kubernetes-preserve-unknown-fields': true };
    if (twin.kind === 'one-of') return flatten(schema, twin.by, path, convert);
  }
  const { options } = defOf(schema);
  const literals = options.every((option) => ['literal', 'enum'].includes(defOf(option).type));
  if (!literals) {
    throw new LossySchemaError(
      path,
      'a CRD knows no unions: use oneOfBy(), intOrString(), anyScalar() or preserveUnknown()',
    );
  }
  const nodes = options.map((option) => convert(option, path).node);
  const [first] = nodes;
  if (!first || nodes.some(({ type }) => type !== first.type))
    throw new LossySchemaError(path, 'mixes types of literals');
  return { ...first, enum: [...new Set(nodes.flatMap((node) => node.enum ?? []))] };
}

function intOrStringNode({ pattern, maxLength }: Extract<Twin, { kind: 'int-or-string' }>): StructuralSchema {
  return {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    ...(pattern !== undefined && { pattern }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

type Variant = { readonly name: string; readonly fields: Readonly<Record<string, Converted>> };

/** One object with the fields of all variants, and rules that say which of them belong to which. */
function flatten(schema: z.core.$ZodUnion, by: string, path: string, convert: Convert): StructuralSchema {
  const variants = defOf(schema).options.map((option): Variant => toVariant(option, by, path, convert));
  const names = variants.map(({ name }) => name);
  const fields: Record<string, Converted> = {
    [by]: { node: { type: 'string', enum: names }, optional: false, immutable: false },
  };
  const rules: CelRule[] = [];
  for (const name of new Set(variants.flatMap((variant) => Object.keys(variant.fields)))) {
    const holders = variants.filter((variant) => variant.fields[name] !== undefined);
    fields[name] = mergeField(name, holders, variants.length, path);
    rules.push(...fieldRules(name, by, holders, variants.length, path));
  }
  const node = objectNode(fields, path);
  return { ...node, 'x-kubernetes-validations': [...rules, ...(node['x-kubernetes-validations'] ?? [])] };
}

function toVariant(option: z.core.$ZodType, by: string, path: string, convert: Convert): Variant {
  const shape = { ...defOf(option as z.core.$ZodObject).shape };
  const [name] = defOf(shape[by] as z.core.$ZodLiteral).values;
  // What belongs to another variant stands here as a field that must be absent.
  const own = Object.entries(shape).filter(([field, child]) => field !== by && !isAbsence(child));
  return { name: String(name), fields: convertShape(Object.fromEntries(own), path, convert) };
}

function isAbsence(schema: z.core.$ZodType): boolean {
  const def = defOf(schema as z.core.$ZodTypes);
  return def.type === 'optional' && defOf(def.innerType).type === 'never';
}

function mergeField(name: string, holders: readonly Variant[], count: number, path: string): Converted {
  const converted = holders.flatMap(({ fields }) => fields[name] ?? []);
  const [first] = converted;
  if (!first || converted.some(({ node }) => !isDeepStrictEqual(node, first.node))) {
    throw new LossySchemaError(`${path}.${name}`, 'has different schemas in different variants');
  }
  const everywhere = converted.length === count;
  if (first.node.default !== undefined && !everywhere) {
    throw new LossySchemaError(`${path}.${name}`, 'the server would apply this default in every variant');
  }
  return {
    node: first.node,
    optional: !everywhere || converted.some(({ optional }) => optional),
    immutable: converted.some(({ immutable }) => immutable),
  };
}

function fieldRules(name: string, by: string, holders: readonly Variant[], count: number, path: string): CelRule[] {
  const [field, discriminator] = [celField(name), celField(by)];
  if (field === undefined || discriminator === undefined) {
    throw new LossySchemaError(`${path}.${name}`, 'CEL cannot name this field');
  }
  const rules: CelRule[] = [];
  const belongsTo = (variants: readonly Variant[]): string =>
    `self.${discriminator} in [${variants.map((variant) => celString(variant.name)).join(', ')}]`;
  const list = (variants: readonly Variant[]): string => variants.map((variant) => variant.name).join(' or ');
  if (holders.length < count) {
    rules.push({
      rule: `!has(self.${field}) || ${belongsTo(holders)}`,
      message: `is only allowed when ${by} is ${list(holders)}`,
      reason: 'FieldValueForbidden',
      fieldPath: celFieldPath(name),
    });
  }
  const demanding = holders.filter(({ fields }) => !fields[name]?.optional && fields[name]?.node.default === undefined);
  if (demanding.length > 0 && demanding.length < count) {
    rules.push({
      rule: `has(self.${field}) || !(${belongsTo(demanding)})`,
      message: `is required when ${by} is ${list(demanding)}`,
      reason: 'FieldValueRequired',
      fieldPath: celFieldPath(name),
    });
  }
  return rules;
}
