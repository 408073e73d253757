import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import { fromScale, toScale } from '../rest/scale.ts';
import { updateObject } from '../rest/update-object.ts';
import type { ApiResponse } from './api-request.ts';
import { readObject, targetOf } from './object-calls.ts';
import { applyPatch, formatOf, parsePatch } from './patch-call.ts';
import { parseWriteOptions } from './query-options.ts';
import { respondJson } from './respond.ts';
import { writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

const text = new TextDecoder();

export function getScale(deps: ResourceDeps, call: ResourceCall): ApiResponse {
  return respond(call, toScale(call.type, readObject(deps, call)));
}

export async function putScale(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const options = parseWriteOptions(call.request.query, 'UpdateOptions');
  const { value } = await deps.decode(call.request, 'Scale', false);
  return change(deps, call, writeContextOf(call, options), () => value as JsonObject);
}

export async function patchScale(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const format = formatOf(call);
  const options = parseWriteOptions(call.request.query, 'PatchOptions');
  const patch = parsePatch(text.decode(call.request.body), format);
  const scaleType = { ...call.type, schema: {} };
  const next = (current: StoredObject): JsonObject =>
    applyPatch(deps, scaleType, cloneJson(toScale(call.type, current)), patch, format) as JsonObject;
  return change(deps, call, writeContextOf(call, options), next);
}

async function change(
  deps: ResourceDeps,
  call: ResourceCall,
  context: ReturnType<typeof writeContextOf>,
  toNext: (current: StoredObject) => JsonObject,
): Promise<ApiResponse> {
  const next = (current: StoredObject): Draft => fromScale(call.type, current, toNext(current));
  const { object } = await updateObject(deps.rest, targetOf(call), { next }, context);
  return respond(call, toScale(call.type, object));
}

function respond({ negotiated, warnings }: ResourceCall, scale: StoredObject): ApiResponse {
  return respondJson(200, JSON.stringify(scale), negotiated, warnings);
}
