import { metadataPatch } from '@tributary/runtime';
import type { KubeObject, ObjectRef, Patch } from '@tributary/runtime';
import {
  annotations,
  clusterFinalizer,
  deletingAnnotation,
  isClusterFinalizer,
  labels,
  managedByValue,
  syncedByLabel,
} from '../contract/keys.ts';

// What V's ConfigMaps, Secrets, claims and volumes carry while they have a copy. Several bindings may hold one object: its
// annotations can name only one copy, so nothing is ever read from them, and they go with the last finalizer.

export type StampContext = { readonly clusterId: string; readonly place: ObjectRef; readonly usedByPv: boolean };

export function isHeld({ metadata }: KubeObject, clusterId: string): boolean {
  return (
    (metadata.finalizers?.includes(clusterFinalizer(clusterId)) ?? false) ||
    metadata.labels?.[syncedByLabel(clusterId)] !== undefined
  );
}

/** True when the binding asks for its copies to be given up, or the object is being deleted. */
export function isReleased(
  { metadata }: KubeObject,
  binding: { readonly clusterId: string; readonly name: string },
): boolean {
  return (
    metadata.deletionTimestamp !== undefined ||
    metadata.annotations?.[deletingAnnotation(binding.clusterId)] === binding.name
  );
}

/** Undefined when everything is there. */
export function stampPatch(object: KubeObject, { clusterId, place, usedByPv }: StampContext): Patch | undefined {
  const { finalizers = [] } = object.metadata;
  const ours = clusterFinalizer(clusterId);
  const shared = finalizers.some((finalizer) => isClusterFinalizer(finalizer) && finalizer !== ours);
  const known = object.metadata.annotations ?? {};
  // Another binding may have its copy elsewhere; the two must not overwrite each other for ever.
  const keep = shared && known[annotations.physicalName] !== undefined;
  return metadataPatch(object, {
    labels: {
      [labels.managedBy]: managedByValue,
      [syncedByLabel(clusterId)]: 'true',
      ...(usedByPv && { [labels.usedByPv]: 'true' }),
    },
    annotations: keep
      ? {}
      : { [annotations.physicalName]: place.name, [annotations.physicalNamespace]: place.namespace ?? '' },
    finalizers: finalizers.includes(ours) ? finalizers : [...finalizers, ours],
  });
}

/** Undefined when nothing of ours is left. */
export function releasePatch(object: KubeObject, clusterId: string): Patch | undefined {
  const { metadata } = object;
  const { finalizers = [] } = metadata;
  const ours = clusterFinalizer(clusterId);
  const rest = finalizers.filter((finalizer) => finalizer !== ours);
  const last = !rest.some(isClusterFinalizer);
  return metadataPatch(object, {
    labels: {
      ...dropped(metadata.labels, [syncedByLabel(clusterId), ...(last ? [labels.managedBy, labels.usedByPv] : [])]),
    },
    annotations: dropped(metadata.annotations, [
      deletingAnnotation(clusterId),
      ...(last ? [annotations.physicalName, annotations.physicalNamespace] : []),
    ]),
    finalizers: rest,
  });
}

function dropped(map: Readonly<Record<string, string>> = {}, keys: readonly string[]): Record<string, null> {
  return Object.fromEntries(keys.filter((key) => map[key] !== undefined).map((key) => [key, null]));
}
