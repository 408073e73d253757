import { hash } from 'node:crypto';

export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly key: string; readonly email: string };

/**
 * A name for the credential that can be shown: the same for the same secret, and of no use to find it out. Budgets,
 * clients and metrics are kept by it.
 */
export function credentialId(credential: Credential): string {
  const parts = credential.kind === 'token' ? [credential.token] : [credential.email, credential.key];
  return hash('sha256', JSON.stringify(['tributary', 'credential', credential.kind, ...parts]), 'hex').slice(0, 16);
}

export function credentialHeaders(credential: Credential): Readonly<Record<string, string>> {
  return credential.kind === 'token'
    ? { authorization: `Bearer ${credential.token}` }
    : { 'x-auth-email': credential.email, 'x-auth-key': credential.key };
}

/** What must never be seen in a text. The e-mail address is no secret, but nobody's business in an error either. */
export function credentialSecrets(credential: Credential): readonly string[] {
  return credential.kind === 'token' ? [credential.token] : [credential.key, credential.email];
}
