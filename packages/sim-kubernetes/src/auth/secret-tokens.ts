// Tokens that live in Secrets, of the older kind: they never expire, and count as long as the Secret holds them.
import { text, textMap } from '../kinds/draft-fields.ts';
import type { StoredObject } from '../registry/json.ts';
import type { HookContext } from '../registry/resource-type.ts';
import { tokenIssuerOf } from './token-issuer.ts';
import type { TokenIssuer } from './token-issuer.ts';
import type { TokenSource } from './token-authenticator.ts';

export const secretTokenType = 'kubernetes.io/service-account-token';
export const accountNameKey = 'kubernetes.io/service-account.name';
export const accountUidKey = 'kubernetes.io/service-account.uid';
const issuedBy = 'kubernetes/serviceaccount';
const claim = (name: string): string => `kubernetes.io/serviceaccount/${name}`;

export function signSecretToken(issuer: TokenIssuer, account: StoredObject, secretName: string): string {
  const { name, namespace = '', uid } = account.metadata;
  return issuer.signClaims({
    iss: issuedBy,
    [claim('namespace')]: namespace,
    [claim('secret.name')]: secretName,
    [claim('service-account.name')]: name,
    [claim('service-account.uid')]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  });
}

/** They are for the server itself, whoever asks. */
export function secretTokens(issuer: TokenIssuer, { get }: Pick<HookContext, 'get'>): TokenSource {
  return (token, audiences) => {
    if (tokenIssuerOf(token) !== issuedBy) return undefined;
    const claims = issuer.verify(token) as Readonly<Record<string, string>> | undefined;
    if (claims === undefined) return { error: 'go-jose/go-jose: error in cryptographic primitive' };
    if (!audiences.includes(issuer.issuer)) return undefined;
    const read = (name: string): string => claims[claim(name)] ?? '';
    const [namespace, name, uid] = [read('namespace'), read('service-account.name'), read('service-account.uid')];
    const secret = get('', 'secrets', namespace, read('secret.name'));
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
      return { error: 'Token has been invalidated' };
    }
    const held = Buffer.from(textMap(secret, 'data')['token'] ?? '', 'base64').toString();
    if (held !== token) return { error: "Token does not match server's copy" };
    const account = get('', 'serviceaccounts', namespace, name);
    if (account === undefined) return { error: `serviceaccounts ${JSON.stringify(name)} not found` };
    const { metadata } = account;
    if (metadata.deletionTimestamp !== undefined) {
      return { error: `ServiceAccount ${namespace}/${name} has been deleted` };
    }
    if (metadata.uid !== uid) return { error: `ServiceAccount UID (${metadata.uid}) does not match claim (${uid})` };
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    return { user: { username: text(claims, 'sub'), uid, groups }, audiences: [issuer.issuer] };
  };
}
