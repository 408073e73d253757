import type { Container, Pod, Volume } from '../contract/pod.ts';
import { builtInSecretOf } from './built-in-secrets.ts';

export type ReferenceKind = 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';

/** An object of the pod's own namespace that the pod cannot start without, or would use if it were there. */
export type Reference = { readonly kind: ReferenceKind; readonly name: string; readonly optional: boolean };

/**
 * Everything a pod names: in volumes, projections, environments (of init and ephemeral containers, too) and as pull secrets.
 * Each object once; it is optional only if nobody requires it. The kubelet does without a pull secret, so none is required.
 */
export function referencesOf(pod: Pod): readonly Reference[] {
  const { spec } = pod;
  const found = new Map<string, Reference>();
  const add = (kind: ReferenceKind, name: string | undefined, optional: boolean | undefined): void => {
    if (!name) return;
    const before = found.get(`${kind}/${name}`);
    found.set(`${kind}/${name}`, { kind, name, optional: (before?.optional ?? true) && (optional ?? false) });
  };
  for (const volume of spec.volumes ?? []) addVolume(add, volume, pod.metadata.name ?? '');
  for (const container of allContainers(pod)) addContainer(add, container);
  for (const { name } of spec.imagePullSecrets ?? []) add('Secret', name, true);
  return [...found.values()];
}

export function allContainers({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
}

/** The claim that V's controller makes for a generic ephemeral volume. */
export function ephemeralClaimName(podName: string, volume: string): string {
  return `${podName}-${volume}`;
}

type Add = (kind: ReferenceKind, name: string | undefined, optional: boolean | undefined) => void;

function addVolume(add: Add, volume: Volume, podName: string): void {
  add('ConfigMap', volume.configMap?.name, volume.configMap?.optional);
  add('Secret', volume.secret?.secretName, volume.secret?.optional);
  add('PersistentVolumeClaim', volume.persistentVolumeClaim?.claimName, false);
  if (volume.ephemeral) add('PersistentVolumeClaim', ephemeralClaimName(podName, volume.name), false);
  add('Secret', volume.csi?.nodePublishSecretRef?.name, false);
  add('Secret', builtInSecretOf(volume), false);
  for (const source of volume.projected?.sources ?? []) {
    add('ConfigMap', source.configMap?.name, source.configMap?.optional);
    add('Secret', source.secret?.name, source.secret?.optional);
  }
}

function addContainer(add: Add, { env = [], envFrom = [] }: Container): void {
  for (const { valueFrom } of env) {
    add('ConfigMap', valueFrom?.configMapKeyRef?.name, valueFrom?.configMapKeyRef?.optional);
    add('Secret', valueFrom?.secretKeyRef?.name, valueFrom?.secretKeyRef?.optional);
  }
  for (const { configMapRef, secretRef } of envFrom) {
    add('ConfigMap', configMapRef?.name, configMapRef?.optional);
    add('Secret', secretRef?.name, secretRef?.optional);
  }
}
