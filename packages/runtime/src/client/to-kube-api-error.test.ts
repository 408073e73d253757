import { expect, test } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import type { Retry } from '../operator-error.ts';
import {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from './error-checks.ts';
import { KubeApiError } from './kube-api-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { fromStatus, toKubeApiError } from './to-kube-api-error.ts';

const backoff: Retry = { kind: 'backoff' };
const never: Retry = { kind: 'never' };
const nowMs = Date.UTC(2026, 0, 5, 12, 0, 0);

function answer(status: number, body: unknown, headers: Record<string, string> = {}): KubeApiError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return toKubeApiError({ status, headers, body: Buffer.from(text) }, 'GET /x', nowMs);
}

const byReason: readonly (readonly [number, string, string, Retry])[] = [
  [401, 'Unauthorized', 'kube/unauthorized', backoff],
  [403, 'Forbidden', 'kube/forbidden', backoff],
  [404, 'NotFound', 'kube/not-found', backoff],
  [409, 'AlreadyExists', 'kube/already-exists', backoff],
  [409, 'Conflict', 'kube/conflict', backoff],
  [410, 'Gone', 'kube/gone', backoff],
  [410, 'Expired', 'kube/gone', backoff],
  [422, 'Invalid', 'kube/invalid', never],
  [400, 'BadRequest', 'kube/bad-request', never],
  [405, 'MethodNotAllowed', 'kube/method-not-allowed', never],
  [406, 'NotAcceptable', 'kube/not-acceptable', never],
  [415, 'UnsupportedMediaType', 'kube/unsupported-media-type', never],
  [413, 'RequestEntityTooLarge', 'kube/too-large', never],
  [429, 'TooManyRequests', 'kube/too-many-requests', backoff],
  [500, 'ServerTimeout', 'kube/timeout', backoff],
  [504, 'Timeout', 'kube/timeout', backoff],
  [503, 'ServiceUnavailable', 'kube/unavailable', backoff],
  [500, 'InternalError', 'kube/internal', backoff],
  [500, 'StorageReadError', 'kube/internal', backoff],
];

for (const [status, reason, code, retry] of byReason) {
  test(`an answer for the reason ${reason} has the code ${code}`, () => {
    const body = { kind: 'Status', status: 'Failure', reason, code: status, message: 'so it is' };
    const error = answer(status, body);
    expect(error).toBeInstanceOf(KubeApiError);
    expect([error.code, error.status, error.reason, error.retry]).toEqual([code, status, reason, retry]);
    expect(error.message).toBe(`GET /x: so it is (HTTP ${status}, ${reason})`);
    expect(error.body).toEqual(body);
  });
}

const byStatus: readonly (readonly [string, number, unknown, string, string])[] = [
  ['a page of HTML', 503, '<html>no\n  backend</html>', 'ServiceUnavailable', '<html>no backend</html>'],
  ['plain text', 404, '404 page not found\n', 'NotFound', '404 page not found'],
  ['nothing', 502, '', '', 'the answer has no body'],
  ['JSON that is no Status', 409, { error: 'x' }, 'Conflict', '{"error":"x"}'],
  ['JSON null', 500, 'null', 'InternalError', 'null'],
  ['a Status without a reason', 422, { kind: 'Status', message: 'bad' }, 'Invalid', 'bad'],
  ['a Status without reason and message', 400, { kind: 'Status' }, 'BadRequest', 'BadRequest'],
  ['a Status with a reason nobody knows', 418, { kind: 'Status', reason: 'Teapot', message: 'hot' }, 'Teapot', 'hot'],
  ['a reason that every object has', 418, { kind: 'Status', reason: 'constructor', message: 'x' }, 'constructor', 'x'],
];

for (const [name, status, body, reason, message] of byStatus) {
  test(`an answer with ${name} is understood by its HTTP status`, () => {
    const error = answer(status, body);
    expect([error.reason, error.status]).toEqual([reason, status]);
    expect(error.message).toBe(`GET /x: ${message} (HTTP ${status}${reason === '' ? '' : `, ${reason}`})`);
    expect(error.code).toBe(meaningOf(reason));
  });
}

