import { expect, test } from 'vitest';
import { nextLookAt } from './next-look.ts';

const minute = 60_000;

test('looks become fewer: after 1, 2, 4, … minutes, then every hour; a look in between changes nothing', () => {
  const at = (now: number): number => (nextLookAt(0, now * minute) ?? 0) / minute;
  expect([0, 0.9, 1, 1.9, 2, 4, 31, 32, 59, 60, 119, 120].map(at)).toEqual([
    1, 1, 2, 2, 4, 8, 32, 60, 60, 120, 120, 180,
  ]);
  expect(nextLookAt(undefined, 0)).toBeUndefined();
});

test('the first look and the longest wait can be others', () => {
  const at = (now: number): number | undefined => nextLookAt(100, now, { firstMs: 10, mostMs: 30 });
  expect([100, 110, 120, 130, 165].map(at)).toEqual([110, 120, 130, 160, 190]);
});
