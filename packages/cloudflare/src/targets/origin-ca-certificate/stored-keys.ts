import type { Call, SecretWish } from '../../engine/l5-sync/target.ts';
import type { OriginCaCertificateConfig } from './contract.ts';
import { fingerprintOf } from './key-pair.ts';
import { originAuthorities } from './origin-authorities.ts';

export type KeyPlaces = Pick<OriginCaCertificateConfig, 'secret' | 'key'>;

/** What the Secrets of a certificate hold at this moment. */
export type StoredKeys = {
  readonly exists: boolean;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** A key of ours for which a certificate is being asked. */
  readonly next?: string | undefined;
  /** A key that somebody else has made. */
  readonly own?: string | undefined;
};

const entries = {
  tls: { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt', type: 'kubernetes.io/tls' },
  opaque: { certificate: 'certificate', key: 'private-key', authority: 'ca-certificate', type: 'Opaque' },
} as const;
const nextEntry = 'next.key';

export async function readStored({ secret, key }: KeyPlaces, { readSecret }: Call): Promise<StoredKeys> {
  const data = secret && (await readSecret(secret));
  const names = entries[secret?.layout ?? 'tls'];
  return {
    exists: data !== undefined,
    certificate: data?.[names.certificate],
    key: data?.[names.key],
    next: data?.[nextEntry] || undefined,
    own: key && (await readSecret(key))?.[key.entries['key'] ?? ''],
  };
}

/** The private key that a certificate is for, where it is still there. */
export function keyOf(certificate: string, { key, next, own }: StoredKeys): string | undefined {
  const wanted = fingerprintOf(certificate);
  return wanted === undefined ? undefined : [own, key, next].find((one) => fingerprintOf(one) === wanted);
}

type Place = NonNullable<KeyPlaces['secret']>;

/** Certificate and key as their users want them. */
export function toPair(place: Place, certificate: string, key: string, requestType: string): SecretWish {
  const names = entries[place.layout];
  const authority = place.withAuthority ? originAuthorities[requestType] : undefined;
  return {
    ...headOf(place),
    only: true,
    data: {
      [names.certificate]: certificate,
      [names.key]: key,
      ...(authority !== undefined && { [names.authority]: authority }),
    },
    without: [nextEntry, ...(authority === undefined ? [names.authority] : [])],
  };
}

/** The next key beside what is in use. The first time there is nothing yet, and the type asks for entries all the same. */
export function toNextKey(place: Place, next: string, { exists }: StoredKeys): SecretWish {
  const names = entries[place.layout];
  const empty = exists || place.layout === 'opaque' ? {} : { [names.certificate]: '', [names.key]: '' };
  return { ...headOf(place), data: { ...empty, [nextEntry]: next } };
}

function headOf({ namespace, name, layout, labels, owner }: Place): Omit<SecretWish, 'data'> {
  return { namespace, name, labels, type: entries[layout].type, ...(owner && { owner }) };
}
