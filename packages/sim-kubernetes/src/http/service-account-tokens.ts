import type { TokenIssuer } from '../kinds/subresources/token-issuer.ts';
import type { HookContext } from '../registry/resource-type.ts';
import type { TokenOwner } from './authenticate.ts';

const subject = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Tokens of ServiceAccounts count as long as they have not expired and the account is the one they were made for. */
export function serviceAccountTokens(issuer: TokenIssuer, hooks: HookContext, nowMs: () => number): TokenOwner {
  return (token) => {
    if (token.split('.').length !== 3) return undefined;
    const claims = issuer.verify(token);
    if (claims === undefined || claims.exp * 1000 < nowMs()) return undefined;
    const [, namespace = '', name = ''] = subject.exec(claims.sub) ?? [];
    const account = hooks.get('', 'serviceaccounts', namespace, name);
    const made = claims['kubernetes.io']['serviceaccount'] as { readonly uid?: string } | undefined;
    if (account === undefined || account.metadata.uid !== made?.uid) return undefined;
    return {
      username: claims.sub,
      uid: account.metadata.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    };
  };
}
