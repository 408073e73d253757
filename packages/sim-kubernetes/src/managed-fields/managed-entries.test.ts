import { describe, expect, test } from 'vitest';
import { capManagers } from './cap-managers.ts';
import { setOf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagedFieldsEntry, Manager, Managers } from './managed-entries.ts';
import { decodeManagers, identityOf, toEntries, toManagers } from './managed-entries.ts';
import { toParentEntries, toScaleEntries } from './scale-entries.ts';

const entry = (manager: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:a': {} },
  ...more,
});

describe('entries of managers', () => {
  test('stand in the order of operation, time and name', () => {
    const entries = [
      entry('b'),
      entry('a'),
      entry('z', { time: '2025-01-01T00:00:00Z' }),
      entry('q', { operation: 'Apply' }),
    ];
    expect(toEntries(toManagers(entries))?.map(({ manager }) => manager)).toEqual(['q', 'z', 'a', 'b']);
  });

  test('that did not change are the same objects again', () => {
    const entries = [entry('a'), entry('b')];
    const [first, second] = toEntries(toManagers(entries)) ?? [];
    expect(first).toBe(entries[0]);
    expect(second).toBe(entries[1]);
  });

  test('of one who applies are one in all versions, of one who updates one in each', () => {
    const name = { manager: 'a', apiVersion: 'v1', subresource: '' };
    const other = { ...name, apiVersion: 'v2' };
    expect(identityOf({ ...name, operation: 'Apply' })).toBe(identityOf({ ...other, operation: 'Apply' }));
    expect(identityOf({ ...name, operation: 'Update' })).not.toBe(identityOf({ ...other, operation: 'Update' }));
  });

  const broken: readonly (readonly [string, Partial<ManagedFieldsEntry>])[] = [
    ['an operation that there is not', { operation: 'Odd' }],
    ['no version', { apiVersion: '' }],
    ['no type of fields', { fieldsType: '' }],
    ['another type of fields', { fieldsType: 'FieldsV2' }],
    ['a path that cannot be read', { fieldsV1: { data: {} } }],
    ['a key that is no JSON', { fieldsV1: { 'k:{': {} } }],
    ['fields that are no object', { fieldsV1: { 'f:a': 1 } as unknown as FieldSet }],
  ];
  test.each(broken)('are not read with %s', (_, part) => {
    expect(() => decodeManagers([entry('a', part)])).toThrow(Error);
  });

  test('of a client are read into our form', () => {
    const fieldsV1 = { 'k:{"b":1,"a":"<"}': { '.': {} }, 'x:future': {}, 'f:a': { 'f:b': {} } };
    const [manager] = decodeManagers([entry('a', { fieldsV1 })]).values();
    expect(manager?.fields).toEqual({ 'k:{"a":"\\u003c","b":1}': {}, 'f:a': { 'f:b': {} } });
  });
});

function updaters(count: number): Managers {
  const managers: Managers = new Map();
  for (let index = 0; index < count; index++) {
    const time = `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`;
    const own: Manager = {
      manager: `m${index}`,
      operation: 'Update',
      apiVersion: 'v1',
      subresource: '',
      time,
      fields: setOf([`f${index}`]),
    };
    managers.set(identityOf(own), own);
  }
  return managers;
}

describe('managers that update', () => {
  test('are left alone while there are ten', () => {
    const managers = updaters(10);
    capManagers(managers);
    expect(managers.size).toBe(10);
  });

  test('beyond ten are put together from the oldest on', () => {
    const managers = updaters(12);
    capManagers(managers);
    const entries = toEntries(managers) ?? [];
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      manager: 'ancient-changes',
      time: '2026-01-01T00:00:02Z',
      fieldsV1: { 'f:f0': {}, 'f:f1': {}, 'f:f2': {} },
    });
  });
});

describe('managers of a Scale', () => {
  const fieldsV1 = { 'f:spec': { 'f:replicas': {}, 'f:text': {} } };
  const pathIn = (apiVersion: string): readonly string[] | undefined =>
    apiVersion === 'v1' ? ['f:spec', 'f:replicas'] : undefined;
  const replicas = { 'f:spec': { 'f:replicas': {} } };
  const parent = [entry('ann', { operation: 'Apply', fieldsV1 }), entry('old', { apiVersion: 'v0', fieldsV1 })];

  test('are those of the replicas', () => {
    expect(toScaleEntries(parent, pathIn)).toEqual([
      entry('ann', { operation: 'Apply', apiVersion: 'autoscaling/v1', fieldsV1: replicas }),
    ]);
  });

  test('take the replicas from their owner, and have no time of their own', () => {
    const scale = [entry('bob', { apiVersion: 'autoscaling/v1', subresource: 'scale', fieldsV1: replicas })];
    const { time: _time, ...bob } = entry('bob', { subresource: 'scale', fieldsV1: replicas });
    expect(toParentEntries(parent, scale, 'v1', pathIn)).toEqual([
      entry('ann', { operation: 'Apply', fieldsV1: { 'f:spec': { 'f:text': {} } } }),
      bob,
    ]);
  });
});
