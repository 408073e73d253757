import { describe, expect, test } from 'vitest';
import { toAnswer } from '../pipeline/transport.ts';
import { testCall, testHeaders } from '../testing/test-call.ts';
import type { CloudflareError } from './cloudflare-error.ts';
import { judgeAnswer } from './judge-answer.ts';
import { createSanitise } from './sanitise.ts';

const json = { 'content-type': 'application/json' };
const call = testCall('POST', '/zones/z1/dns_records');

function judge(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = json,
): CloudflareError | undefined {
  const judgement = { sanitise: createSanitise(['top-secret-value']), nowMs: Date.UTC(2026, 0, 1) };
  return judgeAnswer(call, toAnswer(status, testHeaders(headers), body), judgement);
}

function envelope(...errors: unknown[]): string {
  return JSON.stringify({ success: false, errors, messages: [], result: null });
}

describe('a success is', () => {
  const successes: readonly (readonly [string, number, string, Record<string, string>?])[] = [
    ['an envelope', 200, '{"success":true,"errors":[],"result":{}}'],
    ['an empty 204', 204, '', {}],
    ['an empty 200', 200, ''],
    ['JSON that is no envelope', 200, '{"buckets":[]}'],
    ['plain text', 200, '$ORIGIN example.com.', { 'content-type': 'text/plain' }],
  ];
  for (const [name, status, body, headers] of successes) {
    test(name, () => expect(judge(status, body, headers)).toBeUndefined());
  }
});

describe('no success, in spite of status 200, is', () => {
  test('success:false without a code', () => {
    expect(judge(200, envelope({ message: 'something went wrong' }))).toMatchObject({
      class: 'transient',
      apiCode: undefined,
      effect: 'unknown',
      detail: 'something went wrong',
    });
  });
  test('JSON that was cut off', () => {
    expect(judge(200, '{"success":true,"res')).toMatchObject({ class: 'transient', detail: 'the answer was cut off' });
  });
  test('a page', () => {
    expect(judge(200, '<html>sign in</html>', { 'content-type': 'text/html' })).toMatchObject({
      class: 'transient',
      detail: 'a page instead of an answer',
    });
  });
});

describe('the detail tells what the API said', () => {
  test('with all causes and codes', () => {
    const error = judge(
      400,
      envelope({
        code: 1004,
        message: 'DNS Validation Error',
        error_chain: [{ code: 9005, message: 'Content for A record must be a valid IPv4 address.' }],
      }),
    );
    expect(error?.detail).toBe(
      'DNS Validation Error (1004): Content for A record must be a valid IPv4 address. (9005)',
    );
    expect(error).toMatchObject({ class: 'validation', apiCode: 9005, retry: { kind: 'never' }, effect: 'none' });
  });
  test('for several errors', () => {
    expect(judge(400, envelope({ code: 1, message: 'one' }, { code: '2', message: 'two' }))?.detail).toBe(
      'one (1); two (2)',
    );
  });
  test('with the place that the API points at', () => {
    const chain = [{ message: 'bad', source: { pointer: '/ttl' } }];
    expect(judge(400, envelope({ code: 1, message: 'x' }, { message: 'y', error_chain: chain }))?.pointer).toBe('/ttl');
  });
  test('also where items are odd', () => {
    expect(judge(400, envelope('just text', null, { code: 0, message: { a: 1 } }))?.detail).toBe(
      'just text; no reason given; {"a":1}',
    );
  });
  test('for plain text, for JSON without errors, and for nothing', () => {
    expect(judge(400, 'bad things', { 'content-type': 'text/plain' })?.detail).toBe('bad things');
    expect(judge(400, '{"error":1}')?.detail).toBe('no reason given');
    expect(judge(400, '')?.detail).toBe('no reason given');
  });
  test('without secrets', () => {
    const error = judge(
      400,
      envelope({ code: 1, message: 'top-secret-value is wrong', error_chain: [{ message: 'not top-secret-value' }] }),
    );
    expect(error?.detail).toBe('[redacted] is wrong (1): not [redacted]');
    expect(JSON.stringify(error?.messages)).not.toContain('top-secret');
  });
  test('in the same words from try to try', () => {
    const body = envelope({ code: 1, message: 'x' });
    const first = judge(429, body, { ...json, 'cf-ray': 'one', 'retry-after': '7' });
    const second = judge(429, body, { ...json, 'cf-ray': 'two', 'retry-after': '3' });
    expect(first?.message).toBe(second?.message);
    expect([first?.requestId, second?.requestId]).toEqual(['one', 'two']);
  });
});

describe('after a rate limit the same is tried', () => {
  const cases: readonly (readonly [string, Record<string, string>, number])[] = [
    ['when Retry-After says', { 'retry-after': '7' }, 7000],
    ['when the date in Retry-After says', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
    ['at the reset of the limit that is used up', { ratelimit: '"burst";r=4;t=100, "default";r=0;t=42' }, 42_000],
    ['in a minute when nothing is said', {}, 60_000],
    ['in a second at the earliest', { 'retry-after': '0' }, 1000],
    ['in an hour at the latest', { 'retry-after': '86400' }, 3_600_000],
  ];
  for (const [name, headers, ms] of cases) {
    test(name, () => {
      const error = judge(429, envelope({ code: 10000, message: 'rate limited' }), headers);
      expect(error).toMatchObject({ class: 'rate-limited', effect: 'none', retry: { kind: 'after', ms } });
    });
  }
});

test('a read that failed had no effect', () => {
  const answer = toAnswer(502, testHeaders(), '');
  const judgement = { sanitise: (text: string) => text, nowMs: 0 };
  expect(judgeAnswer(testCall('GET', '/zones'), answer, judgement)?.effect).toBe('none');
  expect(judgeAnswer(testCall('DELETE', '/zones/z'), answer, judgement)?.effect).toBe('unknown');
});

test('what a person can mend at Cloudflare is tried again now and then', () => {
  expect(judge(403, envelope({ code: 10000, message: 'no' }))?.retry).toEqual({ kind: 'after', ms: 300_000 });
  expect(judge(400, envelope({ code: 9300, message: 'no' }))?.retry).toEqual({ kind: 'after', ms: 900_000 });
  expect(judge(400, envelope({ code: 1017, message: 'no' }))?.retry).toEqual({ kind: 'after', ms: 60_000 });
});
