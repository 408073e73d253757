import type { UserInfo } from '../registry/admission.ts';
import { forbidden } from '../registry/api-error.ts';
import type { ApiError } from '../registry/api-error.ts';
import type { Attributes } from './attributes.ts';
import type { PolicyRule } from './rbac/policy-rule.ts';

/** `reason` says by which binding something is allowed, or what stood in the way of finding out. */
export type Decision = { readonly allowed: boolean; readonly reason: string };

export type SubjectRules = { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] };

/** Who may do what. */
export type Authorizer = {
  readonly authorize: (attributes: Attributes) => Decision;
  /** Everything that the user may do in a namespace. */
  readonly rulesFor: (user: UserInfo, namespace: string) => SubjectRules;
};

export const mastersGroup = 'system:masters';
export const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';
export const anonymous: UserInfo = { username: 'system:anonymous', groups: [unauthenticatedGroup] };

const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

export const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Without RBAC: whoever has shown who they are may do everything; the others see what probes need. */
export const anyUserAuthorizer: Authorizer = {
  authorize: ({ user, path }) => {
    const known = !user.groups.includes(unauthenticatedGroup);
    return { allowed: known || (path !== undefined && publicPaths.includes(path)), reason: '' };
  },
  rulesFor: (user) => ({ rules: user.groups.includes(unauthenticatedGroup) ? [] : everything, errors: [] }),
};

/** Throws 403 in the words of the server when it is not allowed. */
export function checkAllowed(authorizer: Authorizer, attributes: Attributes): void {
  const { allowed, reason } = authorizer.authorize(attributes);
  if (!allowed) throw forbiddenRequest(attributes, reason);
}

export function forbiddenRequest(attributes: Attributes, reason: string): ApiError {
  const { group, resource, name } = attributes;
  const cause = escaped(causeOf(attributes));
  return forbidden({ group, plural: resource }, name, reason === '' ? cause : `${cause}: ${reason}`);
}

function causeOf({ user, verb, path, namespace, group, resource, subresource }: Attributes): string {
  const who = `User ${JSON.stringify(user.username)} cannot ${verb}`;
  if (path !== undefined) return `${who} path ${JSON.stringify(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}

/** The texts may end up in a browser. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
