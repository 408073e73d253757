import {
  ApiError,
  badRequest,
  internalError,
  invalid,
  unreadPart,
  unsupportedMediaType,
} from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { apiVersionOf } from '../registry/convert.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { goValue } from '../patch/go-value.ts';
import { metadataProblem } from '../kinds/metadata-problem.ts';
import { unstructuredProblem } from '../patch/unstructured-problem.ts';
import { updateSubresourceOf } from '../rest/create-rest-client.ts';
import type { WriteContext } from '../rest/rest-deps.ts';
import { shapeObject } from '../rest/shape-object.ts';
import { updateObject } from '../rest/update-object.ts';
import { invalidField } from '../schema/field-errors.ts';
import { goJson } from '../schema/go-format.ts';
import type { ApiResponse } from './api-request.ts';
import { applyObject, applyType } from './apply-call.ts';
import { checkSize, contentTypeOf } from './decode-body.ts';
import { goJsonError } from '../schema/go-json-error.ts';
import { matchKind, respondObject, targetOf } from './object-calls.ts';
import { parseWriteOptions } from './query-options.ts';
import { repeatedFields } from './repeated-fields.ts';
import { writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

export type PatchFormat = 'json' | 'merge' | 'strategic';

const formats: Readonly<Record<string, PatchFormat>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};
const longestJsonPatch = 10_000;
const text = new TextDecoder();

export async function patchObject(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const { type, request } = call;
  if (contentTypeOf(request) === applyType) return applyObject(deps, call);
  const format = formatOf(call);
  checkSize(request.body);
  const context = writeContextOf(call, parseWriteOptions(request.query, 'PatchOptions'));
  const body = text.decode(request.body);
  const checksRepeated = context.fieldValidation !== 'Ignore';
  const strict = checksRepeated ? repeatedFields(body).map((path) => repeatedText(path, format)) : [];
  const next = (current: StoredObject): Draft => {
    // A patch is read when there is something to patch.
    const patch = parsePatch(body, format, checksRepeated);
    const patched = applyPatch(deps, type, current, patch, format);
    return shapePatched(deps, type, patched, context, strict, format === 'strategic' ? patch : undefined);
  };
  const target = targetOf(call);
  const plan = { next, subresource: updateSubresourceOf(deps.rest, target) };
  const { object } = await updateObject(deps.rest, target, plan, context);
  return respondObject(deps, call, 200, object);
}

export function applyPatch(
  { patches }: Pick<ResourceDeps, 'patches'>,
  { schema }: ResourceType,
  current: JsonObject,
  patch: unknown,
  format: PatchFormat,
): Draft {
  switch (format) {
    case 'json':
      return patches.jsonPatch(current, patch);
    case 'merge':
      return patches.mergePatch(current, patch as JsonObject);
    case 'strategic':
      return patches.strategicMergePatch(current, patch as JsonObject, schema);
    default:
      return format satisfies never;
  }
}

/** The result of a patch is decoded like a body, but what is wrong with it counts as a fault of the patch. */
function shapePatched(
  deps: ResourceDeps,
  type: ResourceType,
  patched: Draft,
  context: WriteContext,
  strict: readonly string[],
  strategic: unknown,
): Draft {
  const draft = cloneJson(patched);
  // It is applied to a value of the kind, whose name is not part of it.
  if (strategic !== undefined) nameKind(type, draft);
  else checkVersioned(type, draft);
  try {
    matchKind(deps, type, draft);
    shapeObject(deps.rest, type, draft, context, strict);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const problem = unreadPart(error);
    // Of a strategic merge patch the server shows the patch, of the others what it made.
    const [shown, text] =
      strategic === undefined ? [goJson(patched), problem] : [goValue(strategic), unstructuredProblem(problem)];
    throw invalid({ group: '', kind: '' }, '', [invalidField('patch', shown, text)]);
  }
  return draft;
}

