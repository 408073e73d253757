import type { RepeatedKey } from '@tributary/runtime/yaml';
import { applyPatch } from '../managed-fields/field-manager.ts';
import { fieldScopeOf } from '../managed-fields/field-scope-of.ts';
import { ApiError, badRequest, conflict, unreadPart } from '../registry/api-error.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { updateSubresourceOf } from '../rest/create-rest-client.ts';
import { matchName, matchNamespace, metadataOf } from '../rest/object-metadata.ts';
import type { RestDeps, WriteContext, WriteTarget } from '../rest/rest-deps.ts';
import { shapeObject } from '../rest/shape-object.ts';
import { updateObject } from '../rest/update-object.ts';
import { firstBracketed } from './first-yaml.ts';
import type { ApiResponse } from './api-request.ts';
import { checkSize, repeatedText } from './decode-body.ts';
import { respondObject, targetOf } from './object-calls.ts';
import { parseWriteOptions } from './query-options.ts';
import { writeContextOf } from './resource-deps.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';

export const applyType = 'application/apply-patch+yaml';

const text = new TextDecoder();

/** Server-side apply: the body is what its manager wants, and nothing but that. */
export async function applyObject(deps: ResourceDeps, call: ResourceCall): Promise<ApiResponse> {
  const { request } = call;
  checkSize(request.body);
  const options = parseWriteOptions(request.query, 'PatchOptions', true);
  const context = { ...writeContextOf(call, options), untracked: true };
  const { config, repeated } = await readConfig(text.decode(request.body));
  const target = targetOf(call);
  const force = options.force ?? false;
  const merge = async (live: StoredObject | undefined): Promise<Draft> => {
    const draft = await mergeConfig(deps, target, live, config, { context, force });
    reportRepeated(repeated, context);
    return draft;
  };
  const create = async (): Promise<Draft> => checkNew(await merge(undefined), target);
  const plan = {
    next: merge,
    subresource: updateSubresourceOf(deps.rest, target),
    ...(mayCreate(target) ? { create } : {}),
  };
  const { object, created } = await updateObject(deps.rest, target, plan, context);
  return respondObject(deps, call, created ? 201 : 200, object);
}

/** A part of an object cannot be there before the object is, but for the status of what any write may create. */
function mayCreate({ type, subresource }: WriteTarget): boolean {
  return subresource === '' || (subresource === 'status' && (type.strategy.allowsCreateOnUpdate ?? false));
}

export type AppliedConfig = { readonly config: Draft; readonly repeated: readonly RepeatedKey[] };

export async function readConfig(body: string): Promise<AppliedConfig> {
  const { parseRepeatingYaml } = await import('@tributary/runtime/yaml');
  let read: ReturnType<typeof parseRepeatingYaml>;
  try {
    read = parseRepeatingYaml(firstBracketed(body) ?? body);
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${(error as Error).message}`);
  }
  const { value, repeated } = read;
  if (value === null || value === undefined) return { config: {}, repeated };
  if (typeof value === 'object' && !Array.isArray(value)) return { config: value as Draft, repeated };
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  );
}

async function mergeConfig(
  { rest }: ResourceDeps,
  { type, subresource }: WriteTarget,
  live: StoredObject | undefined,
  config: Draft,
  { context, force }: { readonly context: WriteContext; readonly force: boolean },
): Promise<Draft> {
  const scope = fieldScopeOf(rest.registry, type, subresource);
  const request = { manager: context.fieldManager, force, time: rest.hooks.now() };
  const draft = await applyPatch(scope, live, config, request);
  const { managedFields } = metadataOf(draft);
  delete metadataOf(draft)['managedFields'];
  try {
    shapeApplied(rest, type, draft, context);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const problem = unreadPart(error);
    const { namespace = '', name = '' } = metadataOf(config);
    const kind = `${type.group}/${type.version}, Kind=${type.kind}`;
    throw new ApiError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: ${problem}`,
    );
  }
  if (managedFields !== undefined) metadataOf(draft)['managedFields'] = managedFields;
  return draft;
}

/** Of a custom resource nothing is cut off: a null that is left of what was removed stands, and may be refused. */
function shapeApplied(rest: RestDeps, type: ResourceType, draft: Draft, context: WriteContext): void {
  if (type.origin === 'builtin') return shapeObject(rest, type, draft, { ...context, fieldValidation: 'Ignore' }, []);
  rest.schema.applyDefaults(type.schema, draft);
  type.strategy.applyDefaults?.(draft);
}

export function reportRepeated(repeated: readonly RepeatedKey[], { fieldValidation, warn }: WriteContext): void {
  if (repeated.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${repeatedText(repeated)}`);
  }
  for (const { key, line } of repeated) warn(`line ${line}: key ${JSON.stringify(key)} already set in map`);
}

function checkNew(draft: Draft, target: WriteTarget): Draft {
  const metadata = metadataOf(draft);
  const { uid = '' } = metadata;
  if (uid !== '') {
    const cause = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(target.type, target.name, cause);
  }
  matchNamespace(metadata, target);
  matchName(metadata, target.name);
  // Which version is meant says nothing where there is none.
  delete metadata.resourceVersion;
  return draft;
}
