import type { BuiltinKind } from '../../kinds/builtin-kind.ts';

export const authenticationGroup = 'authentication.k8s.io';
export const authorizationGroup = 'authorization.k8s.io';

const kind = (group: string, name: string): BuiltinKind => ({ group, version: 'v1', kind: name });

/** Kinds that are never stored: their create is a question, and the answer is the object with a status. */
export const reviewKinds: readonly BuiltinKind[] = [
  kind(authenticationGroup, 'SelfSubjectReview'),
  kind(authenticationGroup, 'TokenReview'),
  kind(authorizationGroup, 'LocalSubjectAccessReview'),
  kind(authorizationGroup, 'SelfSubjectAccessReview'),
  kind(authorizationGroup, 'SelfSubjectRulesReview'),
  kind(authorizationGroup, 'SubjectAccessReview'),
];
