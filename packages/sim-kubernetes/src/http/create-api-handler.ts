import type { Audit } from '../audit/create-audit.ts';
import { attributesOf } from '../auth/attributes.ts';
import { authorizationWarning } from '../auth/authenticate.ts';
import { forbiddenRequest, mastersGroup } from '../auth/authorizer.ts';
import type { Access } from '../auth/create-access.ts';
import type { UserInfo } from '../registry/admission.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { isApiError, methodNotAllowed } from '../registry/api-error.ts';
import type { ApiHandler, ApiRequest, ApiResponse, NonResourceRoute } from './api-request.ts';
import { ConnectionReset } from './connection-reset.ts';
import { parseResourcePath } from './parse-path.ts';
import { checkTimeout } from './query-options.ts';
import { handleResource } from './resource-handler.ts';
import type { ResourceDeps } from './resource-deps.ts';
import { presentYaml, respondError, respondText } from './respond.ts';

export type ApiHandlerDeps = ResourceDeps & {
  readonly access: Pick<Access, 'authenticate' | 'impersonate' | 'authorizer'>;
  readonly routes: readonly NonResourceRoute[];
  readonly metrics: RequestMetrics;
  /** Told of every request, where somebody wants to know. */
  readonly audit?: Audit | undefined;
  /** Told of what we have no answer for: a fault of the server. */
  readonly onInternalError: (error: unknown) => void;
};

/** The whole server as a function: no sockets, no timers but those of the clock. */
export function createApiHandler(deps: ApiHandlerDeps): ApiHandler {
  const exact = new Map(deps.routes.filter(({ path }) => !isPrefix(path)).map((route) => [route.path, route]));
  const prefixes = deps.routes.filter(({ path }) => isPrefix(path)).toSorted((a, b) => b.path.length - a.path.length);

  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    checkTimeout(request.query.get('timeout') ?? '');
    const user = admitCaller(deps.access, request);
    const resource = parseResourcePath(request.path);
    if (resource !== undefined && deps.rest.registry.hasGroup(resource.group)) {
      return handleResource(deps, request, resource, user);
    }
    const route = exact.get(request.path) ?? prefixes.find(({ path }) => request.path.startsWith(path));
    if (route?.getOnly && request.method !== 'GET') throw methodNotAllowed();
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
    // By this one finds the request in the audit log.
    const auditId = request.headers['audit-id'] ?? deps.rest.hooks.uuid();
    const answered = deps.audit === undefined ? answer(request) : deps.audit.answer(request, auditId, answer);
    const response = deps.metrics.count(request, await presentYaml(await answered));
    const warning = authorizationWarning(request);
    const extra = warning === undefined ? {} : { warning: `299 - "${warning}"` };
    return { ...response, headers: { 'audit-id': auditId, ...extra, ...response.headers } };
  };
}

/** Who the request is made as; throws when nobody knows them, or when they may not. */
function admitCaller(
  { authenticate, impersonate, authorizer }: ApiHandlerDeps['access'],
  request: ApiRequest,
): UserInfo {
  const { audit } = request;
  const caller = authenticate(request);
  if (audit !== undefined) audit.user = caller;
  const user = impersonate(caller, request);
  if (audit !== undefined && user !== caller) audit.actsAs = user;
  if (audit === undefined && user.groups.includes(mastersGroup)) return user;
  const attributes = attributesOf(user, request);
  const { allowed, reason } = authorizer.authorize(attributes);
  if (audit !== undefined) {
    audit.annotations['authorization.k8s.io/decision'] = allowed ? 'allow' : 'forbid';
    audit.annotations['authorization.k8s.io/reason'] = reason;
  }
  if (!allowed) throw forbiddenRequest(attributes, reason);
  return user;
}

const isPrefix = (path: string): boolean => path.endsWith('/') && path !== '/';
