// oxlint-disable-next-line import/no-unassigned-import -- the library below needs it first
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import { readRequest } from './read-request.ts';

const algorithms = {
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
  ecdsa: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
};

async function newRequest(algorithm: keyof typeof algorithms): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithms[algorithm], true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=x',
    keys,
    signingAlgorithm: algorithms[algorithm],
  });
  return request.toString('pem');
}

describe('a signing request', () => {
  for (const algorithm of ['rsa', 'ecdsa'] as const) {
    test(`with an ${algorithm} key is read`, async () => {
      expect(readRequest(await newRequest(algorithm))?.asymmetricKeyType).toBe(algorithm === 'rsa' ? 'rsa' : 'ec');
    });
  }

  test('that was changed after it was signed, or that is none, is not', async () => {
    const pem = await newRequest('ecdsa');
    const [, body = ''] = /-----\n([^-]+)\n-----/.exec(pem) ?? [];
    const bytes = Buffer.from(body, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(readRequest(pem.replace(body, bytes.toString('base64')))).toBeUndefined();
    expect(readRequest('hello')).toBeUndefined();
    expect(readRequest(pem.replace(body, body.slice(0, 40)))).toBeUndefined();
  });
});

test('a certificate is really signed, for the names that were asked for, and known by its serial number', async () => {
  const { call } = await startTestSim();
  const body = {
    csr: await newRequest('rsa'),
    hostnames: ['www.example.com', '*.example.com'],
    request_type: 'origin-rsa',
    requested_validity: 90,
  };
  const { result } = await call('POST', '/certificates', body);
  const certificate = new X509Certificate(result.certificate as string);
  expect(certificate.subjectAltName).toBe('DNS:*.example.com, DNS:www.example.com');
  expect(BigInt(`0x${certificate.serialNumber}`).toString()).toBe(result.id);
  expect(result.hostnames).toEqual(['*.example.com', 'www.example.com']);
  expect(result.expires_on).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC$/);
  expect((await call('GET', `/certificates/${result.id}`)).result.csr).toBeUndefined();
});

test('each request makes another one; a revoked one can be read and not be revoked again', async () => {
  const { call, free } = await startTestSim();
  const body = { csr: await newRequest('ecdsa'), hostnames: ['example.com'], request_type: 'origin-ecc' };
  const first = (await call('POST', '/certificates', body)).result;
  const second = (await call('POST', '/certificates', body)).result;
  expect(second.id).not.toBe(first.id);
  expect((await call('DELETE', `/certificates/${first.id}`)).result).toMatchObject({ id: first.id });
  expect((await call('GET', `/certificates/${first.id}`)).result.revoked_at).toBeDefined();
  expect((await call('DELETE', `/certificates/${first.id}`)).codes).toEqual([1014]);
  expect((await call('GET', `/certificates?zone_id=${free}`)).result).toMatchObject([{ id: second.id }]);
  expect((await call('GET', '/certificates')).codes).toEqual([1107]);
  expect((await call('GET', '/certificates/1')).codes).toEqual([1101]);
});

describe('what is refused', () => {
  const rows: readonly (readonly [string, object, number])[] = [
    ['a request that is none', { csr: 'x' }, 1102],
    ['an unknown type', { request_type: 'x' }, 1103],
    ['a validity that is not offered', { requested_validity: 8 }, 1104],
    ['no hostname', { hostnames: [] }, 1105],
    ['a hostname that is none', { hostnames: ['a b'] }, 1106],
    ['a hostname of a foreign zone', { hostnames: ['example.org'] }, 1010],
  ];
  for (const [what, change, code] of rows) {
    test(`${what}: ${code}`, async () => {
      const { call } = await startTestSim();
      const body = {
        csr: await newRequest('ecdsa'),
        hostnames: ['example.com'],
        request_type: 'origin-ecc',
        ...change,
      };
      expect((await call('POST', '/certificates', body)).codes).toEqual([code]);
    });
  }
});

test('a domain of the account is registered; only its renewal can be changed', async () => {
  const { call, account } = await startTestSim();
  const path = `${account}/registrar/registrations`;
  expect((await call('GET', path)).result).toHaveLength(2);
  expect((await call('PATCH', `${path}/example.com`, { auto_renew: false })).result).toMatchObject({
    state: 'succeeded',
  });
  expect((await call('GET', `${path}/example.com`)).result).toMatchObject({
    auto_renew: false,
    locked: true,
    status: 'active',
  });
  expect(await call('PATCH', `${path}/example.com`, { locked: false })).toMatchObject({ status: 422 });
  expect((await call('PATCH', `${path}/example.com`, { auto_renew: 'x' })).codes).toEqual([10_102]);
  expect(await call('GET', `${path}/example.org`)).toMatchObject({ status: 403, codes: [10_000] });
});
