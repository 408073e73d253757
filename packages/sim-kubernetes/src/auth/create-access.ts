import type { AdmissionPlugin, UserInfo } from '../registry/admission.ts';
import type { HookContext } from '../registry/resource-type.ts';
import type { CallSubresource } from '../registry/subresource.ts';
import { authenticateAll, createAuthenticator } from './authenticate.ts';
import type { Authenticate } from './authenticate.ts';
import { anyUserAuthorizer } from './authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import { createImpersonation } from './impersonate.ts';
import type { Impersonate } from './impersonate.ts';
import { createEscalationCheck } from './rbac/escalation-check.ts';
import { createRbacAuthorizer } from './rbac/rbac-authorizer.ts';
import { createRuleResolver } from './rbac/rule-resolver.ts';
import { createAccessReviews } from './reviews/access-reviews.ts';
import { createTokenReview, selfSubjectReview } from './reviews/identity-reviews.ts';
import { secretTokens } from './secret-tokens.ts';
import { serviceAccountTokens } from './service-account-tokens.ts';
import { createTokenAuthenticator, knownTokens } from './token-authenticator.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** `rbac`: what no role allows is forbidden. `any-user`: whoever has shown who they are may do everything. */
export type AuthorizationMode = 'rbac' | 'any-user';

export type AccessOptions = {
  readonly authorization: AuthorizationMode;
  /** Whose token it is, of those that are no tokens of ServiceAccounts. */
  readonly tokenOwner: (token: string) => UserInfo | undefined;
  readonly issuer: TokenIssuer;
  readonly nowMs: () => number;
};

/** Who comes in, as whom, and what they may do. */
export type Access = {
  readonly authenticate: Authenticate;
  readonly impersonate: Impersonate;
  readonly authorizer: Authorizer;
  /** The kinds by which callers ask about all this. */
  readonly reviews: readonly CallSubresource[];
  readonly admission: readonly AdmissionPlugin[];
};

export function createAccess(options: AccessOptions, hooks: HookContext): Access {
  const { authorization, tokenOwner, issuer, nowMs } = options;
  const resolver = createRuleResolver(hooks);
  const rbac = authorization === 'rbac';
  const authorizer = rbac ? createRbacAuthorizer(resolver) : anyUserAuthorizer;
  const audience = issuer.issuer;
  const ofToken = createTokenAuthenticator([
    knownTokens(tokenOwner, audience),
    secretTokens(issuer, hooks),
    serviceAccountTokens(issuer, hooks, nowMs),
  ]);
  return {
    authenticate: createAuthenticator(ofToken, audience),
    impersonate: createImpersonation(authorizer),
    authorizer,
    reviews: [selfSubjectReview, createTokenReview(ofToken, audience), ...createAccessReviews(authorizer)],
    admission: rbac ? [createEscalationCheck({ authorizer, resolver })] : [],
  };
}

/** For a server that only its own process can reach. */
export const openAccess: Access = {
  authenticate: authenticateAll,
  impersonate: (caller) => caller,
  authorizer: anyUserAuthorizer,
  reviews: [],
  admission: [],
};
