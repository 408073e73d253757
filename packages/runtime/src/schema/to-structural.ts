import type { z } from 'zod';
import type { Convert, Converted } from './conversion.ts';
import { convertNumber } from './convert-number.ts';
import { convertObject } from './convert-object.ts';
import { convertRecord } from './convert-record.ts';
import { convertString } from './convert-string.ts';
import { convertUnion } from './convert-union.ts';
import { defaultFor } from './default-for.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { peel, refuseBareChecks } from './peel.ts';
import type { Peeled } from './peel.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';
import { twinOf } from './twin.ts';
import type { Twin } from './twin.ts';
import { checkDefOf, defOf, enumValuesOf } from './zod-def.ts';

/**
 * Writes a zod schema as the structural schema of a CRD. What is not known to mean the same on the server is
 * refused, by default: a new construct of zod fails the build until it has its line here.
 */
export function toStructural(schema: z.core.$ZodType, path: string): StructuralSchema {
  return createConvert(new Set())(schema, path).node;
}

function createConvert(open: ReadonlySet<object>): Convert {
  return (schema, path): Converted => {
    const peeled = peel(schema, path);
    if (open.has(peeled.core)) {
      throw new LossySchemaError(path, 'is recursive, a CRD is not: cut the recursion with preserveUnknown()');
    }
    const inner = createConvert(new Set([...open, peeled.core]));
    const node = withTwins(convertCore(peeled, path, inner), peeled.twins, path);
    if (peeled.nullable) node.nullable = true;
    if (peeled.nullable && node.enum) {
      throw new LossySchemaError(path, 'null never passes an enum on the server, not even one that names null');
    }
    if (peeled.fallback) node.default = defaultFor(node, peeled.fallback.given, peeled.fallback.filled);
    return {
      node: peeled.description === undefined ? node : { description: peeled.description, ...node },
      optional: peeled.optional && !peeled.fallback,
      immutable: peeled.twins.some(({ kind }) => kind === 'immutable'),
    };
  };
}

type ConvertCore = (schema: never, path: string, convert: Convert, twins: readonly Twin[]) => StructuralSchema;

const converters: { readonly [T in z.core.$ZodTypeDef['type']]?: ConvertCore } = {
  string: (schema: z.core.$ZodString, path) => convertString(schema, path),
  number: (schema: z.core.$ZodNumber, path) => convertNumber(schema, path),
  boolean: (schema: z.core.$ZodBoolean, path) => convertBoolean(schema, path),
  literal: (schema: z.core.$ZodLiteral, path) => enumNode(defOf(schema).values, path),
  enum: (schema: z.core.$ZodEnum, path) => enumNode(enumValuesOf(schema), path),
  array: (schema: z.core.$ZodArray, path, convert) => convertArray(schema, path, convert),
  object: (schema: z.core.$ZodObject, path, convert) => convertObject(schema, path, convert),
  record: (schema: z.core.$ZodRecord, path, convert) => convertRecord(schema, path, convert),
  union: (schema: z.core.$ZodUnion, path, convert, twins) => convertUnion(schema, twins, path, convert),
  any: (schema: z.core.$ZodAny, path) => anything(schema, path),
  unknown: (schema: z.core.$ZodUnknown, path) => anything(schema, path),
};

const refusals: { readonly [T in z.core.$ZodTypeDef['type']]?: string } = {
  catch: 'the server does not replace invalid values: catch() is not possible',
  pipe: 'transform, preprocess, pipe and codecs change values in our process only',
  transform: 'transform, preprocess, pipe and codecs change values in our process only',
  custom: 'custom() and instanceof() exist in our process only',
};

function convertCore({ core, twins }: Peeled, path: string, convert: Convert): StructuralSchema {
  const { type } = defOf(core);
  const converter = converters[type];
  if (!converter) throw new LossySchemaError(path, refusals[type] ?? `${type} has no structural schema`);
  return converter(core as never, path, convert, twins);
}

