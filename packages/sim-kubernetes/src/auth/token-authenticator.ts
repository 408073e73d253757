import type { UserInfo } from '../registry/admission.ts';
import { authenticatedGroup } from './authorizer.ts';

/** Whose token it is and for whom, or why it is nobody's. */
export type TokenVerdict =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly error: string };

/** Judges a token for one of these audiences. */
export type TokenAuthenticator = (token: string, audiences: readonly string[]) => TokenVerdict;

/** What one kind of token says of a token: `undefined` when it is none of that kind. */
export type TokenSource = (token: string, audiences: readonly string[]) => TokenVerdict | undefined;

const refused = 'invalid bearer token';

/** The first source that accepts the token decides; its user is one of those who have shown who they are. */
export function createTokenAuthenticator(sources: readonly TokenSource[]): TokenAuthenticator {
  return (token, audiences) => {
    let error = refused;
    for (const source of sources) {
      const verdict = source(token, audiences);
      if (verdict === undefined) continue;
      if ('user' in verdict) return { ...verdict, user: withAuthenticated(verdict.user) };
      error = `[${refused}, ${verdict.error}]`;
    }
    return { error };
  };
}

export function withAuthenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}

/** Tokens that are given to the server beforehand; they are for the server itself. */
export function knownTokens(ownerOf: (token: string) => UserInfo | undefined, audience: string): TokenSource {
  return (token, audiences) => {
    const user = audiences.includes(audience) ? ownerOf(token) : undefined;
    return user && { user, audiences: [audience] };
  };
}