function nameKind(type: ResourceType, draft: Draft): void {
  if (typeof (draft['apiVersion'] ?? '') === 'string') draft['apiVersion'] = apiVersionOf(type);
  if (typeof (draft['kind'] ?? '') === 'string') draft['kind'] = type.kind;
}

/** Nothing stands for a version that a patch took away. */
function checkVersioned({ origin }: ResourceType, { apiVersion, kind, metadata }: Draft): void {
  const problem = (kind ?? '') === '' ? "Object 'Kind' is missing" : metadataProblem(metadata);
  if (origin === 'custom' && problem !== undefined) {
    throw invalid({ group: '', kind: '' }, '', [invalidField('patch', '', problem)]);
  }
  if ((apiVersion ?? '') !== '') return;
  if (origin === 'custom') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  const { name = '' } = (metadata ?? {}) as { readonly name?: string };
  throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

/** Refuses what is no patch. */
export function checkPatchType(call: Pick<ResourceCall, 'type' | 'request'>): void {
  if (contentTypeOf(call.request) !== applyType) formatOf(call);
}

export function formatOf({ type, request }: Pick<ResourceCall, 'type' | 'request'>): PatchFormat {
  const contentType = contentTypeOf(request);
  const accepted = Object.keys(formats).filter((name) => type.origin === 'builtin' || !name.includes('strategic'));
  const format = accepted.includes(contentType) ? formats[contentType] : undefined;
  if (format !== undefined) return format;
  if (type.origin === 'builtin' && !contentType.endsWith('-patch+json')) {
    // The router of built-in kinds refuses before the handler sees the request.
    throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
  }
  throw unsupportedMediaType([...accepted, applyType]);
}

const versionAndKind =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export function parsePatch(body: string, format: PatchFormat, checksTexts: boolean): unknown {
  let patch: unknown;
  try {
    patch = JSON.parse(body);
  } catch {
    const problem = goJsonError(body) ?? 'invalid character';
    throw badRequest(format === 'strategic' ? problem : `error decoding patch: ${problem}`);
  }
  if (format === 'json') {
    if (patch === null) return [];
    if (!Array.isArray(patch)) throw badRequest(`error decoding patch: ${cannotRead(patch, '[]handlers.jsonPatchOp')}`);
    for (const operation of patch as readonly unknown[]) {
      // Read as an operation without a name, which is refused when it comes to it.
      if (operation === null) continue;
      if (!isObject(operation))
        throw badRequest(`error decoding patch: ${cannotRead(operation, 'handlers.jsonPatchOp')}`);
      if (checksTexts) checkTexts(operation as JsonObject);
    }
    if (patch.length > longestJsonPatch) {
      const problem = `The allowed maximum operations in a JSON patch is ${longestJsonPatch}, got ${patch.length}`;
      throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: ${problem}`);
    }
    return patch;
  }
  if (patch === null && format === 'strategic') return {};
  if (Array.isArray(patch) && format === 'merge' && !checksTexts) {
    // Not looked at before, it becomes the object, which it cannot be.
    const problem = `couldn't get version/kind; json parse error: ${cannotRead(patch, versionAndKind)}`;
    throw invalid({ group: '', kind: '' }, '', [invalidField('patch', body, problem)]);
  }
  if (!isObject(patch)) {
    const problem = cannotRead(patch, 'map[string]interface {}');
    throw badRequest(format === 'merge' ? `error decoding patch: ${problem}` : problem);
  }
  return patch;
}

/** Who looks for fields that are given twice reads each operation at once. */
function checkTexts(operation: JsonObject): void {
  for (const field of ['op', 'path', 'from']) {
    const value = operation[field] ?? '';
    if (typeof value === 'string') continue;
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go struct field jsonPatchOp.${field} of type string`,
    );
  }
}

function repeatedText(path: string, format: PatchFormat): string {
  const text = `duplicate field ${JSON.stringify(path)}`;
  return format === 'json' ? `json patch ${text}` : text;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cannotRead(value: unknown, into: string): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go value of type ${into}`;
}
