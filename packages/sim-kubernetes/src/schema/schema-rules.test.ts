import { describe, expect, test } from 'vitest';
import type { Draft, Json, JsonObject } from '../registry/json.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { schemaRules } from './schema-rules.ts';
import { caseObject, caseSchema, readValidationCases } from './validation-cases.ts';
import type { ValidationCase } from './validation-cases.ts';

function shaped(schema: SchemaNode, field: string, value: Json | undefined): JsonObject {
  const draft = caseObject(field, value) as Draft;
  schemaRules.prune(schema, draft);
  schemaRules.applyDefaults(schema, draft);
  return JSON.parse(JSON.stringify(draft)) as JsonObject;
}

function answer(schema: SchemaNode, { field, value, old }: ValidationCase): unknown {
  try {
    const object = shaped(schema, field, value);
    const errors = schemaRules.validate(schema, object, old === undefined ? undefined : shaped(schema, field, old));
    if (errors.length > 0) return { causes: errors.map((error) => JSON.stringify(error)).toSorted() };
    return { stored: (object['spec'] as JsonObject)[field] };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

function expected({ causes, message, stored }: ValidationCase): unknown {
  if (message !== undefined) return { message };
  if (causes === undefined) return { stored };
  const inOrder = causes.map(({ field, reason, message }) => JSON.stringify({ field, reason, message }));
  return { causes: inOrder.toSorted() };
}

const { schemas, cases } = readValidationCases();

describe('the answers of kube-apiserver to values of every kind of schema', () => {
  for (const one of cases) {
    const before = one.old === undefined ? '' : ` after ${JSON.stringify(one.old)}`;
    test(`${one.field}: ${JSON.stringify(one.value)}${before}`, () => {
      const schema = caseSchema({ [one.field]: schemas[one.field]! });
      expect(answer(schema, one)).toEqual(expected(one));
    });
  }
});

describe('what is wrong already may stay', () => {
  const schema: SchemaNode = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { name: { type: 'string', maxLength: 3 }, size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 5' }],
      },
    },
  };
  const object = (spec: JsonObject): JsonObject => ({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec });

  test('a value that was too long before and has not changed is let through', () => {
    expect(schemaRules.validate(schema, object({ name: 'long', size: 1 }), object({ name: 'long' }))).toEqual([]);
  });

  test('the same value is refused when it is new', () => {
    const errors = schemaRules.validate(schema, object({ name: 'long' }), object({ name: 'old' }));
    expect(errors.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'spec.name FieldValueTooLong',
      '<nil> FieldValueInvalid',
    ]);
  });

  test('a rule that fails on an unchanged part is let through, and fails when the part changes', () => {
    expect(schemaRules.validate(schema, object({ size: 9 }), object({ size: 9 }))).toEqual([]);
    expect(schemaRules.validate(schema, object({ size: 8 }), object({ size: 9 }))).toHaveLength(1);
  });
});

test('unknown fields are named in the order of the server: those of metadata first, then sorted', () => {
  const schema = caseSchema({ req: schemas['req']!, lmap: schemas['lmap']! });
  const draft: Draft = {
    apiVersion: 'schema.tributary.test/v1',
    kind: 'Case',
    metadata: { name: 'a', foo: 1 },
    spec: { req: { a: 'x', b: 1, zz: 1 }, lmap: [{ k: 'a', qq: 1 }] },
    bar: 1,
  };
  expect(schemaRules.prune(schema, draft)).toEqual(['metadata.foo', 'bar', 'spec.lmap[0].qq', 'spec.req.zz']);
  expect(draft).toEqual({
    apiVersion: 'schema.tributary.test/v1',
    kind: 'Case',
    metadata: { name: 'a' },
    spec: { req: { a: 'x', b: 1 }, lmap: [{ k: 'a' }] },
  });
});
