import { mergePatchBetween } from '@tributary/runtime';
import type { ObjectRef } from '@tributary/runtime';
import type { PersistentVolume, SecretRef } from '../contract/cluster-kinds.ts';
import type { PhysicalName } from '../contract/names.ts';
import { translateNodeAffinity } from './volume-nodes.ts';
import type { VolumeNodeAffinity } from './volume-nodes.ts';

const secretFields = [
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
] as const;

/** The Secrets that a CSI driver needs in P, in the namespaces where V has them. */
export function volumeSecrets({ spec }: PersistentVolume): readonly (ObjectRef & { readonly namespace: string })[] {
  const csi = spec?.csi ?? {};
  const refs = secretFields.map((field) => csi[field] as SecretRef | undefined);
  return refs.flatMap((ref) => (ref?.name && ref.namespace ? [{ namespace: ref.namespace, name: ref.name }] : []));
}

export type VolumeContext = {
  readonly physicalName: PhysicalName;
  readonly mountNamespace: string;
  /** The hostname of the physical node behind a virtual one of this binding. */
  readonly toPhysicalHost: (vnode: string) => string | undefined;
};

/** The same volume, imported anew: kept when the claim goes, and held for the copy of V's claim, so that no other takes it. */
export function translateVolume(
  { spec = {} }: PersistentVolume,
  context: VolumeContext,
): Pick<PersistentVolume, 'spec'> {
  const { claimRef, ...rest } = spec;
  const { physicalName, toPhysicalHost } = context;
  const nodeAffinity = spec['nodeAffinity'] as VolumeNodeAffinity | undefined;
  return {
    spec: {
      ...rest,
      ...(claimRef && { claimRef: heldFor(claimRef, context) }),
      persistentVolumeReclaimPolicy: 'Retain',
      ...(nodeAffinity && { nodeAffinity: translateNodeAffinity(nodeAffinity, toPhysicalHost) }),
      ...(spec.csi && { csi: { ...spec.csi, ...renamedSecrets(spec.csi, physicalName) } }),
    },
  };
}

function heldFor(claim: SecretRef, { physicalName, mountNamespace }: VolumeContext): Readonly<Record<string, unknown>> {
  const name = physicalName({ name: claim.name ?? '', ...(claim.namespace && { namespace: claim.namespace }) });
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: mountNamespace, name };
}

/** Of a volume in use only its size follows V. */
export function planVolume(
  wanted: PersistentVolume,
  actual: PersistentVolume,
): Readonly<Record<string, unknown>> | undefined {
  const patch = mergePatchBetween(actual.spec?.capacity ?? {}, wanted.spec?.capacity ?? {});
  return patch && { spec: { capacity: patch } };
}

function renamedSecrets(csi: Readonly<Record<string, unknown>>, physicalName: PhysicalName): Record<string, SecretRef> {
  const renamed = secretFields.flatMap((field) => {
    const ref = csi[field] as SecretRef | undefined;
    if (!ref?.name) return [];
    const name = physicalName({ name: ref.name, ...(ref.namespace && { namespace: ref.namespace }) });
    return [[field, { ...ref, name }] as const];
  });
  return Object.fromEntries(renamed);
}
