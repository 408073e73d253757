import { toKey } from '@tributary/runtime';
import type { Informer, KubeObject, ObjectRef } from '@tributary/runtime';
import { isBoundClaim } from '../down/claim.ts';
import { volumeSecrets } from '../down/volume.ts';
import type { Pod } from '../contract/pod.ts';
import { referencesOf } from '../down/references.ts';
import type { Reference, ReferenceKind } from '../down/references.ts';
import { describeHolder } from '../contract/claim.ts';
import type { Sides } from '../sides.ts';
import { foreignHolder } from './usable-copy.ts';

/** What keeps a pod from being created: what its owner must know, and what the syncer itself is still busy with. */
export type Missing = { readonly problems: readonly string[]; readonly awaited: readonly string[] };

type Needs = Pick<Sides, 'informers' | 'binding' | 'physicalName' | 'identity'>;
type Caches = { readonly virtual: Informer<KubeObject>; readonly physical: Informer<KubeObject> };

export function missingDependencies(sides: Needs, pod: Pod): Missing {
  const problems: string[] = [...foreignDependencies(sides, pod)];
  const awaited: string[] = [];
  for (const reference of referencesOf(pod)) {
    const { ref, object, copy } = find(sides, pod, reference);
    if (!object && reference.optional) continue;
    problems.push(...problemsOf(sides, reference, ref, object));
    if (!copy || copy.metadata.deletionTimestamp !== undefined) awaited.push(`${reference.kind} ${toKey(ref)}`);
  }
  return { problems, awaited };
}

/** Names in P that others hold. P would show the pod what is there by that name, whoever put it there. */
export function foreignDependencies(sides: Needs, pod: Pod): readonly string[] {
  return referencesOf(pod).flatMap((reference) => {
    const { ref, place, copy } = find(sides, pod, reference);
    return heldByOthers(sides, reference.kind, ref, place, copy);
  });
}

type Found = {
  readonly ref: ObjectRef;
  readonly place: ObjectRef;
  readonly object: KubeObject | undefined;
  readonly copy: KubeObject | undefined;
};

/** What a pod names, in V and where its copy belongs in P. */
function find({ informers, binding, physicalName }: Needs, { metadata }: Pod, { kind, name }: Reference): Found {
  const { virtual, physical } = informers;
  const caches: Readonly<Record<ReferenceKind, Caches>> = {
    ConfigMap: { virtual: virtual.configMaps, physical: physical.configMaps },
    Secret: { virtual: virtual.secrets, physical: physical.secrets },
    PersistentVolumeClaim: { virtual: virtual.claims, physical: physical.claims },
  };
  const ref = { namespace: metadata.namespace, name };
  const place = { namespace: binding().mountNamespace, name: physicalName(ref) };
  return { ref, place, object: caches[kind].virtual.get(ref), copy: caches[kind].physical.get(place) };
}

function heldByOthers(
  { identity }: Needs,
  kind: string,
  original: ObjectRef,
  place: ObjectRef,
  copy: KubeObject | undefined,
): readonly string[] {
  const holder = foreignHolder(copy, toKey(original), identity);
  return holder ? [`${kind} ${toKey(place)} of the physical cluster is held by ${describeHolder(holder)}`] : [];
}

function problemsOf(
  sides: Needs,
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
function volumeProblems(sides: Needs, name: string): readonly string[] {
  const { virtual, physical } = sides.informers;
  const volume = virtual.volumes.get({ name });
  if (!volume) return [`PersistentVolume ${name} not found`];
  const missing = volumeSecrets(volume).filter((secret) => !virtual.secrets.get(secret));
  const place = { name: sides.physicalName({ name }) };
  return [
    ...heldByOthers(sides, 'PersistentVolume', { name }, place, physical.volumes.get(place)),
    ...[...new Set(missing.map(toKey))].map((key) => `Secret ${key} of PersistentVolume ${name} not found`),
  ];
}
