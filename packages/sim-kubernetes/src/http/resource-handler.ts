import type { UserInfo } from '../registry/admission.ts';
import { badRequest, isApiError, methodNotAllowed, notFound, pathNotFound } from '../registry/api-error.ts';
import { loadServed, storageOf } from '../registry/convert.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { listObjects } from '../rest/list-objects.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { deleteMany, deleteOne } from './delete-calls.ts';
import { checkWatchable, negotiate } from './negotiate.ts';
import type { Negotiated } from './negotiate.ts';
import { getObject, postObject, putObject } from './object-calls.ts';
import type { ResourcePath } from './parse-path.ts';
import { checkPatchType, patchObject } from './patch-call.ts';
import { parseListOptions } from './query-options.ts';
import { respondError, respondJson, respondText } from './respond.ts';
import { checkAcceptable } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';
import { getScale, patchScale, putScale } from './scale-calls.ts';
import { callSubresource } from './subresource-call.ts';
import { respondWatch } from './watch-response.ts';

type Verb = (deps: ResourceDeps, call: ResourceCall) => ApiResponse | Promise<ApiResponse>;
type Verbs = Readonly<Record<string, readonly [name: string, verb: Verb]>>;

const ofCollection: Verbs = {
  GET: ['list', listOrWatch],
  POST: ['create', postObject],
  DELETE: ['deletecollection', deleteMany],
};
const ofObject: Verbs = {
  GET: ['get', getOrWatch],
  PUT: ['update', putObject],
  PATCH: ['patch', patchObject],
  DELETE: ['delete', deleteOne],
};
const ofUpdate: Verbs = { GET: ['get', getObject], PUT: ['update', putObject], PATCH: ['patch', patchObject] };
/** What the handler of custom kinds names when it refuses it. */
const neverOnStatus: Readonly<Record<string, string>> = { POST: 'create', DELETE: 'delete' };
const ofScale: Verbs = { GET: ['get', getScale], PUT: ['update', putScale], PATCH: ['patch', patchScale] };

/** Everything below `/api/v1` and `/apis/GROUP/VERSION` that names a resource. */
export async function handleResource(
  deps: ResourceDeps,
  request: ApiRequest,
  path: ResourcePath,
  user: UserInfo,
): Promise<ApiResponse> {
  const known = deps.rest.registry.find(path.group, path.version, path.plural);
  const type = request.path.includes('//') ? undefined : known;
  if (type === undefined || !isRightPlace(type, path, request.method)) {
    // The part of the server that serves custom resources lets go of what it does not know; the other one answers.
    if (isCustomGroup(deps, path.group)) return respondText(404, '404 page not found\n');
    throw pathNotFound();
  }
  checkRoute(type, request, path);
  const warnings = type.deprecationWarning === undefined ? [] : [type.deprecationWarning];
  if (request.audit !== undefined && warnings.length > 0) request.audit.annotations['k8s.io/deprecated'] = 'true';
  const call = createCall(request, path, type, user, warnings);
  try {
    return await handleCall(deps, call);
  } catch (error) {
    // What was warned of is told with a refusal as well.
    if (warnings.length === 0 || !isApiError(error)) throw error;
    return respondError(error, undefined, warnings);
  }
}

/** What the router in front of built-in kinds refuses. */
function checkRoute({ origin }: ResourceType, { method }: ApiRequest, { watch }: ResourcePath): void {
  if (origin === 'custom') return;
  if (watch && method !== 'GET') throw methodNotAllowed();
}

/** Custom kinds take a HEAD, and whatever goes to a path of watches, for a GET, and of what stands below an object only the first part. */
function createCall(
  request: ApiRequest,
  path: ResourcePath,
  type: ResourceType,
  user: UserInfo,
  warnings: string[],
): ResourceCall {
  const custom = type.origin === 'custom';
  const reads = request.method === 'HEAD' || path.watch;
  const asked = custom && reads ? { ...request, method: 'GET' } : request;
  const [subresource = ''] = path.subresource.split('/');
  let negotiated: Negotiated | undefined;
  return {
    request: asked,
    path: custom ? { ...path, subresource } : path,
    type,
    user,
    warnings,
    get negotiated() {
      return (negotiated ??= negotiate(request, hasTable(type, subresource) ? 'all' : 'no-table'));
    },
  };
}

/** What is answered below these paths cannot be shown as a table. */
function hasTable({ group }: ResourceType, subresource: string): boolean {
  return subresource !== 'finalize' && !(group === 'apiextensions.k8s.io' && subresource === 'status');
}

