import type { AdmissionAttributes } from '../registry/admission.ts';
import { ApiError, alreadyExists, generateNameConflict, invalid, storeTooLarge } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { loadServed, storageOf, toServed, toStored } from '../registry/convert.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import { subdomainName } from '../registry/name-checks.ts';
import { isStoreConflict } from '../storage/store.ts';
import { dropRepeatedOwners, matchNamespace, metadataOf, wipeSystemFields } from './object-metadata.ts';
import { recordManager, storeWithin } from './record-manager.ts';
import { generatedName } from './random-names.ts';
import { admit } from './rest-deps.ts';
import type { RestDeps, WriteContext, WriteTarget } from './rest-deps.ts';
import { validateMetadata } from './validate-metadata.ts';

/** How often a generated name is drawn anew when it is taken. */
const nameAttempts = 8;

/** Stores a new object. The draft is in the form of the target's version, pruned and with defaults. */
export async function createObject(
  deps: RestDeps,
  target: WriteTarget,
  draft: Draft,
  context: WriteContext,
): Promise<StoredObject> {
  const metadata = metadataOf(draft);
  wipeSystemFields(metadata);
  matchNamespace(metadata, target);
  dropRepeatedOwners(metadata, '', context.warn);
  const recording = recordManager(deps, target, undefined, draft, context);
  if (recording !== undefined) await recording;
  const attributes = attributesOf(target, draft, context);
  await admit(deps, 'mutate', attributes);
  target.type.strategy.admitCreate?.(draft, deps.hooks);
  dropRepeatedOwners(metadataOf(draft), ' after mutating admission happens', context.warn);
  const admitted = metadataOf(draft);
  const drawsName = (admitted.name ?? '') === '' && (admitted.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt++) {
    try {
      const copy = drawsName ? cloneJson(draft) : draft;
      return await store(deps, target, copy, context);
    } catch (error) {
      const taken = error instanceof ApiError && error.reason === 'AlreadyExists';
      if (!drawsName || !taken || attempt === nameAttempts) throw error;
    }
  }
}

async function store(deps: RestDeps, target: WriteTarget, draft: Draft, context: WriteContext): Promise<StoredObject> {
  const { type } = target;
  fillSystemFields(deps, target, draft);
  type.strategy.prepareForCreate?.(draft, deps.hooks);
  validateNew(deps, target, draft);
  type.strategy.warnings?.(draft as JsonObject, undefined).forEach(context.warn);
  await admit(deps, 'validate', attributesOf(target, draft, context));
  const metadata = metadataOf(draft);
  // What is no number says nothing.
  if (!context.dryRun && /^\d+$/.test(metadata.resourceVersion ?? '') && Number(metadata.resourceVersion) !== 0) {
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  delete metadata.resourceVersion;
  const home = storageOf(type);
  const ref = { namespace: metadata.namespace, name: metadata.name ?? '' };
  if (deps.store.get(home, ref) !== undefined) throw taken(deps, target, draft);
  const made = toStored(deps.registry, type, draft);
  const stored = made instanceof Promise ? await made : made;
  if (context.dryRun) return shown(type, stored as StoredObject);
  const result = storeWithin(stored, context, (whole) => deps.store.create(home, whole));
  if (isStoreConflict(result)) {
    throw result.conflict === 'too-large' ? storeTooLarge(result.bytes) : taken(deps, target, draft);
  }
  return shown(type, result);
}

async function shown(type: WriteTarget['type'], stored: StoredObject): Promise<StoredObject> {
  const pending = loadServed(type, [stored]);
  if (pending !== undefined) await pending;
  return toServed(type, stored);
}

function fillSystemFields(deps: RestDeps, { type }: WriteTarget, draft: Draft): void {
  const metadata = metadataOf(draft);
  metadata.uid = deps.hooks.uuid();
  metadata.creationTimestamp = deps.hooks.now();
  if ((metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '') {
    metadata.name = generatedName(metadata.generateName ?? '', deps.random);
  }
  if (!type.strategy.noGeneration) metadata.generation = 1;
  if (type.origin === 'custom' && type.hasStatus) delete draft['status'];
}

function validateNew(deps: RestDeps, { type }: WriteTarget, draft: Draft): void {
  const object = draft as JsonObject;
  const errors = validateMetadata(object, type, type.strategy.checkName ?? subdomainName);
  if (type.origin === 'custom') errors.push(...deps.schema.validate(type.schema, object, undefined));
  errors.push(...(type.strategy.validate?.(object, deps.hooks) ?? []));
  if (errors.length > 0) throw invalid(type, metadataOf(draft).name ?? '', errors);
}

function taken(deps: RestDeps, { type }: WriteTarget, draft: Draft): ApiError {
  const { name = '', namespace, generateName = '' } = metadataOf(draft);
  const error = generateName === '' ? alreadyExists(type, name) : generateNameConflict(type, name, 1);
  const existing = deps.store.get(storageOf(type), { namespace, name });
  if (existing?.metadata.deletionTimestamp === undefined) return error;
  const extra = error.details === undefined ? {} : { details: error.details };
  return new ApiError(error.status, error.reason, `object is being deleted: ${error.message}`, extra);
}

function attributesOf(target: WriteTarget, draft: Draft, context: WriteContext): AdmissionAttributes {
  const { type, subresource } = target;
  const name = target.name === '' ? (metadataOf(draft).name ?? '') : target.name;
  const isNamespace = type.group === '' && type.plural === 'namespaces';
  return {
    operation: 'CREATE',
    type,
    subresource,
    namespace: isNamespace ? name : target.namespace,
    name,
    object: draft,
    old: undefined,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', ...context.asked },
    dryRun: context.dryRun,
    user: context.user,
    warn: context.warn,
    annotate: context.annotate,
  };
}
