import type { UserInfo } from '../registry/admission.ts';
import { unauthorized } from '../registry/api-error.ts';
import type { ApiRequest } from './api-request.ts';

/** Who a request comes from; throws 401 when it does not say so rightly. */
export type Authenticate = (request: ApiRequest) => UserInfo;

const admin: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** With tokens only their owners are let in; without them everybody is the administrator. */
export function createAuthenticator(tokens?: ReadonlyMap<string, UserInfo>): Authenticate {
  if (tokens === undefined) return () => admin;
  return ({ headers }) => {
    const [scheme = '', token = ''] = (headers['authorization'] ?? '').split(' ');
    const user = scheme.toLowerCase() === 'bearer' ? tokens.get(token) : undefined;
    if (user === undefined) throw unauthorized();
    return user;
  };
}
