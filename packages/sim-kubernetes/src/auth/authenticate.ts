import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../registry/admission.ts';
import { unauthorized } from '../registry/api-error.ts';
import { anonymous } from './authorizer.ts';
import { certificateUser } from './client-certificate.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';
import { withAuthenticated } from './token-authenticator.ts';

/** Who a request comes from; throws 401 when what it shows is wrong. */
export type Authenticate = (request: ApiRequest) => UserInfo;

/**
 * A certificate counts before a token. A request that shows neither is anonymous, and so is one with another kind of
 * authorization; one that shows only what nobody has is refused.
 */
export function createAuthenticator(ofToken: TokenAuthenticator, audience: string): Authenticate {
  const audiences = [audience];
  return ({ headers, certificate }) => {
    if (certificate?.trusted) return withAuthenticated(certificateUser(certificate));
    const [scheme = '', token = ''] = (headers['authorization'] ?? '').trim().split(' ');
    const bears = scheme.toLowerCase() === 'bearer' && token !== '';
    if (!bears && certificate === undefined) return anonymous;
    const verdict = bears ? ofToken(token, audiences) : undefined;
    if (verdict === undefined || !('user' in verdict)) throw unauthorized();
    return verdict.user;
  };
}

/** What is told to a caller whose token is overlooked because of how it is written. */
export function authorizationWarning({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  if (!/^\s*bearer {2,}\S/i.test(headers['authorization'] ?? '')) return undefined;
  return 'the provided Authorization header contains extra space before the bearer token, and is ignored';
}

export const admin: UserInfo = {
  username: 'admin',
  uid: 'admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** For a server that only its own process can reach. */
export const authenticateAll: Authenticate = () => admin;
