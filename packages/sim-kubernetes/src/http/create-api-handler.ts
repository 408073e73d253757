import { attributesOf } from '../auth/attributes.ts';
import { authorizationWarning } from '../auth/authenticate.ts';
import { checkAllowed, mastersGroup } from '../auth/authorizer.ts';
import type { Access } from '../auth/create-access.ts';
import { isApiError } from '../registry/api-error.ts';
import type { ApiHandler, ApiRequest, ApiResponse, NonResourceRoute } from './api-request.ts';
import { ConnectionReset } from './connection-reset.ts';
import { parseResourcePath } from './parse-path.ts';
import { handleResource } from './resource-handler.ts';
import type { ResourceDeps } from './resource-deps.ts';
import { presentYaml, respondError, respondText } from './respond.ts';

export type ApiHandlerDeps = ResourceDeps & {
  readonly access: Pick<Access, 'authenticate' | 'impersonate' | 'authorizer'>;
  readonly routes: readonly NonResourceRoute[];
  /** Told of what we have no answer for: a fault of the server. */
  readonly onInternalError: (error: unknown) => void;
};

/** The whole server as a function: no sockets, no timers but those of the clock. */
export function createApiHandler(deps: ApiHandlerDeps): ApiHandler {
  const exact = new Map(deps.routes.filter(({ path }) => !isPrefix(path)).map((route) => [route.path, route]));
  const prefixes = deps.routes.filter(({ path }) => isPrefix(path)).toSorted((a, b) => b.path.length - a.path.length);

  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    const { authenticate, impersonate, authorizer } = deps.access;
    const user = impersonate(authenticate(request), request);
    if (!user.groups.includes(mastersGroup)) checkAllowed(authorizer, attributesOf(user, request));
    const resource = parseResourcePath(request.path);
    if (resource !== undefined && deps.rest.registry.hasGroup(resource.group)) {
      return handleResource(deps, request, resource, user);
    }
    const route = exact.get(request.path) ?? prefixes.find(({ path }) => request.path.startsWith(path));
    const response = await route?.handle(request);
    return response ?? respondText(404, '404 page not found\n');
  };
  const answer = async (request: ApiRequest): Promise<ApiResponse> => {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof ConnectionReset) throw error;
      if (!isApiError(error)) deps.onInternalError(error);
      return respondError(error);
    }
  };
  return async (request) => {
    const response = await presentYaml(await answer(request));
    // By this one finds the request in the audit log.
    const auditId = request.headers['audit-id'] ?? deps.rest.hooks.uuid();
    const warning = authorizationWarning(request);
    const extra = warning === undefined ? {} : { warning: `299 - "${warning}"` };
    return { ...response, headers: { 'audit-id': auditId, ...extra, ...response.headers } };
  };
}

const isPrefix = (path: string): boolean => path.endsWith('/') && path !== '/';
