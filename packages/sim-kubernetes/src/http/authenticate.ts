import type { UserInfo } from '../registry/admission.ts';
import { unauthorized } from '../registry/api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { anonymous } from './authorize.ts';

/** Who a request comes from; throws 401 when what it shows is wrong. */
export type Authenticate = (request: ApiRequest) => UserInfo;

/** Whose token it is, if anybody's. */
export type TokenOwner = (token: string) => UserInfo | undefined;

/** A request without credentials is anonymous; one with a token that nobody has is refused. */
export function createAuthenticator(ownerOf: TokenOwner): Authenticate {
  return ({ headers }) => {
    const header = headers['authorization'] ?? '';
    if (header === '') return anonymous;
    const [scheme = '', token = ''] = header.split(' ');
    const user = scheme.toLowerCase() === 'bearer' ? ownerOf(token) : undefined;
    if (user === undefined) throw unauthorized();
    return user;
  };
}

const admin: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** For a server that only its own process can reach. */
export const authenticateAll: Authenticate = () => admin;

export function tokensOf(tokens: ReadonlyMap<string, UserInfo> | undefined, adminToken: string): TokenOwner {
  if (tokens === undefined) return (token) => (token === adminToken ? admin : undefined);
  return (token) => tokens.get(token);
}
