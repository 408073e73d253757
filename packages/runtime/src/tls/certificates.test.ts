import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueCertificate } from './certificates.ts';

const nowMs = Date.parse('2026-01-05T12:00:00Z');
const ca = issueCertificate({ commonName: 'an authority', usage: 'authority', nowMs });
const issuer = { ...ca, name: 'an authority' };

test('an authority signs itself and may sign others', () => {
  const certificate = new X509Certificate(ca.certificate);
  expect(certificate.ca).toBe(true);
  expect(certificate.subject).toBe('CN=an authority');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

test('a server is known by its names and addresses, for a year', () => {
  const hosts = ['localhost', '127.0.0.1', '::1', 'a.example'];
  const server = new X509Certificate(
    issueCertificate({ commonName: 'a server', hosts, usage: 'server', nowMs }, issuer).certificate,
  );
  expect(server.checkIssued(new X509Certificate(ca.certificate))).toBe(true);
  expect(server.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
  for (const host of ['localhost', 'a.example']) expect(server.checkHost(host)).toBe(host);
  for (const address of ['127.0.0.1', '::1']) expect(server.checkIP(address)).toBe(address);
  expect(server.checkHost('other.example')).toBeUndefined();
  expect(server.ca).toBe(false);
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(Date.parse(server.validTo)).toBe(nowMs + 365 * 86_400_000);
});

test('a client is a user with groups', () => {
  const request = { commonName: 'eve', organizations: ['dev', 'ops'], usage: 'client' as const, nowMs };
  const client = new X509Certificate(issueCertificate(request, issuer).certificate);
  expect(client.subject.split('\n')).toEqual(['O=dev', 'O=ops', 'CN=eve']);
  expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
});

test('no two certificates have the same number', () => {
  const numbers = Array.from({ length: 20 }, () => {
    const { certificate } = issueCertificate({ commonName: 'x', usage: 'client', nowMs }, issuer);
    return new X509Certificate(certificate).serialNumber;
  });
  expect(new Set(numbers).size).toBe(20);
});
