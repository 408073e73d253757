import type { AdmissionAttributes } from '../registry/admission.ts';
import { ApiError, conflict, invalid, modified, notFound, storeTooLarge } from '../registry/api-error.ts';
import { loadServed, storageOf, toServed, toStored } from '../registry/convert.ts';
import type { FieldError } from '../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import type { UpdateSubresource } from '../registry/subresource.ts';
import { keepTimes } from '../managed-fields/keep-times.ts';
import { isStoreConflict } from '../storage/store.ts';
import { invalidField } from '../schema/field-errors.ts';
import { createObject } from './create-object.ts';
import { dropRepeatedOwners, matchName, matchNamespace, metadataOf } from './object-metadata.ts';
import { prepareForUpdate } from './prepare-for-update.ts';
import { recordManager, storeWithin } from './record-manager.ts';
import { isRemovable } from './removal.ts';
import { admit } from './rest-deps.ts';
import type { RestDeps, WriteContext, WriteTarget } from './rest-deps.ts';
import { validateMetadataUpdate } from './validate-metadata.ts';

export type UpdatePlan = {
  /** The new object in the target's version, from the current one; `undefined` leaves everything as it is. */
  readonly next: (current: StoredObject) => Draft | undefined | Promise<Draft>;
  /** For writes that may create: the object then. */
  readonly create?: () => Draft | Promise<Draft>;
  /** The uid that the caller expects. */
  readonly uid?: string | undefined;
  /** Rules of a subresource that is neither the object nor its status. */
  readonly subresource?: UpdateSubresource | undefined;
};

export type UpdateResult = { readonly object: StoredObject; readonly created: boolean };

/** Reads, changes and writes one object; starts over when another writer came in between. */
export async function updateObject(
  deps: RestDeps,
  target: WriteTarget,
  plan: UpdatePlan,
  context: WriteContext,
): Promise<UpdateResult> {
  const { type, namespace, name } = target;
  for (;;) {
    const stored = deps.store.get(storageOf(type), { namespace, name });
    if (stored === undefined) {
      if (plan.create === undefined) throw notFound(type, name);
      return { object: await createObject(deps, target, await plan.create(), context), created: true };
    }
    const object = await attempt(deps, target, stored, plan, context);
    if (object !== undefined) return { object, created: false };
  }
}

/** `undefined`: somebody else wrote in the meantime. */
async function attempt(
  deps: RestDeps,
  target: WriteTarget,
  stored: StoredObject,
  plan: UpdatePlan,
  context: WriteContext,
): Promise<StoredObject | undefined> {
  const { type } = target;
  const pending = loadServed(type, [stored]);
  if (pending !== undefined) await pending;
  const current = toServed(type, stored);
  checkUid(target, plan.uid, current);
  const made = plan.next(current);
  const next = made instanceof Promise ? await made : made;
  if (next === undefined) return current;
  matchNamespace(metadataOf(next), target);
  matchName(metadataOf(next), target.name);
  dropRepeatedOwners(metadataOf(next), '', context.warn);
  const recording = recordManager(deps, target, current, next, context);
  if (recording !== undefined) await recording;
  const attributes = attributesOf(target, next, current, context);
  await admit(deps, 'mutate', attributes);
  dropRepeatedOwners(metadataOf(next), ' after mutating admission happens', context.warn);
  checkVersion(target, next, current);
  prepareForUpdate(deps, target, next, current, plan.subresource);
  metadataOf(next).resourceVersion = current.metadata.resourceVersion;
  keepTimes(next, current);
  validateChange(deps, target, next, current, plan.subresource);
  type.strategy.warnings?.(next as JsonObject, current).forEach(context.warn);
  await admit(deps, 'validate', attributesOf(target, next, current, context));
  return write(deps, target, stored, next, context);
}