function convertBoolean(schema: z.core.$ZodBoolean, path: string): StructuralSchema {
  refuseBareChecks(schema, path);
  if (defOf(schema).coerce) throw new LossySchemaError(path, 'coerce changes values in our process only');
  return { type: 'boolean' };
}

function anything(schema: z.core.$ZodType, path: string): StructuralSchema {
  refuseBareChecks(schema, path);
  return { 'x-kubernetes-preserve-unknown-fields': true };
}

function enumNode(values: readonly z.core.util.Literal[], path: string): StructuralSchema {
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  if (types.size === 1 && (type === 'string' || type === 'boolean')) return { type, enum: values };
  if (types.size !== 1 || type !== 'number')
    throw new LossySchemaError(path, 'literals must be of one type, and not null');
  return { type: values.every(Number.isInteger) ? 'integer' : 'number', enum: values };
}

function convertArray(schema: z.core.$ZodArray, path: string, convert: Convert): StructuralSchema {
  const items = convert(defOf(schema).element, `${path}[]`);
  if (items.optional || items.node.default !== undefined) {
    throw new LossySchemaError(`${path}[]`, 'an item of a list cannot be optional or have a default');
  }
  const node: StructuralSchema = { type: 'array', items: items.node };
  for (const check of defOf(schema).checks ?? []) {
    if (twinOf(check)) continue;
    const def = checkDefOf(check);
    if (def.check === 'max_length') node.maxItems = Math.min(node.maxItems ?? def.maximum, def.maximum);
    else if (def.check === 'min_length') node.minItems = Math.max(node.minItems ?? def.minimum, def.minimum);
    else if (def.check === 'length_equals') Object.assign(node, { minItems: def.length, maxItems: def.length });
    else
      throw new LossySchemaError(path, `the check ${def.check} exists in our process only: use rule() with a CEL twin`);
  }
  return node;
}

function withTwins(node: StructuralSchema, twins: readonly Twin[], path: string): StructuralSchema {
  const rules: CelRule[] = [...(node['x-kubernetes-validations'] ?? [])];
  const out = { ...node };
  for (const twin of twins) {
    if (twin.kind === 'rule') rules.push(twin.rule);
    if (twin.kind === 'immutable') rules.push({ rule: 'self == oldSelf', message: 'is immutable' });
    if (twin.kind === 'properties') {
      if (twin.min !== undefined) out.minProperties = twin.min;
      if (twin.max !== undefined) out.maxProperties = Math.min(out.maxProperties ?? twin.max, twin.max);
    }
    if (twin.kind === 'format') out.format = twin.format;
    if (twin.kind === 'list') addListType(out, twin, path);
  }
  if (rules.length > 0) out['x-kubernetes-validations'] = rules;
  return out;
}

function addListType(node: StructuralSchema, { type, keys }: Extract<Twin, { kind: 'list' }>, path: string): void {
  node['x-kubernetes-list-type'] = type;
  const { items = {} } = node;
  if (type === 'set' && !isScalar(items))
    throw new LossySchemaError(`${path}[]`, 'the items of a set are scalars, not null');
  if (type !== 'map') return;
  if (items.type !== 'object' || items.nullable)
    throw new LossySchemaError(`${path}[]`, 'the items of a list map are objects');
  node['x-kubernetes-list-map-keys'] = keys ?? [];
  for (const key of keys ?? []) {
    const field = items.properties?.[key];
    const at = `${path}[].${key}`;
    if (!field || !isScalar(field)) throw new LossySchemaError(at, 'a key of a list map is a scalar, not null');
    if (!items.required?.includes(key) && field.default === undefined) {
      throw new LossySchemaError(at, 'a key of a list map is required or has a default');
    }
  }
}

function isScalar({ type, nullable }: StructuralSchema): boolean {
  return type !== undefined && type !== 'object' && type !== 'array' && !nullable;
}
