import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listMap, listSet } from './collection-shapes.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { oneOfBy } from './one-of-by.ts';
import { immutable, rule, transitionRule } from './rule.ts';
import { toStructural } from './to-structural.ts';

const node = z.object({
  get children() {
    return z.array(node);
  },
});

type Refused = { readonly name: string; readonly zod: () => z.core.$ZodType; readonly says: string };
let calls = 0;

const refused: readonly Refused[] = [
  { name: 'a bare union', zod: () => z.union([z.int(), z.string()]), says: 'no unions' },
  { name: 'a union of literals of two types', zod: () => z.union([z.literal('a'), z.literal(1)]), says: 'mixes types' },
  {
    name: 'a bare discriminatedUnion',
    zod: () => z.discriminatedUnion('a', [z.object({ a: z.literal('x') }), z.object({ a: z.literal('y') })]),
    says: 'oneOfBy()',
  },
  { name: 'a regex with the flag i', zod: () => z.string().regex(/x/i), says: 'the flag i' },
  { name: 'a regex that looks ahead', zod: () => z.string().regex(/(?=a)/), says: 'looks ahead' },
  { name: 'a regex that refers back', zod: () => z.string().regex(/(a)\1/), says: 'refers back' },
  { name: 'an ISO duration', zod: () => z.iso.duration(), says: 'use duration()' },
  { name: 'a URL, which zod trims', zod: () => z.url(), says: 'the format url' },
  { name: 'a format checked by code', zod: () => z.stringFormat('odd', () => true), says: 'the format odd' },
  { name: 'two formats', zod: () => z.email().check(z.uuid()), says: 'two formats' },
  { name: 'includes() from a position', zod: () => z.string().includes('a', { position: 2 }), says: 'position' },
  { name: 'recursion', zod: () => node, says: 'is recursive' },
  { name: 'refine', zod: () => z.string().refine(() => true), says: 'CEL twin' },
  { name: 'refine on an object', zod: () => z.object({}).refine(() => true), says: 'CEL twin' },
  {
    name: 'refine on a wrapper',
    zod: () =>
      z
        .string()
        .optional()
        .refine(() => true),
    says: 'CEL twin',
  },
  { name: 'refine on a number', zod: () => z.number().refine(() => true), says: 'CEL twin' },
  { name: 'refine on a list', zod: () => z.array(z.int()).refine(() => true), says: 'CEL twin' },
  { name: 'refine on a boolean', zod: () => z.boolean().refine(() => true), says: 'CEL twin' },
  { name: 'refine on unknown', zod: () => z.unknown().refine(() => true), says: 'CEL twin' },
  { name: 'superRefine', zod: () => z.record(z.string(), z.int()).superRefine(() => {}), says: 'CEL twin' },
  { name: 'transform', zod: () => z.string().transform(Number), says: 'change values' },
  { name: 'trim', zod: () => z.string().trim(), says: 'change values' },
  { name: 'preprocess', zod: () => z.preprocess((value) => value, z.string()), says: 'change values' },
  { name: 'coerce to a string', zod: () => z.coerce.string(), says: 'coerce' },
  { name: 'coerce to a number', zod: () => z.coerce.number(), says: 'coerce' },
  { name: 'coerce to a boolean', zod: () => z.coerce.boolean(), says: 'coerce' },
  { name: 'catch', zod: () => z.string().catch('x'), says: 'catch()' },
  { name: 'custom', zod: () => z.custom(() => true), says: 'custom()' },
  {
    name: 'a default of an object that lacks defaults inside it',
    zod: () => z.object({ a: z.int().default(1) }).default({} as never),
    says: 'prefault({})',
  },
  { name: 'an invalid default', zod: () => z.string().max(1).default('long'), says: 'not valid' },
  { name: 'a default of null', zod: () => z.string().nullable().default(null), says: 'null' },
  { name: 'a default that changes', zod: () => z.number().default(() => (calls += 1)), says: 'call to call' },
  {
    name: 'x- keys in meta()',
    zod: () => z.string().meta({ 'x-kubernetes-list-type': 'set' }),
    says: 'use the helper',
  },
  { name: 'catchall', zod: () => z.object({}).catchall(z.int()), says: 'catchall()' },
  { name: 'a loose record', zod: () => z.looseRecord(z.string().max(1), z.int()), says: 'loose' },
  { name: 'a record by number', zod: () => z.record(z.number(), z.int()), says: 'strings' },
  { name: 'a record by format', zod: () => z.record(z.ipv6(), z.int()), says: 'format of the keys' },
  { name: 'a record of optional values', zod: () => z.record(z.string(), z.int().optional()), says: 'there or not' },
  { name: 'a list of optional items', zod: () => z.array(z.int().optional()), says: 'optional' },
  { name: 'a list of items with a default', zod: () => z.array(z.int().default(1)), says: 'default' },
  { name: 'a tuple', zod: () => z.tuple([z.int()]), says: 'tuple' },
  { name: 'a set', zod: () => z.set(z.int()), says: 'set' },
  { name: 'a bigint', zod: () => z.bigint(), says: 'bigint' },
  { name: 'a date', zod: () => z.date(), says: 'date' },
  { name: 'an enum that may be null', zod: () => z.enum(['a']).nullable(), says: 'null never passes' },
  { name: 'null alone', zod: () => z.literal(null), says: 'not null' },
  { name: 'an intersection', zod: () => z.intersection(z.object({}), z.object({})), says: 'intersection' },
  { name: 'float32', zod: () => z.float32(), says: 'float32' },
  { name: 'fractional steps', zod: () => z.number().multipleOf(0.1), says: 'rounded' },
  { name: 'two steps', zod: () => z.number().multipleOf(2).multipleOf(3), says: 'two steps' },
  { name: 'a listSet() of objects', zod: () => listSet(z.object({})), says: 'scalars' },
  { name: 'a listMap() of scalars', zod: () => listMap(z.string() as never, ['a' as never]), says: 'objects' },
  {
    name: 'an optional key of a listMap()',
    zod: () => listMap(z.object({ a: z.string().optional() }), ['a']),
    says: 'required or has a default',
  },
  {
    name: 'a nullable key of a listMap()',
    zod: () => listMap(z.object({ a: z.string().nullable() }), ['a']),
    says: 'not null',
  },
  {
    name: 'a field that differs between variants',
    zod: () => oneOfBy('t', { A: z.object({ a: z.int() }), B: z.object({ a: z.string() }) }),
    says: 'different schemas',
  },
  {
    name: 'a default in one variant only',
    zod: () => oneOfBy('t', { A: z.object({ a: z.int().default(1) }), B: z.object({}) }),
    says: 'in every variant',
  },
  {
    name: 'an immutable field that CEL cannot name',
    zod: () => z.object({ 'a b': immutable(z.int()).optional() }),
    says: 'cannot name',
  },
  {
    name: 'a field of a variant that CEL cannot name',
    zod: () => oneOfBy('t', { A: z.object({ 'a b': z.int() }), B: z.object({}) }),
    says: 'cannot name',
  },
  {
    name: 'rules inside a variant',
    zod: () => oneOfBy('t', { A: rule(z.object({}), 'true', '', () => true) }),
    says: 'variant',
  },
  {
    name: 'a variant that holds the discriminator',
    zod: () => oneOfBy('t', { A: z.object({ t: z.int() }) }),
    says: 'is added',
  },
  { name: 'rule() with oldSelf', zod: () => rule(z.int(), 'self > oldSelf', '', () => true), says: 'transitionRule()' },
  { name: 'transitionRule() without oldSelf', zod: () => transitionRule(z.int(), 'self > 1', ''), says: 'use rule()' },
];

describe('a construct that only our process would enforce fails the build', () => {
  for (const { name, zod, says } of refused) {
    test(name, () => {
      expect(() => toStructural(z.object({ deep: z.array(zod()) }), 'spec')).toThrow(LossySchemaError);
      expect(() => toStructural(z.object({ deep: z.array(zod()) }), 'spec')).toThrow(says);
    });
  }
  test('the error names the place', () => {
    const schema = z.object({ list: z.array(z.object({ map: z.record(z.string(), z.date()) })) });
    expect(() => toStructural(schema, 'spec')).toThrow('spec.list[].map.*: date has no structural schema');
  });
});
