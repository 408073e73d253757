import { annotateIn } from '../audit/audit-trail.ts';
import { methodNotAllowed } from '../registry/api-error.ts';
import { storageOf, toServed } from '../registry/convert.ts';
import type { Draft } from '../registry/json.ts';
import type { CallSubresource, SubresourceCall } from '../registry/subresource.ts';
import type { ApiResponse } from './api-request.ts';
import { admitCall } from './admit-call.ts';
import { decodeObject, noteObject } from './object-calls.ts';
import { parseWriteOptions } from './query-options.ts';
import { respondJson } from './respond.ts';
import { checkAcceptable, writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

const verbs: Readonly<Record<string, SubresourceCall['verb']>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Hands a request over to whoever registered the subresource. */
export async function callSubresource(
  deps: ResourceDeps,
  call: ResourceCall,
  handler: CallSubresource,
): Promise<ApiResponse> {
  const { type, path, request, warnings, user } = call;
  const verb = verbs[request.method];
  if (verb === undefined || !handler.verbs.includes(verb)) throw methodNotAllowed();
  const negotiated = checkAcceptable(call);
  const ref = { namespace: path.namespace, name: path.name };
  const parent = deps.rest.store.get(storageOf(type), ref);
  const body =
    handler.name === ''
      ? await decodeObject(deps, call, writeContextOf(call, parseWriteOptions(request.query, 'CreateOptions')))
      : await readCalled(deps, call, handler);
  await admitCall(deps, call, handler, body, parent);
  const answer = await handler.handle({
    verb,
    type,
    ...ref,
    parent: parent && toServed(type, parent),
    body,
    query: request.query,
    dryRun: request.query.getAll('dryRun').includes('All'),
    user,
    annotate: request.audit && annotateIn(request.audit),
    client: deps.client,
    context: deps.rest.hooks,
  });
  if ('response' in answer) return answer.response;
  return respondJson(answer.status, JSON.stringify(answer.object), negotiated, warnings);
}

async function readCalled(
  deps: ResourceDeps,
  call: ResourceCall,
  handler: CallSubresource,
): Promise<Draft | undefined> {
  const body = await decodeLoosely(deps, call, handler);
  return handler.read === undefined ? body : handler.read({ body, query: call.request.query });
}

/** What a subresource takes is checked by itself. */
async function decodeLoosely(
  deps: ResourceDeps,
  { request }: ResourceCall,
  { kind }: CallSubresource,
): Promise<Draft | undefined> {
  const hasBody = (request.method === 'POST' || request.method === 'PUT') && request.body.byteLength > 0;
  if (!hasBody) return undefined;
  const { value } = await deps.decode(request, kind.kind, false);
  noteObject(request, value);
  return value;
}
