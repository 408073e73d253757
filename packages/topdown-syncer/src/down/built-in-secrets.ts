import type { Volume } from '../contract/pod.ts';

// Volumes of drivers that were part of Kubernetes name a Secret of the pod's namespace, each in its own field.

const secretFields: Readonly<Record<string, 'secretName' | 'secretRef'>> = {
  azureFile: 'secretName',
  cephfs: 'secretRef',
  cinder: 'secretRef',
  flexVolume: 'secretRef',
  iscsi: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  storageos: 'secretRef',
};

type Source = { readonly secretName?: string; readonly secretRef?: { readonly name?: string } };

export function builtInSecretOf(volume: Volume): string | undefined {
  return find(volume)?.secret;
}

/** The part of the volume that names its Secret, with the name that the Secret's copy has; nothing where it names none. */
export function renameBuiltInSecret(volume: Volume, toPhysical: (name: string) => string): Partial<Volume> {
  const found = find(volume);
  if (!found) return {};
  const name = toPhysical(found.secret);
  const { secretRef } = found.source;
  return {
    [found.field]: { ...found.source, ...(secretRef ? { secretRef: { ...secretRef, name } } : { secretName: name }) },
  };
}

function find(
  volume: Volume,
): { readonly field: string; readonly source: Source; readonly secret: string } | undefined {
  for (const [field, where] of Object.entries(secretFields)) {
    const source = volume[field] as Source | undefined;
    const secret = where === 'secretName' ? source?.secretName : source?.secretRef?.name;
    if (source && secret) return { field, source, secret };
  }
  return undefined;
}
