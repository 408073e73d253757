import { credentialHeaders } from '../credential.ts';
import type { Credential } from '../credential.ts';
import type { Layer } from './call.ts';

export type IdentityOptions = {
  readonly credential: Credential;
  readonly userAgent: string;
  readonly apiVersion: string;
};

/** A permission that the API itself has handed out for one purpose, such as uploads: it stands in for the credential. */
export const bearerHeader = 'x-handed-out-bearer';

/** Everything that says who calls. */
const ownHeaders = /^(authorization|x-auth-.*|user-agent|api-version|x-stainless-.*|x-handed-out-bearer)$/u;

/**
 * Who calls is said here and nowhere else: the SDK knows no secret, and nothing that it read from the environment
 * goes out.
 */
export function withCredential({ credential, userAgent, apiVersion }: IdentityOptions): Layer {
  const client = { 'user-agent': userAgent, 'api-version': apiVersion };
  const own = credentialHeaders(credential);
  return (next) => async (call) => {
    const bearer = call.headers[bearerHeader];
    const identity = { ...(bearer === undefined ? own : { authorization: `Bearer ${bearer}` }), ...client };
    const others = Object.entries(call.headers).filter(([name]) => !ownHeaders.test(name));
    return next({ ...call, headers: { ...Object.fromEntries(others), ...identity } });
  };
}
