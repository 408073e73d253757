import type { UserInfo } from '../registry/admission.ts';
import { forbidden } from '../registry/api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { boolOf } from './query-options.ts';
import type { ResourcePath } from './parse-path.ts';

/** Throws 403 when the user may not do this. `resource` is absent for paths outside of the API groups. */
export type Authorize = (user: UserInfo, request: ApiRequest, resource: ResourcePath | undefined) => void;

export const anonymous: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** Whoever has shown who they are may do everything; the others see what probes need. */
export const authorizeAuthenticated: Authorize = (user, request, resource) => {
  if (!user.groups.includes('system:unauthenticated')) return;
  if (resource === undefined) {
    if (publicPaths.includes(request.path)) return;
    const cause = `User "${user.username}" cannot ${request.method.toLowerCase()} path "${request.path}"`;
    throw forbidden({ group: '', plural: '' }, '', cause);
  }
  const { group, plural, name, namespace, subresource } = resource;
  const what = subresource === '' ? plural : `${plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const cause = `User "${user.username}" cannot ${verbOf(request, resource)} resource "${what}" in API group "${group}" ${where}`;
  throw forbidden({ group, plural }, name, cause);
};

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** What a request does, in the words of RBAC. */
export function verbOf({ method, query }: ApiRequest, { name, watch }: ResourcePath): string {
  if (method === 'GET' || method === 'HEAD') {
    if (watch || boolOf(query, 'watch') === true) return 'watch';
    return name === '' ? 'list' : 'get';
  }
  if (method === 'DELETE' && name === '') return 'deletecollection';
  return verbs[method] ?? method.toLowerCase();
}
