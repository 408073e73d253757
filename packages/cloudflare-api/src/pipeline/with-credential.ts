import { credentialHeaders } from '../credential.ts';
import type { Credential } from '../credential.ts';
import type { Layer } from './call.ts';

export type IdentityOptions = {
  readonly credential: Credential;
  readonly userAgent: string;
  readonly apiVersion: string;
};

/** Everything that says who calls. */
const ownHeaders = /^(authorization|x-auth-.*|user-agent|api-version|x-stainless-.*)$/u;

/**
 * Who calls is said here and nowhere else: the SDK knows no secret, and nothing that it read from the environment
 * goes out.
 */
export function withCredential({ credential, userAgent, apiVersion }: IdentityOptions): Layer {
  const identity = { ...credentialHeaders(credential), 'user-agent': userAgent, 'api-version': apiVersion };
  return (next) => async (call) => {
    const others = Object.entries(call.headers).filter(([name]) => !ownHeaders.test(name));
    return next({ ...call, headers: { ...Object.fromEntries(others), ...identity } });
  };
}
