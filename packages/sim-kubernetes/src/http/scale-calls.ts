import { applyPatch as applyFields, checkKind, recordWrite } from '../managed-fields/field-manager.ts';
import { entriesOf } from '../managed-fields/managed-entries.ts';
import { toParentEntries, toScaleEntries } from '../managed-fields/scale-entries.ts';
import { replicasPaths, scaleScope } from '../managed-fields/scale-scope.ts';
import { ApiError, badRequest } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { apiVersionOf } from '../registry/convert.ts';
import type { Draft, Json, JsonObject, StoredObject } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import { matchName, metadataOf } from '../rest/object-metadata.ts';
import type { WriteContext } from '../rest/rest-deps.ts';
import { fromScale, toScale, toWritableScale } from '../rest/scale.ts';
import { updateObject } from '../rest/update-object.ts';
import type { ApiResponse } from './api-request.ts';
import { applyType, readConfig, reportRepeated } from './apply-call.ts';
import { contentTypeOf } from './decode-body.ts';
import { noteObject, readObject, targetOf } from './object-calls.ts';
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
  const context = writeContextOf(call, parseWriteOptions(call.request.query, 'UpdateOptions'));
  const { value } = await deps.decode(call.request, 'Scale', false);
  checkScale(call, value);
  matchName(metadataOf(value), call.path.name);
  noteObject(call.request, value);
  return change(
    deps,
    call,
    context,
    recorded(deps, context, () => cloneJson(value)),
  );
}

function checkScale({ type }: ResourceCall, { apiVersion, kind }: Draft): void {
  if (type.origin === 'builtin' && (apiVersion ?? '') === '' && (kind ?? '') === '') return;
  if (apiVersion === 'autoscaling/v1' && kind === 'Scale') return;
  throw badRequest(
    type.origin === 'custom'
      ? 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"'
      : `${String(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a Scale`,
  );
}

export async function patchScale(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  if (contentTypeOf(call.request) === applyType) return applyScale(deps, call);
  const format = formatOf(call);
  const context = writeContextOf(call, parseWriteOptions(call.request.query, 'PatchOptions'));
  const scaleType = { ...call.type, schema: {} };
  const patched = (live: StoredObject): Draft =>
    applyPatch(
      deps,
      scaleType,
      cloneJson(live),
      parsePatch(text.decode(call.request.body), format, context.fieldValidation !== 'Ignore'),
      format,
    );
  return change(deps, call, context, recorded(deps, context, patched));
}

async function applyScale(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const options = parseWriteOptions(call.request.query, 'PatchOptions', true);
  const context = writeContextOf(call, options);
  const { config, repeated } = await readConfig(text.decode(call.request.body));
  const request = { manager: context.fieldManager, force: options.force ?? false, time: deps.rest.hooks.now() };
  return change(deps, call, context, async (live) => {
    const custom = call.type.origin === 'custom';
    checkKind(scaleScope(), config);
    if (custom && entriesOf(live) === undefined) throw notConverted('live', '/', firstManager);
    const applied = await applyFields(scaleScope(), live, config, request);
    if (custom && !sameScale(applied, live)) throw notConverted('new', nameOf(config));
    reportRepeated(repeated, context);
    return applied;
  });
}

const firstManager = 'failed to create manager for existing fields: ';

// The server tries to convert the Scale of a custom resource as if it were one itself, so that it can be applied only
// where that changes nothing.
function notConverted(which: string, name: string, prefix = ''): ApiError {
  return new ApiError(
    500,
    '',
    `${prefix}failed to convert ${which} object (${name}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1`,
  );
}

function nameOf(config: Draft): string {
  const { namespace = '', name = '' } = metadataOf(config);
  return `${namespace}/${name}`;
}

function sameScale(a: Draft, b: StoredObject): boolean {
  return sameJson(withoutManagers(a), withoutManagers(b));
}

function withoutManagers({ metadata, ...rest }: Draft): Draft {
  return { ...rest, metadata: { ...(metadata as Draft), managedFields: undefined } };
}

/** The Scale that a write makes of the one that is there, with its managers. */
type NextScale = (live: StoredObject) => Draft | Promise<Draft>;

function recorded(
  { rest }: ResourceDeps,
  { fieldManager }: WriteContext,
  next: (live: StoredObject) => Draft,
): NextScale {
  return async (live) => {
    const { managedFields: _entries, ...metadata } = live.metadata;
    const scale = next({ ...live, metadata });
    metadataOf(scale);
    await recordWrite(scaleScope(), live, scale, { manager: fieldManager, time: rest.hooks.now() });
    return scale;
  };
}

async function change(
  deps: ResourceDeps,
  call: ResourceCall,
  context: WriteContext,
  toNext: NextScale,
): Promise<ApiResponse> {
  const { type } = call;
  const pathIn = replicasPaths(deps.rest.registry, type);
  const next = async (current: StoredObject): Promise<Draft> => {
    const entries = entriesOf(current) ?? [];
    const scale = toWritableScale(type, current);
    const managedFields = toScaleEntries(entries, pathIn) as Json | undefined;
    const metadata = managedFields === undefined ? scale.metadata : { ...scale.metadata, managedFields };
    const written = await toNext({ ...scale, metadata });
    const draft = fromScale(type, current, written as JsonObject);
    const managers = entriesOf(written as StoredObject) ?? [];
    const after = toParentEntries(entries, managers, apiVersionOf(type), pathIn);
    if (after === undefined) delete metadataOf(draft)['managedFields'];
    else metadataOf(draft)['managedFields'] = after;
    return draft;
  };
  const { object } = await updateObject(deps.rest, targetOf(call), { next }, { ...context, untracked: true });
  return respond(call, toScale(type, object));
}

function respond({ negotiated, warnings }: ResourceCall, scale: StoredObject): ApiResponse {
  return respondJson(200, JSON.stringify(scale), negotiated, warnings);
}
