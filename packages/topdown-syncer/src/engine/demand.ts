import type { KubeObject, ObjectKey } from '@tributary/runtime';
import { keyOf, toKey } from '@tributary/runtime';
import type { PersistentVolume, PersistentVolumeClaim } from '../contract/cluster-kinds.ts';
import type { Pod } from '../contract/pod.ts';
import { referencesOf } from '../down/references.ts';
import type { ReferenceKind } from '../down/references.ts';
import { volumeSecrets } from '../down/volume.ts';
import type { Sides } from '../sides.ts';
import { createOwnership } from './ownership.ts';
import type { Ownership } from './ownership.ts';
import { isHeld } from './virtual-stamp.ts';

/**
 * Which objects of V are needed in P, read from the caches at any moment: nothing is remembered, so nothing is forgotten by
 * a restart.
 */
export type Demand = {
  readonly ownership: Ownership;
  /** The pods of this binding that name the object. */
  readonly podsNaming: (kind: ReferenceKind, key: ObjectKey) => readonly Pod[];
  readonly needsMounted: (kind: ReferenceKind, key: ObjectKey) => boolean;
  readonly needsVolume: (name: string) => boolean;
  /** A volume that is needed names the Secret. */
  readonly needsCsiSecret: (key: ObjectKey) => boolean;
  readonly claimsOn: (volume: string) => readonly PersistentVolumeClaim[];
  readonly volumesNaming: (secret: ObjectKey) => readonly PersistentVolume[];
};

const byReference = 'reference';
const byVolume = 'volume';
const bySecret = 'secret';

export function createDemand(sides: Sides): Demand {
  const { pods, claims, volumes } = sides.informers.virtual;
  const { clusterId } = sides.identity;
  const ownership = createOwnership(sides);
  pods.addIndex(byReference, referenceValues);
  claims.addIndex(byVolume, ({ spec }) => (spec?.volumeName ? [spec.volumeName] : []));
  volumes.addIndex(bySecret, (volume) => volumeSecrets(volume).map(toKey));

  const held = (object: KubeObject | undefined): boolean => object !== undefined && isHeld(object, clusterId);
  const podsNaming: Demand['podsNaming'] = (kind, key) =>
    pods.byIndex(byReference, `${kind}:${key}`).filter((pod) => ownership.runsHere(pod));
  const needsMounted: Demand['needsMounted'] = (kind, key) =>
    pods.byIndex(byReference, `${kind}:${key}`).some((pod) => ownership.runsHere(pod));
  const claimsOn = (volume: string): readonly PersistentVolumeClaim[] => claims.byIndex(byVolume, volume);
  const needsVolume = (name: string): boolean =>
    claimsOn(name).some((claim) => held(claim) || needsMounted('PersistentVolumeClaim', keyOf(claim)));
  const volumesNaming = (secret: ObjectKey): readonly PersistentVolume[] => volumes.byIndex(bySecret, secret);
  return {
    ownership,
    podsNaming,
    needsMounted,
    needsVolume,
    claimsOn,
    volumesNaming,
    needsCsiSecret: (key) =>
      volumesNaming(key).some((volume) => held(volume) || needsVolume(volume.metadata.name ?? '')),
  };
}

export function referenceKeys(kind: ReferenceKind, pod: Pod): readonly ObjectKey[] {
  const { namespace } = pod.metadata;
  return referencesOf(pod)
    .filter((reference) => reference.kind === kind)
    .map(({ name }) => toKey({ namespace, name }));
}

/** Pods that are not bound to a node need nothing anywhere. */
function referenceValues(pod: Pod): readonly string[] {
  if (!pod.spec.nodeName) return [];
  const { namespace } = pod.metadata;
  return referencesOf(pod).map(({ kind, name }) => `${kind}:${toKey({ namespace, name })}`);
}
