import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import {
  derBitString,
  derBoolean,
  derExplicit,
  derImplicit,
  derInteger,
  derOctetString,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
} from './der.ts';

/** A certificate with its key, both as PEM. */
export type CertifiedKey = { readonly certificate: string; readonly key: string };

export type CertificateRequest = {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** Host names and addresses of a server. */
  readonly hosts?: readonly string[];
  readonly usage: 'authority' | 'server' | 'client';
  readonly nowMs: number;
  /** A year when absent. */
  readonly lifetimeMs?: number;
  /** Random when absent. */
  readonly serial?: Uint8Array;
};

/** Who signs; one without a name is the subject itself. */
export type Issuer = CertifiedKey & { readonly name: string | undefined };

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const signature = derSequence(derOid('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256

/** Issues an ECDSA P-256 certificate with a new key; without an issuer it signs itself. */
export function issueCertificate(request: CertificateRequest, issuer?: Issuer): CertifiedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const self = { certificate: '', key, name: undefined };
  return { certificate: certifyKey(request, publicKey, issuer ?? self), key };
}

/** The certificate of a key that somebody else holds. */
export function certifyKey(request: CertificateRequest, publicKey: KeyObject, issuer: Issuer): string {
  const signer = createPrivateKey(issuer.key);
  const issuerName = issuer.name === undefined ? subjectOf(request) : nameOf([['2.5.4.3', issuer.name]]);
  const { nowMs, lifetimeMs = yearMs, serial = serialNumber() } = request;
  const body = derSequence(
    derExplicit(0, derInteger(Buffer.of(2))),
    derInteger(serial),
    signature,
    issuerName,
    derSequence(derTime(nowMs - dayMs), derTime(nowMs + lifetimeMs)),
    subjectOf(request),
    publicKey.export({ type: 'spki', format: 'der' }),
    derExplicit(3, derSequence(...extensionsOf(request, publicKey, createPublicKey(signer)))),
  );
  return toPem(derSequence(body, signature, derBitString(sign('sha256', body, signer))));
}

/** Never negative and never zero. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function subjectOf({ commonName, organizations = [] }: CertificateRequest): Uint8Array {
  return nameOf([...organizations.map((name) => ['2.5.4.10', name] as const), ['2.5.4.3', commonName]]);
}

function nameOf(parts: readonly (readonly [oid: string, text: string])[]): Uint8Array {
  return derSequence(...parts.map(([oid, text]) => derSet(derSequence(derOid(oid), derUtf8(text)))));
}

function extensionsOf(request: CertificateRequest, own: KeyObject, signer: KeyObject): readonly Uint8Array[] {
  const authority = request.usage === 'authority';
  const extensions = [
    extension('2.5.29.19', true, derSequence(...(authority ? [derBoolean(true)] : []))),
    // keyCertSign and cRLSign for an authority, digitalSignature for the others.
    extension('2.5.29.15', true, authority ? derBitString(Buffer.of(0x06), 1) : derBitString(Buffer.of(0x80), 7)),
    extension('2.5.29.14', false, derOctetString(keyId(own))),
    extension('2.5.29.35', false, derSequence(derImplicit(0, keyId(signer)))),
  ];
  if (authority) return extensions;
  const purpose = request.usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2';
  extensions.push(extension('2.5.29.37', false, derSequence(derOid(purpose))));
  const hosts = (request.hosts ?? []).map(hostName);
  if (hosts.length > 0) extensions.push(extension('2.5.29.17', false, derSequence(...hosts)));
  return extensions;
}

function extension(oid: string, critical: boolean, value: Uint8Array): Uint8Array {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));
}

/** Any bytes that name the key will do; the coordinates of the point are at hand. */
function keyId(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' }).subarray(-20);
}

function hostName(host: string): Uint8Array {
  if (isIPv4(host)) return derImplicit(7, Buffer.from(host.split('.').map(Number)));
  if (isIPv6(host)) return derImplicit(7, ipv6Bytes(host));
  return derImplicit(2, Buffer.from(host));
}

const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');

function ipv6Bytes(host: string): Uint8Array {
  const [head = '', tail] = host.split('::');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
