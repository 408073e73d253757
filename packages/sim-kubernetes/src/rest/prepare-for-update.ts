import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { sameJson } from '../registry/same-json.ts';
import type { UpdateSubresource } from '../registry/subresource.ts';
import { metadataOf } from './object-metadata.ts';
import type { RestDeps, WriteTarget } from './rest-deps.ts';

/** Puts back what this write may not change, and counts the generation up when it changes what is wanted. */
export function prepareForUpdate(
  deps: RestDeps,
  { type, subresource }: WriteTarget,
  next: Draft,
  old: StoredObject,
  special: UpdateSubresource | undefined,
): void {
  const metadata = metadataOf(next);
  const { managedFields } = metadata;
  delete metadata['selfLink'];
  if (old.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = old.metadata.generation;

  if (special !== undefined) special.prepareForUpdate(next, old, deps.hooks);
  else if (subresource === 'status') prepareStatus(deps, type, next, old);
  else prepareMain(deps, type, next, old);

  const prepared = metadataOf(next);
  // Whoever wrote the status of an object is recorded too, though the rest of its metadata is put back.
  if (managedFields === undefined) delete prepared['managedFields'];
  else prepared['managedFields'] = managedFields;
  if ((prepared.uid ?? '') === '') prepared.uid = old.metadata.uid;
  prepared.creationTimestamp = old.metadata.creationTimestamp;
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  if (deletionTimestamp !== undefined) prepared.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) prepared.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;
  if (subresource !== 'status' && generationChanged(type, next as JsonObject, old)) {
    prepared.generation = (old.metadata.generation ?? 0) + 1;
  }
}

function prepareMain({ hooks }: RestDeps, type: ResourceType, next: Draft, old: StoredObject): void {
  if (type.origin === 'custom' && type.hasStatus) {
    if (old['status'] === undefined) delete next['status'];
    else next['status'] = cloneJson(old['status']);
  }
  type.strategy.prepareForUpdate?.(next, old, hooks);
}

/** Only the status of what was sent counts, unless the kind has its own rule (pods and nodes take labels as well). */
function prepareStatus({ hooks }: RestDeps, type: ResourceType, next: Draft, old: StoredObject): void {
  if (type.strategy.prepareForStatusUpdate !== undefined) {
    type.strategy.prepareForStatusUpdate(next, old, hooks);
    return;
  }
  const { status } = next;
  const { resourceVersion } = metadataOf(next);
  for (const key of Object.keys(next)) delete next[key];
  Object.assign(next, cloneJson(old));
  if (resourceVersion !== undefined) metadataOf(next).resourceVersion = resourceVersion;
  if (status === undefined) delete next['status'];
  else next['status'] = status;
}

function generationChanged(type: ResourceType, next: JsonObject, old: StoredObject): boolean {
  const { strategy, hasStatus } = type;
  if (strategy.noGeneration) return false;
  if (strategy.generationChanged !== undefined) return strategy.generationChanged(next, old);
  const wanted = ({ metadata: _metadata, status, ...rest }: JsonObject): JsonObject =>
    hasStatus ? rest : { ...rest, status };
  return !sameJson(wanted(next), wanted(old));
}
