import { configMapKind, keyOf, kindId, secretKind } from '@tributary/runtime';
import type { Informer, Kind, KubeObject } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { claimKind, volumeKind } from '../contract/cluster-kinds.ts';
import { clusterFinalizer, deletingAnnotation, syncedByLabel } from '../contract/keys.ts';
import { podKind } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';

export type Leftover = { readonly kind: Kind<KubeObject>; readonly object: KubeObject };

/** Objects of V that have a copy by this binding. */
export function heldInVirtual({ informers, identity }: Pick<Sides, 'informers' | 'identity'>): readonly Leftover[] {
  const { configMaps, secrets, claims, volumes } = informers.virtual;
  const [label, finalizer] = [syncedByLabel(identity.clusterId), clusterFinalizer(identity.clusterId)];
  const isHeld = ({ metadata }: KubeObject): boolean =>
    metadata.labels?.[label] !== undefined || (metadata.finalizers?.includes(finalizer) ?? false);
  return [
    ...found(configMapKind, configMaps, isHeld),
    ...found(secretKind, secrets, isHeld),
    ...found(claimKind, claims, isHeld),
    ...found(volumeKind, volumes, isHeld),
  ];
}

/** Those of them that have not been asked to give it up. */
export function isAskedToRelease({ object }: Leftover, clusterId: string, bindingName: string): boolean {
  return object.metadata.annotations?.[deletingAnnotation(clusterId)] === bindingName;
}

/** What in P carries our mark. What carries another's, or none, is nobody's business here. */
export function oursInPhysical({ informers, identity }: Pick<Sides, 'informers' | 'identity'>): readonly Leftover[] {
  const { pods, configMaps, secrets, claims, volumes } = informers.physical;
  const isOurs = (object: KubeObject): boolean => claimOf(object, identity).of === 'us';
  return [
    ...found(podKind, pods, isOurs),
    ...found(configMapKind, configMaps, isOurs),
    ...found(secretKind, secrets, isOurs),
    ...found(claimKind, claims, isOurs),
    ...found(volumeKind, volumes, isOurs),
  ];
}

/** For people: the first few by name. */
export function describeLeftovers(leftovers: readonly Leftover[]): string {
  const names = leftovers.slice(0, 3).map(({ kind, object }) => `${kindId(kind)} ${keyOf(object)}`);
  const more = leftovers.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

function found<T extends KubeObject>(
  kind: Kind<T>,
  informer: Pick<Informer<T>, 'list'>,
  wanted: (object: KubeObject) => boolean,
): readonly Leftover[] {
  return informer
    .list()
    .filter(wanted)
    .map((object) => ({ kind: kind as Kind<KubeObject>, object }));
}
