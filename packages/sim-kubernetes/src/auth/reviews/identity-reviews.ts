import { child, text, texts } from '../../kinds/draft-fields.ts';
import type { UserInfo } from '../../registry/admission.ts';
import { badRequest } from '../../registry/api-error.ts';
import type { Draft } from '../../registry/json.ts';
import type { CallSubresource } from '../../registry/subresource.ts';
import type { TokenAuthenticator } from '../token-authenticator.ts';
import { defineReview } from './define-review.ts';
import { authenticationGroup } from './review-kinds.ts';

/** Who am I? */
export const selfSubjectReview: CallSubresource = defineReview({
  group: authenticationGroup,
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  answer: (_review, { user, context }) => ({
    metadata: { creationTimestamp: context.now() },
    status: { userInfo: userFields(user) },
  }),
});

/** Whose token is this? `audience` is the server itself, which is meant when nobody else is. */
export function createTokenReview(ofToken: TokenAuthenticator, audience: string): CallSubresource {
  return defineReview({
    group: authenticationGroup,
    kind: 'TokenReview',
    plural: 'tokenreviews',
    answer: (review) => {
      const spec = child(review, 'spec');
      const token = text(spec, 'token');
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      const asked = texts(spec, 'audiences');
      const verdict = ofToken(token, asked.length === 0 ? [audience] : asked);
      const status =
        'user' in verdict
          ? { authenticated: true, user: userFields(verdict.user), audiences: verdict.audiences }
          : { user: {}, error: verdict.error };
      return { metadata: review['metadata'], spec, status };
    },
  });
}

function userFields({ username, uid = '', groups, extra = {} }: UserInfo): Draft {
  return { username, uid, groups: [...groups], extra: { ...extra } };
}
