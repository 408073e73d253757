// oxlint-disable-next-line import/no-unassigned-import -- the library below needs it first
import 'reflect-metadata';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { createSigningRequest, requestedKey } from './signing-request.ts';

const keys = {
  'an RSA key': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'a P-256 key': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'a P-384 key': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
};

test.each(Object.entries(keys))('a request for %s is what a library reads as signed by it', async (_name, make) => {
  const pem = make().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const request = new Pkcs10CertificateRequest(
    createSigningRequest({ commonName: 'a.example.com', hosts: ['a.example.com', '*.example.com'] }, pem),
  );
  expect(request.subject).toBe('CN=a.example.com');
  expect(await request.verify()).toBe(true);
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  expect(Buffer.from(request.publicKey.rawData).equals(spki)).toBe(true);
  expect(request.extensions.map(({ type }) => type)).toEqual(['2.5.29.17']);
  expect(Buffer.from(request.rawData).includes('*.example.com')).toBe(true);
});

test.each(Object.entries(keys))('the key of a request for %s can be read from it', (_name, make) => {
  const { privateKey, publicKey } = make();
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const hosts = Array.from({ length: 30 }, (_, index) => `host-${index}.example.com`);
  expect(requestedKey(createSigningRequest({ commonName: 'a.example.com', hosts }, pem))?.equals(publicKey)).toBe(true);
});

test.each(['', 'hello', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'])(
  'what is no request has no key: %s',
  (text) => expect(requestedKey(text)).toBeUndefined(),
);

test('a key that cannot sign such a request is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => createSigningRequest({ commonName: 'x', hosts: [] }, pem)).toThrow('ed25519');
});
