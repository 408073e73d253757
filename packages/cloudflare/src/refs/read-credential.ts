import type { Result, Secret } from '@tributary/runtime';

/** As layer 6 takes it. */
export type StoredCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly key: string; readonly email: string };

/** Which entries of which Secret make a credential. */
export type CredentialPlace = {
  readonly namespace: string;
  readonly name: string;
  readonly accepts: 'token' | 'key' | 'any';
  readonly tokenKey: string;
  readonly keyKey: string;
  /** The first that is there. */
  readonly emailKeys: readonly string[];
  /** Comes before those of the Secret. */
  readonly email?: string;
};

/** What the Secret holds; what is missing is named, what is there is not shown. */
export function readCredential(secret: Secret, place: CredentialPlace): Result<StoredCredential> {
  const read = (entry: string): string => decode(secret.data?.[entry]);
  const token = read(place.tokenKey);
  if (place.accepts !== 'key' && token !== '') return { ok: true, value: { kind: 'token', token } };
  if (place.accepts === 'token') return missing(place, place.tokenKey);
  const key = read(place.keyKey);
  if (key === '')
    return missing(place, place.accepts === 'any' ? `${place.tokenKey} or ${place.keyKey}` : place.keyKey);
  const email = place.email ?? place.emailKeys.map(read).find((each) => each !== '') ?? '';
  if (email === '') return missing(place, `${place.emailKeys.join(' or ')}, the email that goes with the key`);
  return { ok: true, value: { kind: 'key', key, email } };
}

function decode(text: string | undefined): string {
  // A line break at the end, as editors and `echo` leave it, is never part of a credential.
  return Buffer.from(text ?? '', 'base64')
    .toString('utf8')
    .trim();
}

function missing({ namespace, name }: CredentialPlace, what: string): Result<never> {
  return { ok: false, reason: 'Invalid', message: `Secret ${namespace}/${name} has no entry ${what}` };
}
