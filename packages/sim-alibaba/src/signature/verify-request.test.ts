import { OpenApiUtil } from '@alicloud/openapi-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessKey } from '../credentials/create-credentials.ts';
import { createCredentials } from '../credentials/create-credentials.ts';
import type { WireRequest } from '@tributary/sim-kit';
import { createIdSource } from '../ids/create-id-source.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { createNonceMemory } from './create-nonce-memory.ts';
import { sha256, signV1, signV3 } from './sign.ts';
import { verifyRequest } from './verify-request.ts';

const now = Date.parse('2026-11-16T08:00:00Z');
const key = { id: 'LTAIexample', secret: 'very secret' };

type Verify = (request: WireRequest) => string;

/** The id of the key that signed, or the code of the refusal. */
function createVerify(): Verify {
  let nowMs = 0;
  const clock = { now: () => now, monotonic: () => nowMs++ };
  const credentials = createCredentials([key, { id: 'session', secret: 's', securityToken: 'token' }], {
    clock,
    ids: createIdSource(Math.random),
  });
  const deps = { credentials, nonces: createNonceMemory(clock), now: clock.now };
  return (request) => {
    try {
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const form = isForm ? new URLSearchParams(request.body) : [];
      const signer: AccessKey = verifyRequest(request, Object.fromEntries([...request.query, ...form]), deps);
      return signer.id;
    } catch (error) {
      if (error instanceof RpcError) return error.code;
      throw error;
    }
  };
}

type Given = { readonly [name: string]: string };

const v3Headers: Given = {
  host: '127.0.0.1:8080',
  'x-acs-action': 'DescribeEipAddresses',
  'x-acs-version': '2016-04-28',
  'x-acs-date': '2026-11-16T08:00:00Z',
  'x-acs-signature-nonce': 'once',
  'x-acs-content-sha256': sha256(''),
};

function v3Request(query: Given, headers: Given = v3Headers, more: Partial<WireRequest> = {}): WireRequest {
  const signedHeaders = Object.keys(headers).toSorted();
  const contentHash = headers['x-acs-content-sha256'] ?? '';
  const request = { method: 'POST', path: '/', query: new URLSearchParams(query), headers, body: '' };
  const signature = signV3({ ...request, signedHeaders, contentHash }, key.secret);
  const authorization = `ACS3-HMAC-SHA256 Credential=${key.id},SignedHeaders=${signedHeaders.join(';')},Signature=${signature}`;
  return { ...request, headers: { ...headers, authorization }, ...more };
}

const v1Params: Given = {
  Action: 'DescribeEipAddresses',
  Version: '2016-04-28',
  AccessKeyId: key.id,
  SignatureMethod: 'HMAC-SHA1',
  SignatureVersion: '1.0',
  SignatureNonce: 'once',
  Timestamp: '2026-11-16T08:00:00Z',
  Format: 'JSON',
};

function v1Request(params: Given, more: Partial<WireRequest> = {}): WireRequest {
  const Signature = signV1('POST', Object.entries(params), key.secret);
  const query = new URLSearchParams({ ...params, Signature });
  return { method: 'POST', path: '/', query, headers: {}, body: '', ...more };
}

const texts = fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9.]{0,12}$/), fc.string({ unit: 'grapheme' }), {
  noNullPrototype: true,
});

describe('signatures are those of the official SDK', () => {
  test('ACS3-HMAC-SHA256, for any parameters', () => {
    fc.assert(
      fc.property(texts, (query) => {
        const request = { method: 'POST', pathname: '/', query, headers: { ...v3Headers } };
        const hash = sha256('');
        // oxlint-disable-next-line typescript/no-explicit-any -- only these fields are read
        const theirs = OpenApiUtil.getAuthorization(request as any, 'ACS3-HMAC-SHA256', hash, key.id, key.secret);
        expect(v3Request(query).headers['authorization']).toBe(theirs);
      }),
    );
  });

  test('HMAC-SHA1, for any parameters', () => {
    fc.assert(
      fc.property(texts, (params) => {
        expect(signV1('GET', Object.entries(params), key.secret)).toBe(
          OpenApiUtil.getRPCSignature(params, 'GET', key.secret),
        );
      }),
    );
  });
});

