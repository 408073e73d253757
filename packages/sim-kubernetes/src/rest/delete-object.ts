import type { AdmissionAttributes } from '../registry/admission.ts';
import { conflict, invalid, notFound, storeTooLarge } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { loadServed, storageOf, toServed } from '../registry/convert.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { isStoreConflict } from '../storage/store.ts';
import { checkDeleteOptions } from './delete-options.ts';
import type { DeleteOptions } from './delete-options.ts';
import { planDeletion } from './plan-deletion.ts';
import { admit } from './rest-deps.ts';
import type { RestDeps, WriteContext, WriteTarget } from './rest-deps.ts';

/** `removed`: gone from the store. Otherwise the object lives on until its finalizers or its grace period are over. */
export type DeleteResult = { readonly object: StoredObject; readonly removed: boolean };

/** `inCollection`: one of many, which admission sees without its name. */
export async function deleteObject(
  deps: RestDeps,
  target: WriteTarget,
  options: DeleteOptions,
  context: WriteContext,
  inCollection = false,
): Promise<DeleteResult> {
  const { type, namespace, name } = target;
  const problems = checkDeleteOptions(options);
  if (problems.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', problems);
  for (;;) {
    const stored = deps.store.get(storageOf(type), { namespace, name });
    if (stored === undefined) throw notFound(type, name);
    checkPreconditions(type, stored, options);
    await loadServed(type, [stored]);
    await admitDeletion(deps, target, stored, options, context, inCollection);
    const result = await attempt(deps, target, stored, options, context);
    if (result !== undefined) return result;
  }
}

/** `undefined`: somebody else wrote in the meantime. */
async function attempt(
  deps: RestDeps,
  { type, namespace, name }: WriteTarget,
  stored: StoredObject,
  options: DeleteOptions,
  { dryRun }: WriteContext,
): Promise<DeleteResult | undefined> {
  const home = storageOf(type);
  const plan = planDeletion(type, stored, options, deps.clock.now());
  if (plan.kind === 'pending') return { object: toServed(type, stored), removed: false };
  let current = stored;
  if (plan.kind === 'mark' || plan.kind === 'mark-and-remove') {
    const draft = cloneJson(stored) as Draft;
    Object.assign(draft['metadata'] as Draft, plan.metadata);
    if (plan.metadata.finalizers.length === 0) delete (draft['metadata'] as Draft)['finalizers'];
    if (stored.metadata.deletionTimestamp === undefined) type.strategy.prepareForDeletion?.(draft, deps.hooks);
    if (dryRun) return { object: await shown(type, draft as StoredObject), removed: plan.kind === 'mark-and-remove' };
    const marked = deps.store.update(home, draft, stored.metadata.resourceVersion);
    if (isStoreConflict(marked)) {
      if (marked.conflict === 'too-large') throw storeTooLarge(marked.bytes);
      return undefined;
    }
    current = marked;
  }
  if (plan.kind === 'mark' || heldFromRemoval(type, current))
    return { object: await shown(type, current), removed: false };
  if (dryRun) return { object: await shown(type, current), removed: true };
  const removed = deps.store.delete(home, { namespace, name }, current.metadata.resourceVersion);
  return isStoreConflict(removed) ? undefined : { object: await shown(type, current), removed: true };
}

async function shown(type: ResourceType, stored: StoredObject): Promise<StoredObject> {
  await loadServed(type, [stored]);
  return toServed(type, stored);
}

function heldFromRemoval(type: ResourceType, object: StoredObject): boolean {
  return type.strategy.heldFromRemoval?.(object) ?? false;
}

function checkPreconditions(type: ResourceType, { metadata }: StoredObject, { preconditions }: DeleteOptions): void {
  // Here the server names the kind where it names the resource everywhere else.
  const kind = { group: type.group, plural: type.kind };
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    const text = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(kind, metadata.name, text);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const text = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(kind, metadata.name, text);
  }
}

async function admitDeletion(
  deps: RestDeps,
  target: WriteTarget,
  stored: StoredObject,
  options: DeleteOptions,
  context: WriteContext,
  inCollection: boolean,
): Promise<void> {
  const old = toServed(target.type, stored);
  target.type.strategy.admitDelete?.(old, deps.hooks);
  const attributes = attributesOf(inCollection ? { ...target, name: '' } : target, old, options, context);
  await admit(deps, 'mutate', attributes);
  await admit(deps, 'validate', attributes);
}

function attributesOf(
  { type, subresource, namespace, name }: WriteTarget,
  old: StoredObject,
  options: DeleteOptions,
  context: WriteContext,
): AdmissionAttributes {
  const { dryRun = [], ...asked } = options;
  return {
    operation: 'DELETE',
    type,
    subresource,
    namespace: type.group === '' && type.plural === 'namespaces' ? name : namespace,
    name,
    object: undefined,
    old,
    options: {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...asked,
      ...(dryRun.length === 0 ? {} : { dryRun }),
    },
    dryRun: context.dryRun,
    user: context.user,
    warn: context.warn,
    annotate: context.annotate,
  };
}
