import { describe, expect, test } from 'vitest';
import { compareValues } from './compare-values.ts';
import { mergeValues } from './merge-values.ts';
import type { MergeType } from './merge-type.ts';
import { customType, namedType } from './merge-type-of.ts';
import { reconcileSet } from './reconcile-set.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { SchemaNode } from '../registry/schema-node.ts';

const text: SchemaNode = { type: 'string' };
const item: SchemaNode = {
  type: 'object',
  properties: { name: text, port: { type: 'integer', default: 80 }, value: text },
};
const properties: Record<string, SchemaNode> = {
  text,
  whole: { type: 'array', items: text },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  named: {
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'name'],
  },
  atomic: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
  map: { type: 'object', additionalProperties: text },
  struct: { type: 'object', properties: { a: text, b: text } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const type: MergeType = customType({ type: 'object', properties });

describe('an applied configuration claims', () => {
  const rows: readonly (readonly [string, object, FieldSet])[] = [
    ['the fields of a struct, not the struct', { struct: { a: '1' } }, { 'f:struct': { 'f:a': {} } }],
    ['a struct that is empty', { struct: {} }, { 'f:struct': {} }],
    ['entries of a map, not the map', { map: { a: '1' } }, { 'f:map': { 'f:a': {} } }],
    ['an atomic list as a whole', { whole: ['a', 'b'] }, { 'f:whole': {} }],
    ['an atomic map as a whole', { atomic: { a: '1' } }, { 'f:atomic': {} }],
    ['the items of a set', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }],
    [
      'items by their keys in order, with defaults, and their fields',
      { named: [{ name: 'a' }] },
      { 'f:named': { 'k:{"name":"a","port":80}': { '.': {}, 'f:name': {} } } },
    ],
    ['fields without a schema one by one', { free: { a: { b: 1 } } }, { 'f:free': { 'f:a': { '.': {}, 'f:b': {} } } }],
    ['a null', { text: null }, { 'f:text': {} }],
    ['nothing in an empty set', { set: [] }, {}],
  ];
  test.each(rows)('%s', (_, config, expected) => expect(toFieldSet(config, type)).toEqual(expected));
});

describe('two objects differ in', () => {
  const none = { removed: {}, modified: {}, added: {} };
  const rows: readonly (readonly [string, object, object, object])[] = [
    ['nothing', { set: ['a', 'b'], struct: { a: '1' } }, { set: ['b', 'a'], struct: { a: '1' } }, {}],
    ['a field that was changed', { text: 'a' }, { text: 'b' }, { modified: { 'f:text': {} } }],
    [
      'a struct that is new, and what is in it',
      {},
      { struct: { a: '1' } },
      { added: { 'f:struct': { '.': {}, 'f:a': {} } } },
    ],
    [
      'a field of a struct that was there',
      { struct: {} },
      { struct: { a: '1' } },
      { added: { 'f:struct': { 'f:a': {} } } },
    ],
    [
      'a struct that came after null',
      { struct: null },
      { struct: { a: '1' } },
      { added: { 'f:struct': { 'f:a': {} } } },
    ],
    ['the order of an atomic list', { whole: ['a', 'b'] }, { whole: ['b', 'a'] }, { modified: { 'f:whole': {} } }],
    [
      'items of a set',
      { set: ['a', 'b'] },
      { set: ['b', 'c'] },
      { removed: { 'f:set': { 'v:"a"': {} } }, added: { 'f:set': { 'v:"c"': {} } } },
    ],
    [
      'an item that is there twice now',
      { set: ['a'] },
      { set: ['a', 'a'] },
      { removed: { 'f:set': { 'v:"a"': {} } }, added: { 'f:set': { 'v:"a"': {} } } },
    ],
    [
      'the form of a field without a schema',
      { free: { a: '1' } },
      { free: { a: { b: 1 } } },
      { modified: { 'f:free': { 'f:a': {} } }, added: { 'f:free': { 'f:a': { 'f:b': {} } } } },
    ],
  ];
  test.each(rows)('%s', (_, before, after, expected) => {
    const { added, modified, ...rest } = compareValues(before, after, type);
    const found = { ...rest, modified, added };
    const { added: more = {}, modified: changed = {}, removed = {} } = expected as Partial<typeof none>;
    // A field may be changed and have new fields below it.
    expect(found).toEqual({ removed, modified: changed, added: more });
  });
});

describe('a configuration is merged', () => {
  const rows: readonly (readonly [string, object, object, object])[] = [
    [
      'without taking anything away',
      { text: 'a', map: { a: '1' } },
      { map: { b: '2' } },
      { text: 'a', map: { a: '1', b: '2' } },
    ],
    ['over an atomic list', { whole: ['a', 'b'] }, { whole: ['c'] }, { whole: ['c'] }],
    ['into a set behind what is there', { set: ['a', 'b'] }, { set: ['c'] }, { set: ['a', 'b', 'c'] }],
    ['in its own order where it names both', { set: ['a', 'b', 'c'] }, { set: ['c', 'a'] }, { set: ['b', 'c', 'a'] }],
    [
      'into the item of the same keys',
      { named: [{ name: 'a', port: 80, value: 'x' }] },
      { named: [{ name: 'a', value: 'y' }] },
      { named: [{ name: 'a', port: 80, value: 'y' }] },
    ],
    ['and a null leaves a struct as it is', { struct: { a: '1' } }, { struct: null }, { struct: { a: '1' } }],
    ['and a null empties a field', { text: 'a' }, { text: null }, { text: null }],
  ];
  test.each(rows)('%s', (_, live, config, expected) => expect(mergeValues(live, config, type)).toEqual(expected));
});

test('what is left of a container without its fields is null', () => {
  const value = { text: 'x', map: { a: '1' }, set: ['a'], named: [{ name: 'a', port: 80 }] };
  const gone = { 'f:map': { 'f:a': {} }, 'f:set': { 'v:"a"': {} }, 'f:named': { 'k:{"name":"a","port":80}': {} } };
  expect(removeItems(value, gone, type)).toEqual({ text: 'x', map: null, set: null, named: null });
});

test('who owned fields of what is atomic now owns the whole of it', () => {
  const granular = { 'f:whole': { 'v:"a"': {} }, 'f:atomic': { 'f:a': {} }, 'f:text': {} };
  expect(reconcileSet(granular, type)).toEqual({ 'f:whole': {}, 'f:atomic': {}, 'f:text': {} });
  const whole = { 'f:set': {}, 'f:map': {} };
  expect(reconcileSet(whole, type)).toBe(whole);
});

describe('the types of built-in kinds', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }];
  const pod = { spec: { containers: [{ name: 'a', ports, args: ['x'], resources: { limits: { cpu: '1' } } }] } };

  test('know keys, defaults, quantities and what is atomic', () => {
    expect(toFieldSet(pod, namedType('io.k8s.api.core.v1.Pod'))).toEqual({
      'f:spec': {
        'f:containers': {
          'k:{"name":"a"}': {
            '.': {},
            'f:name': {},
            'f:args': {},
            'f:ports': {
              'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
              'k:{"containerPort":80,"protocol":"UDP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
            },
            'f:resources': { 'f:limits': { 'f:cpu': {} } },
          },
        },
      },
    });
  });

  test('may lead back to themselves', () => {
    const schema = namedType('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    const nested = { properties: { a: { properties: { b: { type: 'string' } } } } };
    expect(toFieldSet(nested, schema)).toEqual({
      'f:properties': { 'f:a': { '.': {}, 'f:properties': { 'f:b': { '.': {}, 'f:type': {} } } } },
    });
  });
});