describe('signatures are those of the examples that the provider publishes', () => {
  test('ACS3-HMAC-SHA256', () => {
    const headers = {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      'x-acs-action': 'RunInstances',
      'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-acs-date': '2023-10-26T10:22:32Z',
      'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
      'x-acs-version': '2014-05-26',
    };
    const query: [string, string][] = [
      ['RegionId', 'cn-shanghai'],
      ['ImageId', 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd'],
    ];
    const signedHeaders = Object.keys(headers);
    const contentHash = headers['x-acs-content-sha256'];
    expect(
      signV3({ method: 'POST', path: '/', query, headers, signedHeaders, contentHash }, 'YourAccessKeySecret'),
    ).toBe('06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0');
  });

  test('HMAC-SHA1', () => {
    const params = {
      Timestamp: '2016-02-23T12:46:24Z',
      Format: 'XML',
      AccessKeyId: 'testid',
      Action: 'DescribeRegions',
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
      Version: '2014-05-26',
      SignatureVersion: '1.0',
    };
    expect(signV1('GET', Object.entries(params), 'testsecret')).toBe('OLeaidS1JvxuMvnyHOwuJ+uX5qY=');
  });
});

test('a signed request says who sent it, whatever its parameters hold', () => {
  fc.assert(
    fc.property(texts, (params) => {
      expect(createVerify()(v3Request(params))).toBe(key.id);
      expect(createVerify()(v1Request({ ...params, ...v1Params }))).toBe(key.id);
    }),
  );
});

test('a parameter changed on the way is found out', () => {
  fc.assert(
    fc.property(texts, fc.string({ unit: 'grapheme', minLength: 1 }), (params, other) => {
      const v3 = v3Request({ ...params, Name: 'n' });
      v3.query.set('Name', `n${other}`);
      expect(createVerify()(v3)).toBe('SignatureDoesNotMatch');
      const v1 = v1Request({ ...params, ...v1Params, Name: 'n' });
      v1.query.set('Name', `n${other}`);
      expect(createVerify()(v1)).toBe('SignatureDoesNotMatch');
    }),
  );
});

function without(given: Given, name: string): Given {
  return Object.fromEntries(Object.entries(given).filter(([held]) => held !== name));
}

const unsigned = v3Request({});
const v3Refusals: readonly { readonly name: string; readonly request: WireRequest; readonly code: string }[] = [
  {
    name: 'a date 15 minutes old',
    request: v3Request({}, { ...v3Headers, 'x-acs-date': '2026-11-16T07:45:00Z' }),
    code: key.id,
  },
  {
    name: 'an older date',
    request: v3Request({}, { ...v3Headers, 'x-acs-date': '2026-11-16T07:44:59Z' }),
    code: 'InvalidTimeStamp.Expired',
  },
  {
    name: 'a date ahead',
    request: v3Request({}, { ...v3Headers, 'x-acs-date': '2026-11-16T08:15:01Z' }),
    code: 'InvalidTimeStamp.Expired',
  },
  { name: 'no date', request: v3Request({}, { ...v3Headers, 'x-acs-date': 'today' }), code: 'IllegalTimestamp' },
  { name: 'another body', request: v3Request({}, v3Headers, { body: 'x' }), code: 'SignatureDoesNotMatch' },
  { name: 'another method', request: v3Request({}, v3Headers, { method: 'GET' }), code: 'SignatureDoesNotMatch' },
  { name: 'another path', request: v3Request({}, v3Headers, { path: '/x' }), code: 'SignatureDoesNotMatch' },
  {
    name: 'a header that is not signed',
    request: { ...unsigned, headers: { ...unsigned.headers, 'x-acs-extra': '1' } },
    code: 'IncompleteSignature',
  },
  { name: 'no host signed', request: v3Request({}, without(v3Headers, 'host')), code: 'IncompleteSignature' },
  { name: 'no nonce', request: v3Request({}, { ...v3Headers, 'x-acs-signature-nonce': '' }), code: 'MissingParameter' },
  {
    name: 'another algorithm',
    request: { ...unsigned, headers: { ...unsigned.headers, authorization: 'Bearer x' } },
    code: 'IncompleteSignature',
  },
  {
    name: 'half a header',
    request: { ...unsigned, headers: { ...unsigned.headers, authorization: 'ACS3-HMAC-SHA256 Credential=x' } },
    code: 'IncompleteSignature',
  },
];
for (const { name, request, code } of v3Refusals) {
  test(`ACS3-HMAC-SHA256 with ${name}: ${code}`, () => expect(createVerify()(request)).toBe(code));
}

const v1Refusals: readonly { readonly name: string; readonly request: WireRequest; readonly code: string }[] = [
  {
    name: 'an old date',
    request: v1Request({ ...v1Params, Timestamp: '2026-11-16T07:44:59Z' }),
    code: 'InvalidTimeStamp.Expired',
  },
  {
    name: 'another method of signing',
    request: v1Request({ ...v1Params, SignatureMethod: 'HMAC-MD5' }),
    code: 'IncompleteSignature',
  },
  {
    name: 'another version',
    request: v1Request({ ...v1Params, SignatureVersion: '2.0' }),
    code: 'IncompleteSignature',
  },
  {
    name: 'no signature',
    request: { ...v1Request(v1Params), query: new URLSearchParams(v1Params) },
    code: 'MissingParameter',
  },
  ...['AccessKeyId', 'SignatureMethod', 'SignatureVersion', 'SignatureNonce', 'Timestamp'].map((name) => ({
    name: `no ${name}`,
    request: v1Request(without(v1Params, name)),
    code: 'MissingParameter',
  })),
  { name: 'another method', request: v1Request(v1Params, { method: 'GET' }), code: 'SignatureDoesNotMatch' },
];
for (const { name, request, code } of v1Refusals) {
  test(`HMAC-SHA1 with ${name}: ${code}`, () => expect(createVerify()(request)).toBe(code));
}

test('a form is signed together with the query', () => {
  const Signature = signV1('POST', Object.entries({ ...v1Params, Name: 'a b' }), key.secret);
  const request: WireRequest = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams({ ...v1Params, Signature }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'Name=a+b',
  };
  expect(createVerify()(request)).toBe(key.id);
});

test('a nonce is good once, for either signature; one that was refused is not used up', () => {
  const verify = createVerify();
  expect(verify(v3Request({}, v3Headers, { method: 'GET' }))).toBe('SignatureDoesNotMatch');
  expect(verify(v3Request({}))).toBe(key.id);
  expect(verify(v3Request({}))).toBe('SignatureNonceUsed');
  expect(verify(v1Request(v1Params))).toBe('SignatureNonceUsed');
  expect(verify(v1Request({ ...v1Params, SignatureNonce: 'twice' }))).toBe(key.id);
});

test('a nonce is forgotten when its date can no longer pass', () => {
  let nowMs = 0;
  const nonces = createNonceMemory({ monotonic: () => nowMs });
  nonces.use('a', 'n');
  nonces.use('b', 'n');
  nowMs = 30 * 60_000;
  expect(() => nonces.use('a', 'n')).toThrow('used already');
  nowMs += 1;
  expect(() => nonces.use('a', 'n')).not.toThrow();
});

test('marks that a client leaves bare on the wire are signed in their strict form', () => {
  const request = v3Request({ Name: "(a)*!'~ b" });
  const asSent = { ...request, query: new URLSearchParams("Name=(a)*!'~+b") };
  expect(createVerify()(asSent)).toBe(key.id);
});
