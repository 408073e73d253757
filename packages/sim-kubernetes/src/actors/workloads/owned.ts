import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { child, items, text } from '../../kinds/draft-fields.ts';
import { hasCondition } from '../../kinds/cells/cell-text.ts';

export const pods = { group: '', plural: 'pods' };
export const replicaSets = { group: 'apps', plural: 'replicasets' };
export const deployments = { group: 'apps', plural: 'deployments' };

/** Who controls an object, by uid and name. */
export function controllerOf(object: StoredObject): { readonly uid: string; readonly name: string } | undefined {
  const owner = items(object.metadata as unknown as JsonObject, 'ownerReferences').find(
    (reference) => reference['controller'] === true,
  );
  return owner && { uid: text(owner, 'uid'), name: text(owner, 'name') };
}

export function ownedBy(owner: StoredObject, objects: readonly StoredObject[]): readonly StoredObject[] {
  return objects.filter((object) => controllerOf(object)?.uid === owner.metadata.uid);
}

/** The reference by which an object belongs to its controller. */
export function controllerReference({ apiVersion, kind, metadata: { name, uid } }: StoredObject): JsonObject {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function isReady(pod: StoredObject): boolean {
  return hasCondition(child(pod, 'status'), 'Ready');
}

/** When a pod became ready, in milliseconds. */
export function readySince(pod: StoredObject): number {
  const condition = items(child(pod, 'status'), 'conditions').find((found) => found['type'] === 'Ready');
  return Date.parse(text(condition, 'lastTransitionTime'));
}

/** Neither ended nor asked to end. */
export function isActive(pod: StoredObject): boolean {
  const phase = text(child(pod, 'status'), 'phase');
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}
