import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { metadataOf } from './object-metadata.ts';

/** An object on its way out goes with the write that ends the last reason to keep it. */
export function isRemovable(type: ResourceType, next: Draft, old: StoredObject): boolean {
  if ((metadataOf(next).finalizers ?? []).length > 0) return false;
  if (old.metadata.deletionTimestamp === undefined) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return !(type.strategy.heldFromRemoval?.(next as JsonObject) ?? false);
}
