import { expect, test } from 'vitest';
import { defaultBackoff, toBackoffMs } from './backoff.ts';

const cases = [
  { name: 'the first failure waits 5 ms', backoff: defaultBackoff, failures: 0, random: 0, waitMs: 5 },
  { name: 'each further failure doubles the wait', backoff: defaultBackoff, failures: 3, random: 0, waitMs: 40 },
  { name: 'the wait ends at 1,000 s', backoff: defaultBackoff, failures: 18, random: 0, waitMs: 1_000_000 },
  {
    name: 'ten thousand failures do not overflow',
    backoff: defaultBackoff,
    failures: 10_000,
    random: 0,
    waitMs: 1_000_000,
  },
  { name: 'base and limit can be set', backoff: { baseMs: 100, maxMs: 300 }, failures: 2, random: 0, waitMs: 300 },
  { name: 'without jitter chance has no say', backoff: defaultBackoff, failures: 1, random: 0.99, waitMs: 10 },
  {
    name: 'jitter adds up to its share',
    backoff: { baseMs: 100, maxMs: 10_000, jitter: 0.5 },
    failures: 1,
    random: 0.5,
    waitMs: 250,
  },
  {
    name: 'jitter never goes beyond the limit',
    backoff: { baseMs: 100, maxMs: 200, jitter: 0.5 },
    failures: 1,
    random: 0.9,
    waitMs: 200,
  },
];
test.each(cases)('$name', ({ backoff, failures, random, waitMs }) => {
  expect(toBackoffMs(backoff, failures, () => random)).toBe(waitMs);
});
