import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import type { Refusal } from './classify.ts';
import type { ApiMessage } from './envelope.ts';
import type { ErrorClass } from './error-class.ts';
import { errorTable } from './error-table.ts';
import type { Family } from './family.ts';

function message(code: number | undefined, text = '', chain: readonly ApiMessage[] = []): ApiMessage {
  return { code, message: text, pointer: undefined, chain };
}

function refusal(fields: Partial<Refusal>): Refusal {
  return { family: 'other', method: 'POST', status: 400, errors: [], enveloped: true, hasRetryAfter: false, ...fields };
}

/** Every code that is known of the API: product, status, code, what it means, and the text where that decides. */
const known: readonly (readonly [Family, number, number, ErrorClass, string?])[] = [
  ['other', 400, 6003, 'auth'],
  ['other', 400, 6111, 'auth'],
  ['zones', 401, 10000, 'auth'],
  ['zones', 403, 10000, 'permission'],
  ['registrar', 403, 10000, 'permission', 'domain doesn’t belong to the user'],
  ['dns', 400, 10000, 'rate-limited', 'You are being rate limited'],
  ['dns', 400, 971, 'rate-limited', 'Please wait and consider throttling your request speed'],
  ['dns', 400, 10429, 'rate-limited'],
  ['zones', 403, 9109, 'permission', 'Unauthorized to access requested resource'],
  ['zones', 403, 9109, 'permission', 'Invalid zone identifier'],
  ['zones', 403, 9109, 'auth', 'Invalid access token'],
  ['accounts', 403, 10001, 'permission', 'method not allowed for this token'],
  ['accounts', 403, 10001, 'transient', 'internal error'],
  ['tokens', 401, 1000, 'auth', 'Invalid API Token'],
  ['tokens', 401, 1001, 'auth'],
  ['other', 404, 7003, 'validation'],
  ['other', 400, 7003, 'validation'],
  ['other', 404, 7000, 'validation'],
  ['other', 405, 7001, 'validation'],
  ['other', 405, 10405, 'validation'],
  ['other', 409, 1013, 'already-exists'],
  ['other', 409, 1014, 'already-exists'],
  ['other', 409, 10004, 'already-exists'],
  ['other', 409, 11009, 'already-exists'],
  ['other', 400, 1000, 'transient', 'request timeout'],
  ['other', 400, 1000, 'transient', 'an internal error occurred'],
  ['tunnels', 409, 1013, 'already-exists'],
  ['tunnels', 404, 1002, 'not-found'],
  ['tunnels', 404, 1003, 'not-found'],
  ['tunnels', 400, 1022, 'in-use'],
  ['tunnels', 404, 1054, 'not-found'],
  ['tunnels', 404, 1055, 'not-found'],
  ['tunnels', 400, 1056, 'validation'],
  ['virtual-networks', 400, 1014, 'already-exists'],
  ['virtual-networks', 404, 1046, 'not-found'],
  ['routes', 409, 1014, 'already-exists'],
  ['dns', 400, 81053, 'conflict'],
  ['dns', 400, 81054, 'conflict'],
  ['dns', 400, 81056, 'conflict'],
  ['dns', 400, 81057, 'already-exists'],
  ['dns', 400, 81058, 'already-exists'],
  ['dns', 404, 81044, 'not-found'],
  ['dns', 400, 1004, 'validation'],
  ['dns', 400, 9003, 'validation'],
  ['dns', 400, 9004, 'validation'],
  ['dns', 400, 9005, 'validation'],
  ['dns', 400, 9021, 'validation'],
  ['dns', 400, 9041, 'validation'],
  ['dns', 400, 9300, 'quota'],
  ['dns', 400, 81045, 'quota'],
  ['dns', 400, 9227, 'entitlement'],
  ['dns', 400, 1003, 'entitlement'],
  ['dns', 400, 1017, 'not-ready'],
  ['zones', 400, 1061, 'already-exists'],
  ['zones', 400, 1099, 'validation'],
  ['zones', 400, 1116, 'validation'],
  ['zones', 400, 1002, 'validation'],
  ['zones', 400, 1052, 'validation'],
  ['zone-settings', 400, 1023, 'entitlement'],
  ['access', 400, 12130, 'validation'],
  ['access', 400, 11021, 'not-found'],
  ['access', 400, 12132, 'transient'],
  ['access', 403, 12133, 'entitlement'],
  ['access', 404, 12135, 'not-found'],
  ['access', 404, 12152, 'not-found'],
  ['access', 404, 12109, 'not-found'],
  ['gateway', 400, 2087, 'validation'],
  ['gateway', 400, 2055, 'entitlement'],
  ['gateway', 400, 2211, 'not-ready'],
  ['gateway', 404, 2218, 'not-found'],
  ['devices', 404, 2052, 'not-found'],
  ['devices', 404, 2053, 'not-found'],
  ['devices', 404, 6024, 'not-found'],
  ['r2', 409, 10004, 'already-exists'],
  ['r2', 400, 10005, 'validation'],
  ['r2', 404, 10006, 'not-found'],
  ['r2', 404, 10053, 'not-found'],
  ['r2', 404, 10059, 'not-found'],
  ['r2', 400, 10063, 'validation'],
  ['r2', 404, 10085, 'not-found'],
  ['r2', 404, 11000, 'not-found'],
  ['r2', 404, 11011, 'not-found'],
  ['r2', 404, 11015, 'not-found'],
  ['r2', 400, 11014, 'validation'],
  ['r2', 400, 11019, 'validation'],
  ['r2', 400, 11020, 'conflict'],
  ['rulesets', 404, 10003, 'not-found'],
  ['rulesets', 404, 10001, 'not-found'],
  ['rulesets', 403, 10001, 'permission'],
  ['rulesets', 400, 20127, 'validation'],
  ['rulesets', 400, 50002, 'entitlement'],
  ['lists', 400, 10021, 'already-exists'],
  ['lists', 404, 10001, 'not-found'],
  ['origin-ca', 400, 1010, 'not-ready'],
  ['origin-ca', 404, 1101, 'not-found'],
  ['origin-ca', 400, 1014, 'not-found'],
  ['origin-ca', 400, 1000, 'transient', 'revocation failed'],
  ['queues', 409, 11009, 'already-exists'],
  ['queues', 400, 11003, 'validation'],
  ['queues', 400, 11004, 'already-exists'],
  ['queues', 404, 11000, 'not-found'],
  ['queues', 400, 11017, 'in-use'],
  ['queues', 400, 11001, 'validation'],
  ['queues', 404, 10007, 'not-ready'],
  ['pages', 404, 8000007, 'not-found'],
  ['pages', 409, 8000002, 'already-exists'],
  ['pages', 404, 8000021, 'not-found'],
  ['pages', 409, 8000018, 'already-exists'],
  ['pages', 404, 8000009, 'not-found'],
  ['pages', 400, 8000034, 'in-use'],
  ['pages', 400, 8000035, 'in-use'],
  ['pages', 401, 8000013, 'transient'],
];

