import { ApiError, badRequest, invalid, notFound, tooLargeResourceVersion } from '../registry/api-error.ts';
import { apiVersionOf, storageOf, toServed } from '../registry/convert.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { createObject } from '../rest/create-object.ts';
import { updateSubresourceOf } from '../rest/create-rest-client.ts';
import { matchName, matchNamespace, metadataOf } from '../rest/object-metadata.ts';
import type { WriteContext, WriteTarget } from '../rest/rest-deps.ts';
import { shapeObject } from '../rest/shape-object.ts';
import { updateObject } from '../rest/update-object.ts';
import { invalidField } from '../schema/field-errors.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { metadataProblem } from '../kinds/metadata-problem.ts';
import { checkContentType, summaryOf } from './decode-body.ts';
import { parseWriteOptions, versionProblem } from './query-options.ts';
import { respondJson } from './respond.ts';
import { writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

export function targetOf({ type, path }: ResourceCall): WriteTarget {
  return { type, namespace: path.namespace, name: path.name, subresource: path.subresource };
}

export function respondObject(
  deps: ResourceDeps,
  call: ResourceCall,
  status: number,
  object: StoredObject,
): ApiResponse {
  const { type, negotiated, request, warnings } = call;
  return respondJson(status, deps.shape.object(type, object, negotiated, request), negotiated, warnings);
}

export function getObject(deps: ResourceDeps, call: ResourceCall): ApiResponse {
  return respondObject(deps, call, 200, readObject(deps, call));
}

export function readObject({ rest }: ResourceDeps, { type, path, request }: ResourceCall): StoredObject {
  checkReadVersion(type, request.query.get('resourceVersion') ?? '', rest.store.revision());
  const stored = rest.store.get(storageOf(type), { namespace: path.namespace, name: path.name });
  if (stored === undefined) throw notFound(type, path.name);
  return toServed(type, stored);
}

function checkReadVersion(type: ResourceType, asked: string, current: number): void {
  if (asked === '') return;
  const problem = versionProblem(asked);
  // Events are read from the store itself, which refuses in other words than the cache in front of the others.
  if (problem !== undefined && type.plural === 'events') throw badRequest(`invalid resource version: ${problem}`);
  if (problem !== undefined) throw new ApiError(500, '', problem);
  if (Number(asked) > current) throw tooLargeResourceVersion(Number(asked), current);
}

export async function postObject(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  checkContentType(call.request);
  const options = parseWriteOptions(call.request.query, 'CreateOptions');
  const context = writeContextOf(call, options);
  const draft = await decodeObject(deps, call, context);
  const object = await createObject(deps.rest, targetOf(call), draft, context);
  return respondObject(deps, call, 201, object);
}

export async function putObject(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const options = parseWriteOptions(call.request.query, 'UpdateOptions');
  const context = writeContextOf(call, options);
  const draft = await decodeObject(deps, call, context);
  const target = targetOf(call);
  matchNamespace(metadataOf(draft), target);
  matchName(metadataOf(draft), target.name);
  const copy = (): Draft => cloneJson(draft);
  const createsThrough = target.subresource === '' || target.subresource === 'status';
  const mayCreate = createsThrough && (call.type.strategy.allowsCreateOnUpdate ?? false);
  const plan = {
    next: copy,
    uid: metadataOf(draft).uid,
    subresource: updateSubresourceOf(deps.rest, target),
    ...(mayCreate ? { create: copy } : {}),
  };
  const { object, created } = await updateObject(deps.rest, target, plan, context);
  return respondObject(deps, call, created ? 201 : 200, object);
}

/** Reads the body as an object of the call's kind: pruned, with defaults. */
export async function decodeObject(deps: ResourceDeps, call: ResourceCall, context: WriteContext): Promise<Draft> {
  const { request, type } = call;
  const { value, strict } = await deps.decode(request, type.kind, context.fieldValidation !== 'Ignore');
  if (type.origin === 'custom') {
    checkCustomBody(type, value, request.body);
    // Of another kind: that is told of an object that is there.
    const other = typeof value['kind'] === 'string' && value['kind'] !== type.kind;
    if (other && request.method === 'PUT') readObject(deps, call);
  }
  matchKind(deps, type, value);
  shapeObject(deps.rest, type, value, context, strict);
  noteObject(request, value);
  return value;
}

/** What a body is about goes into the audit log. */
export function noteObject({ audit }: ApiRequest, value: Draft): void {
  if (audit === undefined) return;
  const { namespace, name, uid, resourceVersion } = metadataOf(value);
  audit.object = { namespace, name, uid, resourceVersion };
}

/** Custom kinds are decoded by what the body says of itself, so it must say it. */
function checkCustomBody(type: ResourceType, value: Draft, body: Uint8Array): void {
  const missing = !value['kind'] ? 'Kind' : !value['apiVersion'] ? 'apiVersion' : undefined;
  if (missing !== undefined) {
    const raw = new TextDecoder().decode(body);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): Object '${missing}' is missing in '${raw}' (${summaryOf(raw)})`,
    );
  }
  const problem = metadataProblem(value['metadata']);
  if (problem === undefined) return;
  throw badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${problem}`);
}

/** A body without kind or version means what the path means. */
export function matchKind({ rest }: ResourceDeps, type: ResourceType, value: Draft): void {
  const expected = apiVersionOf(type);
  if ((value['apiVersion'] ?? '') === '') value['apiVersion'] = expected;
  if ((value['kind'] ?? '') === '') value['kind'] = type.kind;
  const { apiVersion, kind } = value;
  if (apiVersion === expected && kind === type.kind) return;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof apiVersion === 'string' ? typeof kind : typeof apiVersion} into Go struct field .${typeof apiVersion === 'string' ? 'kind' : 'apiVersion'} of type string`,
    );
  }
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  if (kind === type.kind && (type.origin === 'custom' || rest.registry.findKind(group, version, kind) !== undefined)) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (type.origin === 'custom') {
    const wrong = invalidField('kind', kind, `must be ${type.kind}`);
    throw invalid({ group: type.group, kind }, metadataOf(value).name ?? '', [wrong]);
  }
  const registered = rest.registry.findKind(group, version, kind) !== undefined;
  const problem = registered
    ? `converting (${version}.${kind}) to (${type.group === '' ? 'core' : type.group}.${type.kind}): unknown conversion`
    : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  throw badRequest(`${kind} in version "${version}" cannot be handled as a ${type.kind}: ${problem}`);
}
