import { configMapKind, keyOf, secretKind, toKey, toRef, watch } from '@tributary/runtime';
import type { Change, ConfigMap, Informer, Kind, KubeObject, ObjectKey, Secret, Watch } from '@tributary/runtime';
import { copyBackReference } from '../contract/back-reference.ts';
import { claimKind, nodeKind, volumeKind } from '../contract/cluster-kinds.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../contract/cluster-kinds.ts';
import { labels } from '../contract/keys.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { isBoundClaim, translateClaim } from '../down/claim.ts';
import { planConfigMap, translateConfigMap } from '../down/config-map.ts';
import type { ReferenceKind } from '../down/references.ts';
import { isOtherType, planSecret, translateSecret } from '../down/secret.ts';
import { planVolume, translateVolume, volumeSecrets } from '../down/volume.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import type { CopyKind, Place } from './copy-kind.ts';
import { referenceKeys } from './demand.ts';
import type { Demand } from './demand.ts';
import { foreignHolder } from './usable-copy.ts';
import { isHeld } from './virtual-stamp.ts';

// The four kinds that pods bring along: where their copies go, and what asks for them.

export type CopyContext = {
  readonly sides: Sides;
  readonly demand: Demand;
  readonly csiSecretNamespaces: readonly string[];
  /** ConfigMaps and Secrets that no pod names any more are taken out of P. Volumes and claims stay: their data are V's. */
  readonly collectUnused: boolean;
};

export function configMapCopies({ sides, demand, collectUnused }: CopyContext): CopyKind<ConfigMap> {
  const { virtual, physical } = sides.informers;
  return {
    kind: configMapKind,
    virtual: virtual.configMaps,
    places: (key, object) => [
      mounted(sides, demand, 'ConfigMap', { key, object, informer: physical.configMaps, collectUnused }),
    ],
    translate: translateConfigMap,
    plan: planConfigMap,
    watches: [namedByPods('ConfigMap', collectUnused), ofCopies(sides, configMapKind)],
  };
}

export function secretCopies({ sides, demand, csiSecretNamespaces, collectUnused }: CopyContext): CopyKind<Secret> {
  const { virtual, physical } = sides.informers;
  const { labelSelector } = toScopes(sides.binding()).mounted;
  const scopes = csiSecretNamespaces.map((namespace) => ({ namespace, labelSelector }));
  const elsewhere = new Map(
    scopes.map((scope) => [scope.namespace, sides.physical.cache.informer(secretKind, scope)] as const),
  );
  return {
    kind: secretKind,
    virtual: virtual.secrets,
    places: (key, object) => {
      const mount = mounted(sides, demand, 'Secret', { key, object, informer: physical.secrets, collectUnused });
      const csi = elsewhere.get(toRef(key).namespace ?? '');
      return csi ? [mount, csiPlace(sides, demand, { key, object, informer: csi })] : [mount];
    },
    translate: translateSecret,
    plan: planSecret,
    mustReplace: isOtherType,
    watches: [
      namedByPods('Secret', collectUnused),
      watch(volumeKind, { toKeys: (volume) => volumeSecrets(volume).map(toKey) }),
      ofCopies(sides, secretKind),
      ...scopes.map((scope) => watch(secretKind, { scope, cache: sides.physical.cache, toKeys: toOriginal })),
    ],
  };
}

export function claimCopies({ sides, demand, csiSecretNamespaces }: CopyContext): CopyKind<PersistentVolumeClaim> {
  const { virtual, physical } = sides.informers;
  return {
    kind: claimKind,
    virtual: virtual.claims,
    places: (key, object) => [
      mounted(sides, demand, 'PersistentVolumeClaim', { key, object, informer: physical.claims }),
    ],
    copyable: (claim) => {
      const bound = isBoundClaim(claim);
      if (!bound.ok) return bound;
      const volume = physical.volumes.get({ name: sides.physicalName({ name: bound.value }) });
      if (volume && !foreignHolder(volume, bound.value, sides.identity)) return bound;
      return { ok: false, reason: 'NotReady', message: `PersistentVolume ${bound.value} has no copy yet` };
    },
    caveats: (claim) => uncopiedSecrets(sides, claim, csiSecretNamespaces),
    translate: (claim) => translateClaim(claim, sides.physicalName),
    // P lets no claim without a class grow, and its kubelets go by the size of the volume, which follows V's.
    plan: () => undefined,
    watches: [
      namedByPods('PersistentVolumeClaim'),
      ofCopies(sides, claimKind),
      // A claim waits for the copy of its volume.
      watch(volumeKind, {
        cache: sides.physical.cache,
        scope: toScopes(sides.binding()).managed,
        when: appeared,
        toKeys: (copy) => demand.claimsOn(copyBackReference(copy)?.name ?? '').map(keyOf),
      }),
    ],
  };
}

