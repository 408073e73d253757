import { hash } from 'node:crypto';
import { isOwnedBy, mergePatchBetween, ownerReferenceTo } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { sourceId } from '../l4-state/source.ts';
import type { SourceRef } from '../l4-state/source.ts';
import type { Child } from './contributor.ts';
import { kindName } from './kind-stores.ts';
import type { Step } from './step.ts';
import { subsetPatch } from './subset-patch.ts';

/** On every child, with its owner's kind and hash: what has it is ours. */
export const ownerLabel = 'cloudflare-operator.io/owner';

/** Whether an object goes with another one, by which it was made. */
export function isChild({ metadata }: KubeObject): boolean {
  return metadata.labels?.[ownerLabel] !== undefined;
}

export function ownerLabelOf(owner: SourceRef): string {
  return `${owner.kind}.${hash('sha256', sourceId(owner)).slice(0, 10)}`;
}

export type Owner = { readonly kind: Kind<KubeObject>; readonly object: KubeObject; readonly ref: SourceRef };
export type ExistingChild = { readonly kind: Kind<KubeObject>; readonly object: KubeObject };

/** What must be done so that exactly the wanted children are there. */
export function planChildren(
  owner: Owner,
  wanted: readonly Child[],
  existing: readonly ExistingChild[],
): readonly Step[] {
  const there = new Map(existing.map((child) => [childId(child), child]));
  const kept = new Set(wanted.map(childId));
  const made = wanted.flatMap((child): readonly Step[] => {
    const current = there.get(childId(child));
    const object = wholeOf(child, asOurs(owner, child, current?.object), current?.object);
    // In a map of texts the server takes null for an empty text.
    if (!current)
      return [{ do: 'create-child', kind: child.kind, object: mergePatchBetween({}, object) as KubeObject }];
    // Its end has been decided; it is made anew when it is gone.
    if (current.object.metadata.deletionTimestamp) return [];
    return patchOf(child.kind, current.object, object);
  });
  return [...made, ...removeChildren(existing.filter((child) => !kept.has(childId(child))))];
}

export function removeChildren(existing: readonly ExistingChild[]): readonly Step[] {
  return existing
    .filter(({ object }) => !object.metadata.deletionTimestamp)
    .map(({ kind, object }) => ({ do: 'delete-child', kind, object }));
}

function patchOf(kind: Kind<KubeObject>, current: KubeObject, wanted: KubeObject): readonly Step[] {
  const { name = '', namespace, resourceVersion } = current.metadata;
  const patch = subsetPatch(current, wanted);
  if (!patch) return [];
  const body = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } };
  return [{ do: 'patch-child', kind, ref: { namespace, name }, body }];
}

/** The patch for an object of the same name that belongs to the owner but lacks our label, as earlier operators left it. */
export function adoptChild(owner: Owner, child: Child, found: KubeObject): readonly Step[] | undefined {
  const isOurs = found.metadata.labels?.[ownerLabel] === ownerLabelOf(owner.ref) || isOwnedBy(found, owner.object);
  return isOurs ? patchOf(child.kind, found, wholeOf(child, asOurs(owner, child, found), found)) : undefined;
}

/** Names what must go: a merge patch keeps what it does not name. */
function wholeOf({ whole = [] }: Child, wanted: KubeObject, current: KubeObject | undefined): KubeObject {
  const maps = whole.map((name) => {
    const gone = Object.fromEntries(Object.keys(mapIn(current, name)).map((entry) => [entry, null]));
    return [name, { ...gone, ...mapIn(wanted, name) }] as const;
  });
  return { ...wanted, ...Object.fromEntries(maps) };
}

function mapIn(object: KubeObject | undefined, name: string): object {
  return (object as Readonly<Record<string, object>> | undefined)?.[name] ?? {};
}

function asOurs(owner: Owner, { object }: Child, current: KubeObject | undefined): KubeObject {
  const labels = { ...object.metadata.labels, [ownerLabel]: ownerLabelOf(owner.ref) };
  const { namespace } = owner.object.metadata;
  // The garbage collector takes what has its owner in another namespace for abandoned.
  if (namespace && namespace !== object.metadata.namespace)
    return { ...object, metadata: { ...object.metadata, labels } };
  const references = current?.metadata.ownerReferences ?? [];
  const ours = ownerReferenceTo(owner.kind, owner.object, { controller: true });
  const ownerReferences = references.some(({ uid }) => uid === ours.uid) ? references : [...references, ours];
  return { ...object, metadata: { ...object.metadata, labels, ownerReferences } };
}

function childId({ kind, object }: Child): string {
  const { namespace = '', name = '' } = object.metadata;
  return `${kindName(kind)}|${namespace}/${name}`;
}