async function handleCall(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const { type, path, request } = call;
  if (type.convertRemotely !== undefined && request.method === 'GET') await loadNamed(deps, call);
  if (path.subresource !== '') return handleSubresource(deps, call);
  // A kind that is never stored: its create is a call (Binding).
  const calling = deps.rest.registry.subresource(type.group, type.plural, '');
  if (calling?.form === 'call') {
    if (path.name !== '' || (type.namespaced && path.namespace === undefined)) throw pathNotFound();
    return callSubresource(deps, call, calling);
  }
  const verbs = type.origin === 'custom' ? customVerbs(call) : path.name === '' ? ofCollection : ofObject;
  return run(deps, call, verbs, type.verbs);
}

/** What a read is about, brought into its version. */
async function loadNamed({ rest }: ResourceDeps, { type, path }: ResourceCall): Promise<void> {
  const stored = rest.store.get(storageOf(type), { namespace: path.namespace, name: path.name });
  if (stored !== undefined) await loadServed(type, [stored]);
}

/** Custom resources have no router in front: a method that does not fit the path reaches the verb all the same. */
function customVerbs({ path: { name } }: ResourceCall): Verbs {
  return name === ''
    ? { ...ofCollection, PUT: ['update', nameless], PATCH: ['patch', nameless] }
    : { ...ofObject, POST: ['create', postObject] };
}

function nameless(): never {
  throw badRequest('name must be provided');
}

function isCustomGroup({ rest }: ResourceDeps, group: string): boolean {
  return rest.registry.all().every((type) => type.group !== group || type.origin === 'custom');
}

function handleSubresource(deps: ResourceDeps, call: ResourceCall): ApiResponse | Promise<ApiResponse> {
  const { type, path } = call;
  if (path.subresource === 'scale' && type.scale !== undefined) return run(deps, call, ofScale);
  const handler = deps.rest.registry.subresource(type.group, type.plural, path.subresource);
  if (handler?.form === 'call') return callSubresource(deps, call, handler);
  if (handler?.form === 'update') return run(deps, call, ofUpdate, handler.verbs);
  if (path.subresource === 'status' && type.hasStatus) {
    const refused = type.origin === 'custom' ? neverOnStatus[call.request.method] : undefined;
    if (refused !== undefined) throw methodNotAllowed(type, refused);
    return run(deps, call, ofUpdate);
  }
  throw type.origin === 'custom' ? notFound(type, path.name) : pathNotFound();
}

function run(
  deps: ResourceDeps,
  call: ResourceCall,
  verbs: Verbs,
  allowed?: readonly string[],
): ApiResponse | Promise<ApiResponse> {
  const found = verbs[call.request.method];
  if (found === undefined) throw methodNotAllowed();
  const [name, verb] = found;
  if (allowed !== undefined && !allowed.includes(name)) throw methodNotAllowed();
  const acrossNamespaces = call.type.namespaced && call.path.namespace === undefined;
  if (acrossNamespaces && name !== 'list') throw methodNotAllowed();
  if (name === 'patch') checkPatchType(call);
  if (verb !== nameless) checkAcceptable(call);
  return verb(deps, call);
}

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Namespaced objects are found below a namespace only, cluster-wide ones never; lists go across namespaces. */
function isRightPlace(type: ResourceType, { namespace, name, watch }: ResourcePath, method: string): boolean {
  if (!type.namespaced) return namespace === undefined;
  if (namespace === undefined && type.origin === 'custom') return name === '' && (watch || readingMethods.has(method));
  return namespace !== undefined || name === '';
}

async function listOrWatch(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const { type, path, request, negotiated, warnings } = call;
  const options = parseListOptions(request.query, type, path.name, path.watch);
  const { namespace } = path;
  if (options.watch || path.watch) {
    checkWatchable(negotiated);
    if (!type.verbs.includes('watch')) throw methodNotAllowed(type, 'watch');
    return respondWatch(deps.rest, deps.shape, { type, namespace, options, negotiated, request });
  }
  const listed = listObjects(deps.rest.store, type, { ...options, namespace });
  const list = listed instanceof Promise ? await listed : listed;
  return respondJson(200, deps.shape.list(type, list, negotiated, request), negotiated, warnings);
}

/** The old form `/api/v1/watch/...` also watches single objects. */
function getOrWatch(deps: ResourceDeps, call: ResourceCall): ApiResponse | Promise<ApiResponse> {
  return call.path.watch ? listOrWatch(deps, call) : getObject(deps, call);
}
