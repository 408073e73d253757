import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { atomicList, listMap, listSet, mapOf } from './collection-shapes.ts';
import { oneOfBy } from './one-of-by.ts';
import { immutable, rule, transitionRule } from './rule.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { toStructural } from './to-structural.ts';

type Emitted = { readonly name: string; readonly zod: z.ZodType; readonly emits: StructuralSchema };

const int64 = { type: 'integer', format: 'int64' } as const;
const emitted: readonly Emitted[] = [
  {
    name: 'a record by enum checks its keys with CEL and demands all of them',
    zod: z.record(z.enum(['a', 'b']), z.boolean()),
    emits: {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      maxProperties: 2,
      required: ['a', 'b'],
      'x-kubernetes-validations': [{ rule: "self.all(k, k in ['a', 'b'])", message: 'keys must be one of a, b' }],
    },
  },
  {
    name: 'a partial record by enum demands none',
    zod: z.partialRecord(z.enum(['a']), z.boolean()),
    emits: {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      maxProperties: 1,
      'x-kubernetes-validations': [{ rule: "self.all(k, k in ['a'])", message: 'keys must be one of a' }],
    },
  },
  {
    name: 'a record by pattern checks its keys with CEL',
    zod: mapOf(z.string(), {
      keys: z
        .string()
        .min(1)
        .max(9)
        .regex(/^\w'+$/),
      minProperties: 1,
      maxProperties: 3,
    }),
    emits: {
      type: 'object',
      additionalProperties: { type: 'string' },
      minProperties: 1,
      maxProperties: 3,
      'x-kubernetes-validations': [
        { rule: "self.all(k, k.matches('^\\\\w\\'+$'))", message: "keys must match ^\\w'+$" },
        { rule: 'self.all(k, size(k) >= 1)', message: 'keys must have at least 1 characters' },
        { rule: 'self.all(k, size(k) <= 9)', message: 'keys must have at most 9 characters' },
      ],
    },
  },
  { name: 'z.literal(5) is an integer', zod: z.literal(5), emits: { type: 'integer', enum: [5] } },
  { name: 'z.literal(1.5) is a number', zod: z.literal(1.5), emits: { type: 'number', enum: [1.5] } },
  { name: 'z.literal(true) is a boolean', zod: z.literal(true), emits: { type: 'boolean', enum: [true] } },
  {
    name: 'lists have minItems and maxItems',
    zod: z.array(z.string()).min(1).max(3),
    emits: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
  },
  {
    name: 'length() of a list is both',
    zod: atomicList(z.string()).length(2),
    emits: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2, 'x-kubernetes-list-type': 'atomic' },
  },
  {
    name: 'listSet()',
    zod: listSet(z.string()),
    emits: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  },
  {
    name: 'listMap() with a required and a defaulted key',
    zod: listMap(z.object({ a: z.string(), b: z.string().default('x') }), ['a', 'b']),
    emits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } },
        required: ['a'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
  },
  {
    name: 'immutable() of an optional field has its twin on the parent',
    zod: z.object({ 'a-b': immutable(z.string().max(5)).optional(), c: immutable(z.int()) }),
    emits: {
      type: 'object',
      properties: {
        'a-b': {
          type: 'string',
          maxLength: 5,
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
        },
        c: { ...int64, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
      },
      required: ['c'],
      'x-kubernetes-validations': [
        {
          rule: 'has(self.a__dash__b) == has(oldSelf.a__dash__b)',
          message: 'is immutable: it cannot be added or removed',
          fieldPath: "['a-b']",
        },
      ],
    },
  },
  {
    name: 'immutable() of a field with a default needs no twin, for the field is always there',
    zod: z.object({ a: immutable(z.int().optional().default(1)) }),
    emits: {
      type: 'object',
      properties: {
        a: { ...int64, default: 1, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
      },
    },
  },
  {
    name: 'rules stand in the order in which they were put on, through wrappers',
    zod: rule(rule(z.int(), 'self > 1', 'one', () => true).nullable(), 'self > 2', 'two', () => true),
    emits: {
      ...int64,
      nullable: true,
      'x-kubernetes-validations': [
        { rule: 'self > 1', message: 'one' },
        { rule: 'self > 2', message: 'two' },
      ],
    },
  },
  {
    name: 'transitionRule() stands as it is given',
    zod: transitionRule(z.int(), 'self >= oldSelf', 'never falls', { reason: 'FieldValueForbidden' }),
    emits: {
      ...int64,
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'never falls', reason: 'FieldValueForbidden' }],
    },
  },
  {
    name: 'oneOfBy() is one object and rules',
    zod: oneOfBy('kind', { A: z.object({ a: z.int(), c: z.int() }), B: z.object({ c: z.int() }) }),
    emits: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['A', 'B'] }, a: int64, c: int64 },
      required: ['kind', 'c'],
      'x-kubernetes-validations': [
        {
          rule: "!has(self.a) || self.kind in ['A']",
          message: 'is only allowed when kind is A',
          reason: 'FieldValueForbidden',
          fieldPath: '.a',
        },
        {
          rule: "has(self.a) || !(self.kind in ['A'])",
          message: 'is required when kind is A',
          reason: 'FieldValueRequired',
          fieldPath: '.a',
        },
      ],
    },
  },
];

describe('a collection that the server can enforce is emitted', () => {
  for (const { name, zod, emits } of emitted) {
    test(name, () => expect(toStructural(zod, 'spec')).toEqual(emits));
  }
});
