import { badRequest, invalid, unreadPart } from '../registry/api-error.ts';
import type { StatusBody } from '../registry/api-error.ts';
import { normalizeObject } from '../kinds/normalize-object.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { deleteObject } from '../rest/delete-object.ts';
import { checkDeleteOptions } from '../rest/delete-options.ts';
import type { DeleteOptions } from '../rest/delete-options.ts';
import { listObjects } from '../rest/list-objects.ts';
import { isApiError } from '../registry/api-error.ts';
import type { WriteContext } from '../rest/rest-deps.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { respondObject, targetOf } from './object-calls.ts';
import { boolOf, intOf, parseListOptions } from './query-options.ts';
import { respondJson } from './respond.ts';
import { writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

export async function deleteOne(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const options = await readDeleteOptions(deps, call.request);
  const { object, removed } = await deleteObject(deps.rest, targetOf(call), options, contextOf(call, options));
  if (!removed || call.type.strategy.returnsDeletedObject) {
    const status = !removed && options.orphanDependents === false ? 202 : 200;
    return respondObject(deps, call, status, object);
  }
  return respondJson(200, JSON.stringify(success(call.type, object)), call.negotiated, call.warnings);
}

/** Deletes what a list with the same parameters would show, one after the other; the answer is that list. */
export async function deleteMany(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const { type, path, request, negotiated } = call;
  const list = parseListOptions(request.query, type, '');
  const options = await readDeleteOptions(deps, request);
  const problems = checkDeleteOptions(options);
  if (problems.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', problems);
  const context = contextOf(call, options);
  const found = await listObjects(deps.rest.store, type, { ...list, namespace: path.namespace });
  for (const { metadata } of found.items) {
    const target = { type, namespace: metadata.namespace, name: metadata.name, subresource: '' };
    try {
      await deleteObject(deps.rest, target, options, context, true);
    } catch (error) {
      if (!isApiError(error) || error.status !== 404) throw error;
    }
  }
  return respondJson(200, deps.shape.list(type, found, negotiated, request), negotiated, call.warnings);
}

function contextOf(call: ResourceCall, { dryRun = [] }: DeleteOptions): WriteContext {
  const options = { dryRun: dryRun.length > 0, fieldManager: '', fieldValidation: 'Ignore' as const, force: undefined };
  return writeContextOf(call, options);
}

/** Options come in the body, or in the query when there is no body. */
async function readDeleteOptions(deps: ResourceDeps, request: ApiRequest): Promise<DeleteOptions> {
  if (request.body.byteLength === 0) return fromQuery(request.query);
  const { value } = await decodeOptions(deps, request);
  checkTypes(value);
  const { kind, apiVersion } = value as JsonObject;
  if ((kind ?? '') !== '' && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify((apiVersion ?? '') === '' ? 'v1' : apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  return withoutNulls(value);
}

/** Options are read as Go reads them, so a value of another type is refused. */
function checkTypes(value: object): void {
  try {
    normalizeObject(cloneJson(value) as Draft, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw badRequest(unreadPart(error));
  }
}

async function decodeOptions(deps: ResourceDeps, request: ApiRequest): Promise<{ readonly value: object }> {
  try {
    return await deps.decode(request, 'DeleteOptions', false);
  } catch (error) {
    if (!isApiError(error) || error.status !== 400) throw error;
    const problem = /couldn't get version\/kind; .*(?= \()/s.exec(error.message)?.[0];
    throw badRequest(problem ?? error.message);
  }
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const gracePeriodSeconds = intOf(query, 'gracePeriodSeconds');
  const orphanDependents = boolOf(query, 'orphanDependents');
  const propagationPolicy = query.get('propagationPolicy');
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  const preconditions = { ...(uid === null ? {} : { uid }), ...(resourceVersion === null ? {} : { resourceVersion }) };
  return {
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
    dryRun: query.getAll('dryRun'),
  };
}

function success(type: ResourceType, { metadata }: StoredObject): StatusBody {
  const group = type.group === '' ? {} : { group: type.group };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...group, kind: type.plural, uid: metadata.uid },
  };
}
