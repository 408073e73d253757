import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deletionPlanHash, heldDeletions } from './judge-deletions.ts';

const names = (count: number, prefix = 'n'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const limits = { most: 10, share: 0.3 };
const held = (pending: number, present: number, given: { recent?: string[]; approved?: string[] } = {}) =>
  heldDeletions({ pending: names(pending), present: names(present), recent: [], approved: [], ...given }, limits)
    .length;

describe('deletions are held', () => {
  const table = [
    { name: 'above both limits', is: held(11, 36), wanted: 11 },
    { name: 'not at the number', is: held(10, 10), wanted: 0 },
    { name: 'not at the share', is: held(30, 100), wanted: 0 },
    { name: 'just above the share', is: held(31, 100), wanted: 31 },
    { name: 'with those of late counted', is: held(6, 20, { recent: names(5, 'gone') }), wanted: 6 },
    { name: 'without those that are approved', is: held(20, 20, { approved: names(20) }), wanted: 0 },
    { name: 'only the others, when some are approved', is: held(40, 40, { approved: names(20) }), wanted: 20 },
  ];
  for (const { name, is, wanted } of table) test(name, () => expect(is).toBe(wanted));

  test('never at or below the number, whatever else', () => {
    fc.assert(fc.property(fc.nat(10), fc.nat(50), (pending, present) => held(pending, present) === 0));
  });
});

test('another list or another scope has another hash', () => {
  const hashes = [deletionPlanHash('a', ['x', 'y']), deletionPlanHash('a', ['x']), deletionPlanHash('b', ['x', 'y'])];
  expect(new Set(hashes).size).toBe(3);
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
});
