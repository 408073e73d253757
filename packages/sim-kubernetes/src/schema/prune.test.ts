import { describe, expect, test } from 'vitest';
import { resolvedSchema } from '../kinds/resolved-schema.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { correlatedItem, nothing } from './correlation.ts';
import { prune } from './prune.ts';

describe('objects without properties', () => {
  const data = { data: { any: { thing: 1 } } };

  test('are raw JSON in built-in kinds', () => {
    const revision = structuredClone(data);
    expect(prune(revision, resolvedSchema('io.k8s.api.apps.v1.ControllerRevision'))).toEqual([]);
    expect(revision).toEqual(data);
  });

  test('are empty in custom resources', () => {
    const custom = structuredClone(data);
    expect(prune(custom, { type: 'object', properties: { data: { type: 'object' } } })).toEqual(['data.any']);
    expect(custom).toEqual({ data: {} });
  });
});

test('a reference is followed where there is someone to resolve it', () => {
  const schema: SchemaNode = { type: 'object', properties: { a: { $ref: 'A' }, b: { allOf: [{ $ref: 'A' }] } } };
  const value = { a: { x: 1, y: 2 }, b: { y: 3 } };
  expect(prune(value, schema, () => ({ type: 'object', properties: { x: { type: 'integer' } } }))).toEqual([
    'a.y',
    'b.y',
  ]);
  expect(() => prune(value, schema)).toThrow('schema reference A and no way to resolve it');
});

describe('items of a list are the same as before', () => {
  const old = { value: [{ k: 'a', v: 1 }] };
  const keys = { 'x-kubernetes-list-map-keys': ['k'] } as const;

  test('by their keys in a list of type map', () => {
    const list: SchemaNode = { ...keys, 'x-kubernetes-list-type': 'map' };
    expect(correlatedItem(list, { k: 'a', v: 2 }, old)).toEqual({ value: { k: 'a', v: 1 } });
    expect(correlatedItem(list, { k: 'b' }, old)).toBe(nothing);
  });

  test('never in any other list', () => {
    expect(correlatedItem({ ...keys, 'x-kubernetes-list-type': 'atomic' }, { k: 'a', v: 1 }, old)).toBe(nothing);
    expect(correlatedItem({ ...keys, 'x-kubernetes-list-type': 'set' }, { k: 'a', v: 1 }, old)).toBe(nothing);
  });
});
