import { expect, test } from 'vitest';
import { differencesOf, masked, remoteOf } from './fingerprint.ts';

const uuid = '0f4b7a3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b';

test('two ways to the same end look the same: ids, times and counters do not count', () => {
  const one = { id: uuid, name: 'a', created_on: '2026-01-01T00:00:00Z', version: 3, note: `for ${uuid}` };
  expect(masked(one)).toEqual({ id: '<uuid>', name: 'a', note: 'for <uuid>' });
});

test('what was deleted or revoked is not there, and rows have no order', () => {
  const rows = [
    { id: 'b', deletedAt: null, open: false, tags: [], more: { note: '' } },
    { id: 'a', deletedAt: null },
    { id: 'c', deletedAt: '2026-01-01T00:00:00Z' },
    { id: 'd', revokedAt: '2026-01-01T00:00:00Z' },
  ];
  expect(remoteOf({ tunnels: { account: rows }, routes: { account: [] } })).toEqual({
    tunnels: [{ id: 'a' }, { id: 'b' }],
  });
});

test('a difference is told by its place, with what is there and what should be', () => {
  expect(differencesOf({ a: { b: 1 }, c: [1, 2] }, { a: { b: 2 }, c: [1, 3], d: 4 })).toEqual([
    'a.b: 1 instead of 2',
    'c[1]: 2 instead of 3',
    'd: undefined instead of 4',
  ]);
  expect(differencesOf({ a: [1] }, { a: [1] })).toEqual([]);
});
