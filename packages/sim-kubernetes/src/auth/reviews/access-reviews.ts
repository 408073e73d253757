import { child, maybeChild, text } from '../../kinds/draft-fields.ts';
import type { UserInfo } from '../../registry/admission.ts';
import { badRequest, invalid } from '../../registry/api-error.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import type { CallSubresource } from '../../registry/subresource.ts';
import { matchNamespace, metadataOf } from '../../rest/object-metadata.ts';
import { invalidField } from '../../schema/field-errors.ts';
import type { Authorizer } from '../authorizer.ts';
import { aggregate } from '../rbac/rbac-authorizer.ts';
import {
  accessSpecErrors,
  askedAttributes,
  askedUser,
  evaluationError,
  goPathAttributes,
  selectorErrors,
} from './access-spec.ts';
import { defineReview } from './define-review.ts';
import { authorizationGroup as group } from './review-kinds.ts';

/** May somebody do something? Asked for oneself, for anybody, and within one namespace; and: what may I do there? */
export function createAccessReviews(authorizer: Authorizer): readonly CallSubresource[] {
  const answer = (review: Draft, user: UserInfo): Draft => {
    const spec = child(review, 'spec');
    const { allowed, reason } = authorizer.authorize(askedAttributes(spec, user));
    const status = { allowed, reason, evaluationError: evaluationError(spec) };
    return { metadata: review['metadata'], spec, status };
  };
  return [
    defineReview({
      group,
      kind: 'SelfSubjectAccessReview',
      plural: 'selfsubjectaccessreviews',
      answer: (review, { user }) => {
        const spec = child(review, 'spec');
        refuse([...accessSpecErrors(spec), ...selectorErrors(spec), ...metadataErrors(review, [])]);
        return answer(review, user);
      },
    }),
    defineReview({
      group,
      kind: 'SubjectAccessReview',
      plural: 'subjectaccessreviews',
      answer: (review) => {
        refuse([...subjectErrors(review), ...metadataErrors(review, [])]);
        return answer(review, askedUser(child(review, 'spec')));
      },
    }),
    localReview(answer),
    rulesReview(authorizer),
  ];
}

function localReview(answer: (review: Draft, user: UserInfo) => Draft): CallSubresource {
  return defineReview({
    group,
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    answer: (review, { namespace, type }) => {
      matchNamespace(metadataOf(review), { type, namespace, name: '', subresource: '' });
      refuse([...subjectErrors(review), ...metadataErrors(review, ['namespace']), ...localErrors(review, namespace)]);
      return answer(review, askedUser(child(review, 'spec')));
    },
  });
}

function rulesReview(authorizer: Authorizer): CallSubresource {
  return defineReview({
    group,
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    answer: (review, { user }) => {
      const namespace = text(child(review, 'spec'), 'namespace');
      if (namespace === '') throw badRequest('no namespace on request');
      const { rules, errors } = authorizer.rulesFor(user, namespace);
      const resourceRules = rules
        .filter(({ resources = [] }) => resources.length > 0)
        .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, resourceNames }));
      const nonResourceRules = rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
      const evaluationError = errors.length === 0 ? '' : aggregate(errors);
      // The answer goes through the reader of objects, which changes what it reads; rules are those of stored roles.
      const status = structuredClone({ resourceRules, nonResourceRules, incomplete: false, evaluationError });
      return { metadata: {}, spec: {}, status };
    },
  });
}

function subjectErrors(review: Draft): readonly FieldError[] {
  const spec = child(review, 'spec');
  const { username, groups } = askedUser(spec);
  const nobody = username === '' && groups.length === 0;
  const fault = 'at least one of user or group must be specified';
  return [
    ...accessSpecErrors(spec),
    ...(nobody ? [invalidField('spec.user', '', fault)] : []),
    ...selectorErrors(spec),
  ];
}

function localErrors(review: Draft, namespace = ''): readonly FieldError[] {
  const spec = child(review, 'spec');
  const resource = maybeChild(spec, 'resourceAttributes');
  const path = maybeChild(spec, 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (resource !== undefined && text(resource, 'namespace') !== namespace) {
    const field = 'spec.resourceAttributes.namespace';
    errors.push(invalidField(field, text(resource, 'namespace'), 'must match metadata.namespace'));
  }
  if (path !== undefined) {
    const fault = 'disallowed on this kind of request';
    errors.push(invalidField('spec.nonResourceAttributes', goPathAttributes(path), fault));
  }
  return errors;
}

function metadataErrors(review: Draft, allowed: readonly string[]): readonly FieldError[] {
  const metadata = child(review, 'metadata');
  const odd = Object.keys(metadata).filter((key) => key !== 'managedFields' && !allowed.includes(key));
  if (odd.length === 0) return [];
  const fault = allowed.length === 0 ? 'must be empty' : `must be empty except for ${allowed.join(', ')}`;
  return [invalidField('metadata', metadata, fault)];
}

/** The kind is not filled in where the server says this, so it is missing in the message. */
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors);
}
