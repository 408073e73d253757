import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { OriginCaCertificateConfig } from './contract.ts';

export type KeyWish = NonNullable<OriginCaCertificateConfig['makes']>;

/** A new private key as PEM. Made in one go: at most some tenths of a second, once in the life of a certificate. */
export function makeKey({ algorithm, size }: KeyWish): string {
  const { privateKey } =
    algorithm === 'RSA'
      ? generateKeyPairSync('rsa', { modulusLength: size })
      : generateKeyPairSync('ec', { namedCurve: `P-${size}` });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** What a private key, a certificate or a public key has in common with its others; nothing for what is none. */
export function fingerprintOf(pem: string | undefined): string | undefined {
  const key = publicKeyOf(pem);
  return key?.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Whether a key is of the sort that is wanted. */
export function isOfSort(pem: string, { algorithm, size }: KeyWish): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = publicKeyOf(pem) ?? {};
  if (algorithm === 'RSA') return asymmetricKeyType === 'rsa' && asymmetricKeyDetails?.modulusLength === size;
  const curve = size === 384 ? 'secp384r1' : 'prime256v1';
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === curve;
}

/** Cloudflare knows a certificate by its serial number in decimal. */
export function certificateIdOf(pem: string | undefined): string | undefined {
  const certificate = readCertificate(pem);
  return certificate && BigInt(`0x${certificate.serialNumber}`).toString();
}

export type Lifetime = { readonly fromMs: number; readonly untilMs: number };

export function lifetimeOf(pem: string): Lifetime | undefined {
  const certificate = readCertificate(pem);
  return certificate && { fromMs: Date.parse(certificate.validFrom), untilMs: Date.parse(certificate.validTo) };
}

function readCertificate(pem: string | undefined): X509Certificate | undefined {
  if (!pem) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function publicKeyOf(pem: string | undefined): KeyObject | undefined {
  if (!pem) return undefined;
  try {
    if (pem.includes('PRIVATE KEY')) return createPublicKey(createPrivateKey(pem));
    return pem.includes('BEGIN CERTIFICATE-') ? new X509Certificate(pem).publicKey : createPublicKey(pem);
  } catch {
    return undefined;
  }
}
