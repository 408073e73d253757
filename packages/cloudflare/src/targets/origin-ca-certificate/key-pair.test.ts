import { X509Certificate } from 'node:crypto';
import { issueCertificate } from '@tributary/runtime/certificates';
import { expect, test } from 'vitest';
import { certificateIdOf, fingerprintOf, isOfSort, makeKey } from './key-pair.ts';
import { originAuthorities } from './origin-authorities.ts';
import { renewalOf } from './renewal.ts';

const dayMs = 86_400_000;
const nowMs = Date.parse('2026-01-05T12:00:00Z');
// A day of it has passed when it is made.
const lasting = (days: number): string =>
  issueCertificate({ commonName: 'x', usage: 'server', nowMs: nowMs + dayMs, lifetimeMs: (days - 1) * dayMs })
    .certificate;

test.each([
  ['as many days before its end as was said', 365, 30, 335],
  ['no earlier than after two thirds of a short life', 9, 30, 6],
  ['never, where nobody wants it', 365, undefined, undefined],
])('a certificate is renewed %s', (_name, days, before, after) => {
  const expected = after === undefined ? undefined : nowMs + after * dayMs;
  expect(renewalOf(lasting(days), before)).toBe(expected);
});

test('what is no certificate has no end', () => {
  expect(renewalOf('nonsense', 30)).toBeUndefined();
});

test.each([
  [{ algorithm: 'RSA', size: 2048 }, true],
  [{ algorithm: 'RSA', size: 3072 }, false],
  [{ algorithm: 'ECDSA', size: 256 }, false],
] as const)('an RSA key of 2048 bits is of the sort %j: %s', (sort, is) => {
  expect(isOfSort(makeKey({ algorithm: 'RSA', size: 2048 }), sort)).toBe(is);
});

test.each([256, 384] as const)('an ECDSA key of %i bits is of its sort and of no other', (size) => {
  const key = makeKey({ algorithm: 'ECDSA', size });
  expect([256, 384].map((one) => isOfSort(key, { algorithm: 'ECDSA', size: one }))).toEqual(
    [256, 384].map((one) => one === size),
  );
});

test('a certificate and its key have one fingerprint, and what is neither has none', () => {
  const { certificate, key } = issueCertificate({ commonName: 'x', usage: 'server', nowMs });
  expect(fingerprintOf(certificate)).toBe(fingerprintOf(key));
  expect([fingerprintOf(''), fingerprintOf(undefined), fingerprintOf('-----BEGIN CERTIFICATE-----')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the id of a certificate is its serial number in decimal', () => {
  const { certificate } = issueCertificate({ commonName: 'x', usage: 'server', nowMs, serial: Buffer.of(0x40, 0x01) });
  expect(certificateIdOf(certificate)).toBe('16385');
  expect(certificateIdOf('mine')).toBeUndefined();
});

test.each([
  ['origin-rsa', 'CloudFlare Origin SSL Certificate Authority'],
  ['origin-ecc', 'CloudFlare Origin SSL ECC Certificate Authority'],
])('the root for %s is that of %s, and signed by itself', (type, name) => {
  const root = new X509Certificate(originAuthorities[type] ?? '');
  expect(root.subject).toContain(name);
  expect(root.verify(root.publicKey)).toBe(true);
});
