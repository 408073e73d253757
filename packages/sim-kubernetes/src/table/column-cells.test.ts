import { describe, expect, test } from 'vitest';
import type { StoredObject } from '../registry/json.ts';
import { printerColumns } from './column-cells.ts';
import { compileJsonPath } from './json-path.ts';
import { toTable } from './to-table.ts';
import type { ResourceType } from '../registry/resource-type.ts';

const object = {
  apiVersion: 'a.b/v1',
  kind: 'Thing',
  metadata: {
    name: 'one',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: { 'a.b/c': 'note' },
  },
  spec: {
    n: 3,
    f: 1.5,
    b: true,
    s: 'text',
    m: { y: 1, x: [1] },
    list: [
      { k: 'a', v: 1 },
      { k: 'b', v: 2 },
    ],
    when: 'x',
  },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' },
    ],
  },
} as unknown as StoredObject;
const nowMs = Date.parse('2026-01-01T00:03:00Z');

describe('JSON paths', () => {
  const cases: readonly (readonly [string, readonly unknown[]])[] = [
    ['.spec.n', [3]],
    ['.spec.missing.deeper', []],
    ["['spec']['s']", ['text']],
    ['.metadata.annotations.a\\.b/c', ['note']],
    [".metadata.annotations['a.b/c']", ['note']],
    ['.spec.list[0].k', ['a']],
    ['.spec.list[-1].k', ['b']],
    ['.spec.list[5].k', []],
    ['.spec.list[*].v', [1, 2]],
    ['.spec.list[0:1].v', [1]],
    ['.spec.list[0,1].v', [1, 2]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Ready')].status", ['True']],
    ['.status.conditions[?(@.lastTransitionTime)].type', ['Ready']],
    ['.spec.list[?(@.v>1)].k', ['b']],
    ['.spec.list[?(@.v!=2)].k', ['a']],
    ['..k', ['a', 'b']],
    ['.spec.m.*', [1, [1]]],
    ['$.spec.n', [3]],
  ];
  for (const [path, found] of cases) test(path, () => expect(compileJsonPath(path)(object)).toEqual(found));

  test('what is no path is refused', () => {
    expect(() => compileJsonPath('.spec[')).toThrow('unterminated array');
    expect(() => compileJsonPath('.spec[x]')).toThrow('invalid array index');
  });
});

describe('cells have the type of their column', () => {
  const cases: readonly (readonly [type: string, path: string, cell: unknown])[] = [
    ['string', '.spec.s', 'text'],
    ['string', '.spec.n', '3'],
    ['string', '.spec.b', 'true'],
    ['string', '.spec.m', '{"x":[1],"y":1}'],
    ['integer', '.spec.n', 3],
    ['integer', '.spec.f', 1],
    ['integer', '.spec.s', null],
    ['number', '.spec.f', 1.5],
    ['boolean', '.spec.b', true],
    ['boolean', '.spec.s', null],
    ['date', '.metadata.creationTimestamp', '3m'],
    ['date', '.status.conditions[?(@.type=="Ready")].lastTransitionTime', '2m'],
    ['date', '.spec.when', '<invalid>'],
    ['date', '.spec.missing', null],
  ];
  for (const [type, jsonPath, cell] of cases) {
    test(`${type} of ${jsonPath}`, () => {
      const { cells } = printerColumns([{ name: 'X', type, jsonPath }]);
      expect(cells(object, nowMs)).toEqual(['one', cell]);
    });
  }
});

describe('tables', () => {
  const type = { table: printerColumns([]) } as unknown as ResourceType;
  const options = { version: 'v1', nowMs, withoutColumns: false } as const;

  test('without declared columns there are Name and Age, and metadata comes along', () => {
    const { metadata } = object;
    const name = {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: expect.stringContaining('unique') as string,
      priority: 0,
    };
    const age = {
      name: 'Age',
      type: 'date',
      format: '',
      description: expect.stringContaining('created') as string,
      priority: 0,
    };
    expect(toTable(type, [object], { resourceVersion: '7' }, { ...options, includeObject: 'Metadata' })).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [name, age],
      rows: [
        { cells: ['one', '3m'], object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } },
      ],
    });
  });

  test('the object comes whole or not at all when asked so', () => {
    const rowsOf = (includeObject: 'None' | 'Object'): unknown =>
      toTable(type, [object], {}, { ...options, includeObject })['rows'];
    expect(rowsOf('None')).toEqual([{ cells: ['one', '3m'], object: null }]);
    expect(rowsOf('Object')).toEqual([{ cells: ['one', '3m'], object }]);
  });

  test('later events of a watch leave the columns out', () => {
    const table = toTable(type, [object], {}, { ...options, includeObject: 'None', withoutColumns: true });
    expect(table['columnDefinitions']).toBeNull();
  });
});
