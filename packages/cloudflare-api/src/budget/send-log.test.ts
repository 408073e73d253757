import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSendLog } from './send-log.ts';

test('a moment belongs to what was before it', () => {
  const log = createSendLog();
  for (const atMs of [10, 20, 20, 30]) log.add(atMs);
  expect(log.countAfter(9)).toBe(4);
  expect(log.countAfter(10)).toBe(3);
  expect(log.countAfter(20)).toBe(1);
  expect(log.nthAfter(10, 0)).toBe(20);
  expect(log.nthAfter(10, 2)).toBe(30);
  expect(log.nthAfter(10, 3)).toBeUndefined();
});

test('what is forgotten changes no answer about what came after', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 300, maxLength: 900 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 900 }), (gaps, untilMs) => {
      const [whole, cut] = [createSendLog(), createSendLog()];
      let atMs = 0;
      for (const gap of gaps) {
        atMs += gap;
        whole.add(atMs);
        cut.add(atMs);
      }
      cut.forgetUntil(untilMs);
      expect(cut.countAfter(untilMs)).toBe(whole.countAfter(untilMs));
      expect(cut.nthAfter(untilMs, 1)).toBe(whole.nthAfter(untilMs, 1));
    }),
    { numRuns: 50 },
  );
});

test('a long history does not pile up', () => {
  const log = createSendLog();
  for (let atMs = 0; atMs < 5000; atMs += 1) {
    log.add(atMs);
    log.forgetUntil(atMs - 100);
  }
  expect(log.countAfter(Number.NEGATIVE_INFINITY)).toBeLessThan(400);
});
