import { toKey } from '@tributary/runtime';
import type { Informer, KubeObject, ObjectRef } from '@tributary/runtime';
import { isBoundClaim } from '../down/claim.ts';
import { volumeSecrets } from '../down/volume.ts';
import type { Pod } from '../contract/pod.ts';
import { referencesOf } from '../down/references.ts';
import type { Reference, ReferenceKind } from '../down/references.ts';
import type { Sides } from '../sides.ts';

/** What keeps a pod from being created: what its owner must know, and what the syncer itself is still busy with. */
export type Missing = { readonly problems: readonly string[]; readonly awaited: readonly string[] };

type Caches = { readonly virtual: Informer<KubeObject>; readonly physical: Informer<KubeObject> };

export function missingDependencies(sides: Pick<Sides, 'informers' | 'binding' | 'physicalName'>, pod: Pod): Missing {
  const { virtual, physical } = sides.informers;
  const caches: Readonly<Record<ReferenceKind, Caches>> = {
    ConfigMap: { virtual: virtual.configMaps, physical: physical.configMaps },
    Secret: { virtual: virtual.secrets, physical: physical.secrets },
    PersistentVolumeClaim: { virtual: virtual.claims, physical: physical.claims },
  };
  const problems: string[] = [];
  const awaited: string[] = [];
  for (const reference of referencesOf(pod)) {
    const ref = { namespace: pod.metadata.namespace, name: reference.name };
    const object = caches[reference.kind].virtual.get(ref);
    if (!object && reference.optional) continue;
    problems.push(...problemsOf(sides, reference, ref, object));
    const place = { namespace: sides.binding().mountNamespace, name: sides.physicalName(ref) };
    const copy = caches[reference.kind].physical.get(place);
    if (!copy || copy.metadata.deletionTimestamp !== undefined) awaited.push(`${reference.kind} ${toKey(ref)}`);
  }
  return { problems, awaited };
}

function problemsOf(
  sides: Pick<Sides, 'informers'>,
  { kind }: Reference,
  ref: ObjectRef,
  object: KubeObject | undefined,
): readonly string[] {
  if (!object) return [`${kind} ${toKey(ref)} not found`];
  if (kind !== 'PersistentVolumeClaim') return [];
  const bound = isBoundClaim(object);
  return bound.ok ? volumeProblems(sides, bound.value) : [bound.message];
}

/** A volume needs its Secrets before a driver can mount it. */
function volumeProblems({ informers }: Pick<Sides, 'informers'>, name: string): readonly string[] {
  const { volumes, secrets } = informers.virtual;
  const volume = volumes.get({ name });
  if (!volume) return [`PersistentVolume ${name} not found`];
  const missing = volumeSecrets(volume).filter((secret) => !secrets.get(secret));
  return [...new Set(missing.map(toKey))].map((key) => `Secret ${key} of PersistentVolume ${name} not found`);
}