describe('a code means, in its product', () => {
  for (const [family, status, code, expected, text] of known) {
    test(`${family} ${status}/${code}${text === undefined ? '' : ` "${text}"`}: ${expected}`, () => {
      expect(classify(refusal({ family, status, errors: [message(code, text)] }))).toEqual({
        class: expected,
        apiCode: code,
      });
    });
  }

  test('every row of the table is held by one of these', () => {
    const held = new Set(known.map(([, , code, expected]) => `${code} ${expected}`));
    const loose = errorTable.filter((row) => row.code !== undefined && !held.has(`${row.code} ${row.class}`));
    expect(loose).toEqual([]);
  });
});

describe('where a product gives no code, status or text tells', () => {
  const cases: readonly (readonly [string, Partial<Refusal>, ErrorClass])[] = [
    ['a hostname that is routed already', { family: 'hostname-routes', status: 409 }, 'already-exists'],
    [
      'an application that stands in the way',
      { family: 'access', errors: [message(undefined, 'access.api.error.conflict: application exists')] },
      'conflict',
    ],
    [
      'no Zero Trust organisation yet',
      { family: 'access', status: 403, errors: [message(undefined, 'access.api.error.not_enabled')] },
      'not-ready',
    ],
    [
      'an application that is said to be gone with 400',
      { family: 'access', method: 'DELETE', errors: [message(undefined, 'application not found')] },
      'not-found',
    ],
    [
      'a rule beyond the plan',
      { family: 'rulesets', errors: [message(undefined, 'not entitled to use it')] },
      'entitlement',
    ],
  ];
  for (const [name, fields, expected] of cases) {
    test(name, () => expect(classify(refusal(fields)).class).toBe(expected));
  }
});