function meaningOf(reason: string): string {
  return byReason.find(([, known]) => known === reason)?.[2] ?? 'kube/unexpected';
}

test('a long page is cut short in the message', () => {
  expect(answer(502, 'x'.repeat(5000)).message.length).toBeLessThan(260);
});

const asked: readonly (readonly [string, KubeApiError, Retry])[] = [
  ['the header', answer(429, { kind: 'Status' }, { 'retry-after': '3' }), { kind: 'after', ms: 3000 }],
  ['the details', answer(429, { kind: 'Status', details: { retryAfterSeconds: 7 } }), { kind: 'after', ms: 7000 }],
  [
    'the header before the details',
    answer(503, { kind: 'Status', details: { retryAfterSeconds: 7 } }, { 'retry-after': '1' }),
    { kind: 'after', ms: 1000 },
  ],
  ['a date', answer(503, '', { 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }), { kind: 'after', ms: 30_000 }],
  ['zero, which is no wait', answer(429, '', { 'retry-after': '0' }), backoff],
  ['the header even where waiting is of no use', answer(422, '', { 'retry-after': '3' }), never],
  [
    'an ERROR event',
    fromStatus({ code: 429, details: { retryAfterSeconds: 2 } }, 'WATCH'),
    { kind: 'after', ms: 2000 },
  ],
];

for (const [name, error, retry] of asked) {
  test(`the time to wait is taken from ${name}`, () => expect(error.retry).toEqual(retry));
}

const headers: readonly (readonly [string | undefined, number | undefined])[] = [
  ['0', 0],
  [' 120 ', 120_000],
  ['Mon, 05 Jan 2026 12:01:00 GMT', 60_000],
  ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
];

for (const [header, ms] of headers) {
  test(`Retry-After ${JSON.stringify(header)} means ${ms} ms`, () => expect(retryAfterMs(header, nowMs)).toBe(ms));
}

test('an ERROR event without a code counts as an internal error', () => {
  expect(fromStatus({ message: 'etcd is gone' }, 'WATCH /x')).toMatchObject({
    code: 'kube/internal',
    status: 500,
    message: 'WATCH /x: etcd is gone (HTTP 500, InternalError)',
  });
});

const checks = {
  NotFound: isNotFound,
  AlreadyExists: isAlreadyExists,
  Conflict: isConflict,
  Invalid: isInvalid,
  BadRequest: isBadRequest,
  Forbidden: isForbidden,
  Unauthorized: isUnauthorized,
  TooManyRequests: isTooManyRequests,
  Timeout: isTimeout,
  ServerTimeout: isTimeout,
  Gone: isGone,
  Expired: isGone,
  UnsupportedMediaType: isUnsupportedMediaType,
};

for (const [reason, check] of Object.entries(checks)) {
  test(`${check.name || 'the check'} for ${reason} says yes to that reason alone`, () => {
    for (const other of Object.keys(checks)) {
      const same = checks[other as keyof typeof checks] === check;
      expect(check(fromStatus({ reason: other }, 'x'))).toBe(same);
    }
    expect(check(new OperatorError('kube/not-found', reason, never))).toBe(false);
    expect(check(undefined)).toBe(false);
  });
}

test('a namespace on its way out is told from other refusals by the cause', () => {
  const causes = [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }];
  expect(isNamespaceTerminating(fromStatus({ reason: 'Forbidden', details: { causes } }, 'x'))).toBe(true);
  expect(isNamespaceTerminating(fromStatus({ reason: 'Forbidden', details: { causes: [] } }, 'x'))).toBe(false);
  expect(isNamespaceTerminating(fromStatus({ reason: 'Forbidden' }, 'x'))).toBe(false);
  expect(isNamespaceTerminating(fromStatus({ reason: 'Conflict', details: { causes } }, 'x'))).toBe(false);
});