async function write(
  deps: RestDeps,
  { type, namespace, name }: WriteTarget,
  stored: StoredObject,
  next: Draft,
  context: WriteContext,
): Promise<StoredObject | undefined> {
  const expected = stored.metadata.resourceVersion;
  const home = storageOf(type);
  metadataOf(next).resourceVersion = expected;
  const made = toStored(deps.registry, type, next);
  const draft = made instanceof Promise ? await made : made;
  if (isRemovable(type, next, stored)) {
    if (context.dryRun) return shown(type, draft as StoredObject);
    const removed = deps.store.delete(home, { namespace, name }, expected);
    return isStoreConflict(removed) ? undefined : shown(type, draft as StoredObject);
  }
  if (sameJson(draft, stored)) return shown(type, stored);
  if (context.dryRun) return shown(type, draft as StoredObject);
  const result = storeWithin(draft, context, (whole) => deps.store.update(home, whole, expected));
  if (!isStoreConflict(result)) return shown(type, result);
  if (result.conflict === 'too-large') throw storeTooLarge(result.bytes);
  return undefined;
}

async function shown(type: WriteTarget['type'], stored: StoredObject): Promise<StoredObject> {
  const pending = loadServed(type, [stored]);
  if (pending !== undefined) await pending;
  return toServed(type, stored);
}

function checkUid({ type, namespace, name }: WriteTarget, uid: string | undefined, { metadata }: StoredObject): void {
  if (uid === undefined || uid === '' || uid === metadata.uid) return;
  const key = ['/registry', type.origin === 'custom' ? type.group : '', type.plural, namespace ?? '', name];
  const place = key.filter((part) => part !== '').join('/');
  throw conflict(
    type,
    name,
    `StorageError: invalid object, Code: 4, Key: ${place}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
  );
}

function checkVersion({ type, name }: WriteTarget, next: Draft, { metadata }: StoredObject): void {
  const given = metadataOf(next).resourceVersion ?? '';
  if (given !== '' && !/^\d+$/.test(given)) {
    throw new ApiError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  if (given === '' || Number(given) === 0) {
    if (type.strategy.allowsUnconditionalUpdate ?? type.origin === 'builtin') {
      metadataOf(next).resourceVersion = metadata.resourceVersion;
      return;
    }
    const error = invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
    // The server names the resource here where it names the kind everywhere else.
    throw invalid({ group: type.group, kind: type.plural }, name, [error]);
  }
  if (given !== metadata.resourceVersion) throw modified(type, name);
}

function validateChange(
  deps: RestDeps,
  { type, subresource, name }: WriteTarget,
  draft: Draft,
  current: StoredObject,
  special: UpdateSubresource | undefined,
): void {
  const next = draft as JsonObject;
  const errors: FieldError[] = validateMetadataUpdate(next, current, type);
  if (type.origin === 'custom') {
    const part = subresource === 'status' ? 'status' : undefined;
    errors.push(...deps.schema.validate(type.schema, next, current, part));
  }
  if (special !== undefined) errors.push(...(special.validateUpdate?.(next, current, deps.hooks) ?? []));
  else if (subresource === 'status') errors.push(...(type.strategy.validateStatusUpdate?.(next) ?? []));
  else {
    errors.push(...(type.strategy.validate?.(next, deps.hooks) ?? []));
    errors.push(...(type.strategy.validateUpdate?.(next, current, deps.hooks) ?? []));
  }
  if (errors.length > 0) throw invalid(type, name, errors);
}

function attributesOf(
  { type, subresource, namespace, name }: WriteTarget,
  object: Draft,
  old: StoredObject,
  context: WriteContext,
): AdmissionAttributes {
  const isNamespace = type.group === '' && type.plural === 'namespaces';
  return {
    operation: 'UPDATE',
    type,
    subresource,
    namespace: isNamespace ? name : namespace,
    name,
    object,
    old,
    options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1', ...context.asked },
    dryRun: context.dryRun,
    user: context.user,
    warn: context.warn,
    annotate: context.annotate,
  };
}