export function volumeCopies({ sides, demand }: CopyContext): CopyKind<PersistentVolume> {
  const { virtual, physical } = sides.informers;
  const nodes = sides.physical.cache.informer(nodeKind);
  const toPhysicalHost = (vnode: string): string | undefined => {
    const name = demand.ownership.physicalNodeOfVnode(vnode);
    return name === undefined ? undefined : (nodes.get({ name })?.metadata.labels?.[labels.hostname] ?? name);
  };
  return {
    kind: volumeKind,
    virtual: virtual.volumes,
    places: (name, object) => [
      {
        ref: { name: sides.physicalName({ name }) },
        informer: physical.volumes,
        demanded: demand.needsVolume(name) || holds(sides, object),
        collect: false,
        usedByPv: false,
      },
    ],
    translate: (volume) => {
      const { mountNamespace } = sides.binding();
      return translateVolume(volume, { physicalName: sides.physicalName, mountNamespace, toPhysicalHost });
    },
    plan: planVolume,
    watches: [
      watch(claimKind, { toKeys: toVolume }),
      watch(podKind, { when: boundToNode, toKeys: (pod) => volumesOf(sides, pod) }),
      watch(volumeKind, { cache: sides.physical.cache, scope: toScopes(sides.binding()).managed, toKeys: toOriginal }),
    ],
  };
}

type At<T extends KubeObject> = {
  readonly key: ObjectKey;
  readonly object: T | undefined;
  readonly informer: Informer<T>;
  readonly collectUnused?: boolean;
};

/** An object that V keeps for us is kept up in P even when no pod names it at the moment, unless that is not wanted. */
function mounted<T extends KubeObject>(
  sides: Sides,
  demand: Demand,
  kind: ReferenceKind,
  { key, object, informer, collectUnused = false }: At<T>,
): Place<T> {
  const ref = { namespace: sides.binding().mountNamespace, name: sides.physicalName(toRef(key)) };
  const forPv = object?.metadata.labels?.[labels.usedByPv] === 'true';
  const named = demand.needsMounted(kind, key);
  const demanded = named || (!collectUnused && holds(sides, object) && !forPv);
  return { ref, informer, demanded, collect: collectUnused && !forPv, usedByPv: false };
}

/** Drivers look for a volume's Secret in the namespace that the volume names. */
function csiPlace(sides: Sides, demand: Demand, { key, object, informer }: At<Secret>): Place<Secret> {
  const { namespace } = toRef(key);
  const forPv = object?.metadata.labels?.[labels.usedByPv] === 'true';
  const demanded = demand.needsCsiSecret(key) || (holds(sides, object) && forPv);
  const ref = { namespace, name: sides.physicalName(toRef(key)) };
  return { ref, informer, demanded, collect: false, usedByPv: true };
}

function holds({ identity }: Sides, object: KubeObject | undefined): boolean {
  return object !== undefined && isHeld(object, identity.clusterId);
}

function namedByPods(kind: ReferenceKind, collectUnused = false): Watch {
  const when = collectUnused ? (change: Change<Pod>) => boundToNode(change) || ended(change) : boundToNode;
  return watch(podKind, { when, toKeys: (pod) => referenceKeys(kind, pod) });
}

function ended({ type, object, old }: Change<Pod>): boolean {
  return type === 'deleted' || (isFinished(object) && !(old && isFinished(old)));
}

/** Pods report much; what they need changes only when they are bound or when they are given other containers. */
function boundToNode(change: Change<Pod>): boolean {
  if (!change.object.spec.nodeName || change.type === 'deleted') return false;
  if (change.type === 'added') return true;
  const [is, was] = [change.object.spec, change.old.spec];
  return is.nodeName !== was.nodeName || is.ephemeralContainers?.length !== was.ephemeralContainers?.length;
}

function ofCopies<T extends KubeObject>(sides: Sides, kind: Kind<T>): Watch {
  const { mounted: scope } = toScopes(sides.binding());
  return watch(kind, { scope, cache: sides.physical.cache, toKeys: toOriginal });
}

function toOriginal(copy: KubeObject): readonly ObjectKey[] {
  const reference = copyBackReference(copy);
  return reference ? [toKey(reference)] : [];
}

function toVolume({ spec }: PersistentVolumeClaim): readonly ObjectKey[] {
  return spec?.volumeName ? [spec.volumeName] : [];
}

function volumesOf({ informers }: Sides, pod: Pod): readonly ObjectKey[] {
  return referenceKeys('PersistentVolumeClaim', pod).flatMap((key) => {
    const claim = informers.virtual.claims.get(toRef(key));
    return claim ? toVolume(claim) : [];
  });
}

function secretsBehind({ informers }: Sides, { spec }: PersistentVolumeClaim): readonly ObjectKey[] {
  const volume = spec?.volumeName ? informers.virtual.volumes.get({ name: spec.volumeName }) : undefined;
  return volume ? volumeSecrets(volume).map(toKey) : [];
}

/** The Secrets behind a claim that P's driver will miss. */
function uncopiedSecrets(sides: Sides, claim: PersistentVolumeClaim, copied: readonly string[]): readonly string[] {
  return secretsBehind(sides, claim)
    .filter((key) => !copied.includes(toRef(key).namespace ?? ''))
    .map((key) => {
      const flag = `--csi-secret-namespaces does not list ${toRef(key).namespace ?? ''}`;
      return `Secret ${key}, which the driver of its volume needs, is not copied to the physical cluster: ${flag}`;
    });
}

function appeared({ type }: Change<KubeObject>): boolean {
  return type === 'added';
}