describe('without a row the status tells', () => {
  const statuses: readonly (readonly [number, ErrorClass])[] = [
    [200, 'transient'],
    [302, 'transient'],
    [400, 'validation'],
    [401, 'auth'],
    [402, 'entitlement'],
    [403, 'permission'],
    [404, 'not-found'],
    [405, 'validation'],
    [406, 'validation'],
    [408, 'transient'],
    [409, 'conflict'],
    [410, 'not-found'],
    [411, 'validation'],
    [413, 'validation'],
    [414, 'validation'],
    [415, 'validation'],
    [418, 'transient'],
    [422, 'validation'],
    [423, 'conflict'],
    [429, 'rate-limited'],
    [500, 'transient'],
    [520, 'transient'],
  ];
  for (const [status, expected] of statuses) {
    test(`${status}: ${expected}`, () => {
      expect(classify(refusal({ status, errors: [message(424242)] }))).toEqual({ class: expected, apiCode: 424242 });
    });
  }
});

describe('the whole answer decides', () => {
  test('the cause in the chain says more than what it caused', () => {
    const errors = [message(1004, 'DNS Validation Error', [message(9300, 'tags over quota')])];
    expect(classify(refusal({ family: 'dns', errors }))).toEqual({ class: 'quota', apiCode: 9300 });
  });

  test('a chain that nobody knows leaves the word to the error above it', () => {
    const errors = [message(1004, 'DNS Validation Error', [message(99999)])];
    expect(classify(refusal({ family: 'dns', errors }))).toEqual({ class: 'validation', apiCode: 1004 });
  });

  test('a later error is looked at when the first is unknown', () => {
    const errors = [message(424242), message(7000, 'No route for that URI')];
    expect(classify(refusal({ status: 404, errors }))).toEqual({ class: 'validation', apiCode: 7000 });
  });

  test('a broken server is a disturbance whatever code it gives', () => {
    const errors = [message(81044)];
    expect(classify(refusal({ family: 'dns', status: 503, errors }))).toEqual({ class: 'transient', apiCode: 81044 });
  });

  test('429 is a rate limit whatever code it gives', () => {
    expect(classify(refusal({ status: 429, errors: [message(10000)] })).class).toBe('rate-limited');
  });

  test('a second bulk operation on lists is a conflict, but with a time to come back it is a rate limit', () => {
    expect(classify(refusal({ family: 'lists', status: 429 })).class).toBe('conflict');
    expect(classify(refusal({ family: 'lists', status: 429, hasRetryAfter: true })).class).toBe('rate-limited');
  });

  test('only the API itself may say that something is gone', () => {
    expect(classify(refusal({ status: 404, enveloped: false })).class).toBe('transient');
    expect(classify(refusal({ status: 410, enveloped: false })).class).toBe('transient');
  });

  test('a refused deletion is owed, not invalid: something still hangs on the object', () => {
    expect(classify(refusal({ method: 'DELETE', family: 'virtual-networks', status: 400 })).class).toBe('in-use');
    expect(classify(refusal({ method: 'DELETE', family: 'r2', status: 409 })).class).toBe('in-use');
    expect(classify(refusal({ method: 'DELETE', family: 'access', errors: [message(12130)] })).class).toBe('in-use');
  });

  test('a deletion on a wrong path is invalid all the same', () => {
    expect(classify(refusal({ method: 'DELETE', status: 404, errors: [message(7003)] })).class).toBe('validation');
  });
});
