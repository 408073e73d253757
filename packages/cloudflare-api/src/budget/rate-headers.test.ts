import { describe, expect, test } from 'vitest';
import { testHeaders } from '../testing/test-call.ts';
import { retryAfterMs, toRateReport } from './rate-headers.ts';

test('both headers are read, with one or several members', () => {
  const headers = testHeaders({
    ratelimit: '"default";r=50;t=30, burst;r=3;t=1',
    'ratelimit-policy': '"default";q=1200;w=300, "burst"; q=200 ; w=1;qu="requests"',
  });
  expect(toRateReport(headers)).toEqual({
    limits: [
      { name: 'default', remaining: 50, resetMs: 30_000 },
      { name: 'burst', remaining: 3, resetMs: 1000 },
    ],
    policies: [
      { name: 'default', quota: 1200, windowMs: 300_000 },
      { name: 'burst', quota: 200, windowMs: 1000 },
    ],
  });
});

describe('what is odd is left out', () => {
  const odd = [
    {},
    { ratelimit: '', 'ratelimit-policy': ',,' },
    { ratelimit: '"default"', 'ratelimit-policy': '"default";q=10' },
    { ratelimit: '"default";r=-1;t=5', 'ratelimit-policy': '"default";q=0;w=5' },
    { ratelimit: '"default";r=1;t=99999999', 'ratelimit-policy': '"default";q=5;w=0' },
    { ratelimit: ';r=1;t=1', 'ratelimit-policy': '"a";q=x;w=y' },
  ];
  for (const headers of odd) {
    test(JSON.stringify(headers), () =>
      expect(toRateReport(testHeaders(headers))).toEqual({ limits: [], policies: [] }),
    );
  }
});

test('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.UTC(2026, 0, 1);
  const read = (value: string): number | undefined => retryAfterMs(testHeaders({ 'retry-after': value }), now);
  expect(read(' 5 ')).toBe(5000);
  expect(read('Thu, 01 Jan 2026 00:01:00 GMT')).toBe(60_000);
  expect(read('Thu, 01 Jan 2020 00:01:00 GMT')).toBe(0);
  expect(read('999999999')).toBe(86_400_000);
  for (const nonsense of ['-1', 'soon', '2 weeks', '']) expect(read(nonsense)).toBeUndefined();
  expect(retryAfterMs(testHeaders(), now)).toBeUndefined();
});
