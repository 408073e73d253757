import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rule } from './rule.ts';
import { anyScalar, duration, intOrString, preserveUnknown, quantity, timestamp } from './scalar-shapes.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { toStructural } from './to-structural.ts';

type Emitted = { readonly name: string; readonly zod: z.ZodType; readonly emits: StructuralSchema };

const int64 = { type: 'integer', format: 'int64' } as const;
const emitted: readonly Emitted[] = [
  { name: 'z.int() has no bounds of its own', zod: z.int(), emits: int64 },
  { name: 'z.number().int() is the same', zod: z.number().int(), emits: int64 },
  { name: 'z.int32() is the format int32', zod: z.int32(), emits: { type: 'integer', format: 'int32' } },
  { name: 'z.uint32() needs its bounds', zod: z.uint32(), emits: { ...int64, minimum: 0, maximum: 4_294_967_295 } },
  { name: 'z.float64() is a double', zod: z.float64(), emits: { type: 'number', format: 'double' } },
  {
    name: 'gt() and positive() are a minimum with the boolean exclusiveMinimum',
    zod: z.number().positive().lt(9),
    emits: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  },
  {
    name: 'of several bounds the tightest holds',
    zod: z.number().gt(1).min(2).min(1).lt(9).max(8).lt(8).max(8),
    emits: { type: 'number', minimum: 2, maximum: 8, exclusiveMaximum: true },
  },
  {
    name: 'of equal bounds the exclusive one holds, in whatever order',
    zod: z.number().gt(1).min(1).max(9).lt(9),
    emits: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  },
  { name: 'whole steps are multipleOf', zod: z.int().multipleOf(5), emits: { ...int64, multipleOf: 5 } },
  {
    name: 'strictObject is left to pruning and fieldValidation',
    zod: z.strictObject({ a: z.boolean() }),
    emits: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
  },
  {
    name: 'a field with a default is not required',
    zod: z.object({ a: z.string().default('x'), b: z.string().optional(), c: z.string().exactOptional() }),
    emits: {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' }, b: { type: 'string' }, c: { type: 'string' } },
    },
  },
  {
    name: 'looseObject keeps its unknown fields',
    zod: z.looseObject({ a: z.boolean().optional() }),
    emits: {
      type: 'object',
      properties: { a: { type: 'boolean' } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
  { name: 'any keeps everything', zod: z.any(), emits: { 'x-kubernetes-preserve-unknown-fields': true } },
  { name: 'unknown keeps everything', zod: z.unknown(), emits: { 'x-kubernetes-preserve-unknown-fields': true } },
  {
    name: 'preserveUnknown() is an object that keeps everything',
    zod: preserveUnknown(),
    emits: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'intOrString() is exactly the form that the server knows',
    zod: intOrString({ maxLength: 15, pattern: /^[a-z]+$/ }),
    emits: {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
      pattern: '^[a-z]+$',
      maxLength: 15,
    },
  },
  {
    name: 'a union of literals is an enum',
    zod: z.union([z.literal('a'), z.enum(['b', 'a'])]),
    emits: { type: 'string', enum: ['a', 'b'] },
  },
  {
    name: 'anyScalar() keeps what it is given',
    zod: anyScalar(),
    emits: { 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'two regexes are an allOf of patterns without types',
    zod: z.string().regex(/^a/).regex(/b$/),
    emits: { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
  },
  {
    name: 'duration() is of the Go kind',
    zod: duration(),
    emits: { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' },
  },
  {
    name: 'starts_with, ends_with and includes are patterns',
    zod: z.string().startsWith('a.').endsWith(')').includes('+'),
    emits: { type: 'string', allOf: [{ pattern: '^a\\.' }, { pattern: '\\)$' }, { pattern: '\\+' }] },
  },
  {
    name: 'lowercase and uppercase checks are patterns',
    zod: z.string().lowercase().uppercase(),
    emits: { type: 'string', allOf: [{ pattern: '^[^A-Z]*$' }, { pattern: '^[^a-z]*$' }] },
  },
  { name: 'ipv6 is the format of the server', zod: z.ipv6(), emits: { type: 'string', format: 'ipv6' } },
  { name: 'cidrv6 is cidr and a colon', zod: z.cidrv6(), emits: { type: 'string', format: 'cidr', pattern: ':' } },
  {
    name: 'base64 is byte where it is not empty',
    zod: z.base64().min(1),
    emits: { type: 'string', format: 'byte', minLength: 1, pattern: z.regexes.base64.source },
  },
  {
    name: 'base64 that may be empty is a pattern, for the byte of the server is never empty',
    zod: z.base64(),
    emits: { type: 'string', pattern: z.regexes.base64.source },
  },
  {
    name: 'hostname counts its length without looking ahead',
    zod: z.hostname(),
    emits: {
      type: 'string',
      maxLength: 254,
      anyOf: [{ maxLength: 253 }, { pattern: '\\.$' }],
      pattern:
        '^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$',
    },
  },
  {
    name: 'timestamp() is the format date-time alone',
    zod: timestamp(),
    emits: { type: 'string', format: 'date-time' },
  },
  {
    name: 'a hostname that must be shorter is',
    zod: z.string().max(9).check(z.hostname()),
    emits: { ...toStructural(z.hostname(), 'spec'), maxLength: 9 },
  },
  {
    name: 'a local date-time has no format, for the server asks for a zone',
    zod: z.iso.datetime({ local: true }),
    emits: { type: 'string', pattern: z.regexes.datetime({ local: true }).source },
  },
  {
    name: 'min, max and length of strings count code points on both sides',
    zod: z.string().min(1).min(2).max(9).max(8),
    emits: { type: 'string', minLength: 2, maxLength: 8 },
  },
  { name: 'length() is both bounds', zod: z.string().length(3), emits: { type: 'string', minLength: 3, maxLength: 3 } },
  { name: 'meta({ id }) is written out in place', zod: z.string().meta({ id: 'text' }), emits: { type: 'string' } },
  { name: 'lazy without recursion is what it yields', zod: z.lazy(() => z.boolean()), emits: { type: 'boolean' } },
  {
    name: 'describe() is the description',
    zod: z.boolean().describe('On.').optional(),
    emits: { description: 'On.', type: 'boolean' },
  },
  {
    name: 'prefault({}) is the default {}',
    zod: z.object({ a: z.int().default(1) }).prefault({}),
    emits: { type: 'object', properties: { a: { ...int64, default: 1 } }, default: {} },
  },
  {
    name: 'prefault({}) under a rule is written out, for the server tries the rule on it as it stands',
    zod: rule(z.object({ a: z.int().default(1) }), 'self.a > 0', 'no', ({ a }) => a > 0).prefault({}),
    emits: {
      type: 'object',
      properties: { a: { ...int64, default: 1 } },
      default: { a: 1 },
      'x-kubernetes-validations': [{ rule: 'self.a > 0', message: 'no' }],
    },
  },
  { name: 'readonly() is dropped', zod: z.string().readonly(), emits: { type: 'string' } },
  { name: 'nullable', zod: z.string().nullable(), emits: { type: 'string', nullable: true } },
];

describe('a construct that the server can enforce is emitted', () => {
  for (const { name, zod, emits } of emitted) {
    test(name, () => expect(toStructural(zod, 'spec')).toEqual(emits));
  }
  test('quantity() is an int-or-string with the pattern of Kubernetes', () => {
    expect(toStructural(quantity(), 'spec')).toMatchObject({
      'x-kubernetes-int-or-string': true,
      pattern: expect.stringContaining('[KMGTPE]i'),
    });
  });
  for (const [name, zod, format] of [
    ['uuid', z.uuid(), 'uuid'],
    ['email', z.email(), 'email'],
    ['ipv4', z.ipv4(), 'ipv4'],
    ['cidrv4', z.cidrv4(), 'cidr'],
    ['date', z.iso.date(), 'date'],
    ['datetime', z.iso.datetime(), 'date-time'],
    ['time', z.iso.time(), undefined],
    ['hex', z.hex(), undefined],
    ['ulid', z.ulid(), undefined],
  ] as const) {
    test(`the format ${name} carries zod's own pattern, and the server's format ${format ?? '(none)'}`, () => {
      const { pattern, format: given } = toStructural(zod, 'spec');
      expect(new RegExp(pattern ?? '').source).not.toBe('');
      expect(given).toBe(format);
    });
  }
});
