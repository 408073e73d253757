import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  derBitString,
  derExplicit,
  derImplicit,
  derInteger,
  derOctetString,
  derOid,
  derSequence,
  derSet,
  derUtf8,
} from './der.ts';

export type SigningRequest = { readonly commonName: string; readonly hosts: readonly string[] };

const rsaWithSha256 = derSequence(derOid('1.2.840.113549.1.1.11'), Buffer.of(0x05, 0x00));
const ecdsaWithSha256 = derSequence(derOid('1.2.840.10045.4.3.2'));

/** The public key that a request is about; nothing for what is no request. */
export function requestedKey(pem: string): KeyObject | undefined {
  const [, base64] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
  try {
    // Request, its body, and in that the version, the subject and the key.
    const body = contentOf(contentOf(Buffer.from(base64 ?? '', 'base64')));
    const key = body.subarray(endOf(body, endOf(body, 0)));
    return createPublicKey({ key: key.subarray(0, endOf(key, 0)), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** A certificate signing request (PKCS #10) for a private key, both as PEM. */
export function createSigningRequest({ commonName, hosts }: SigningRequest, key: string): string {
  const signer = createPrivateKey(key);
  const body = derSequence(
    derInteger(Buffer.of(0)),
    derSequence(derSet(derSequence(derOid('2.5.4.3'), derUtf8(commonName)))),
    createPublicKey(signer).export({ type: 'spki', format: 'der' }),
    derExplicit(0, extensionRequest(hosts)),
  );
  const der = derSequence(body, algorithmOf(signer), derBitString(sign('sha256', body, signer)));
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

function extensionRequest(hosts: readonly string[]): Uint8Array {
  const names = derSequence(...hosts.map((host) => derImplicit(2, Buffer.from(host))));
  const extension = derSequence(derOid('2.5.29.17'), derOctetString(names));
  return derSequence(derOid('1.2.840.113549.1.9.14'), derSet(derSequence(extension)));
}

function algorithmOf({ asymmetricKeyType }: KeyObject): Uint8Array {
  if (asymmetricKeyType === 'rsa') return rsaWithSha256;
  if (asymmetricKeyType === 'ec') return ecdsaWithSha256;
  throw new TypeError(`keys of type ${asymmetricKeyType ?? 'unknown'} cannot sign a request here`);
}

/** Where the value at this place of some DER begins, and where it ends. */
function boundsAt(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = der.readUInt8(at + 1);
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  const start = at + 2 + size;
  return { start, end: start + der.readUIntBE(at + 2, size) };
}

function endOf(der: Buffer, at: number): number {
  return boundsAt(der, at).end;
}

function contentOf(der: Buffer): Buffer {
  const { start, end } = boundsAt(der, 0);
  return der.subarray(start, end);
}
