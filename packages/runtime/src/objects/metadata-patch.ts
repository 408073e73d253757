import type { Patch } from '../client/kube-client.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../object.ts';
import { mergePatchBetween } from './merge-patch.ts';

export type MetadataChange = {
  /** Null removes the key. Keys that are not named stay as they are. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** The whole list. */
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
};

export type MetadataGuard = {
  /** Only this very object, not one that took its name: the server answers Invalid, for a uid never changes. */
  readonly uid?: boolean;
  /** Only if nobody wrote it since it was read: the server answers Conflict. */
  readonly resourceVersion?: boolean;
};

/**
 * A merge patch of nothing but metadata, undefined when nothing would change. A merge patch replaces lists, so one
 * that touches finalizers or owner references always carries the resourceVersion: what another writer has added
 * meanwhile makes it a conflict instead of getting lost.
 */
export function metadataPatch(
  object: KubeObject,
  change: MetadataChange,
  guard: MetadataGuard = {},
): Extract<Patch, { type: 'merge' }> | undefined {
  const { metadata } = object;
  const before: ObjectMeta = {
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    finalizers: metadata.finalizers ?? [],
    ownerReferences: metadata.ownerReferences ?? [],
  };
  const after = {
    labels: { ...before.labels, ...change.labels },
    annotations: { ...before.annotations, ...change.annotations },
    finalizers: change.finalizers ?? before.finalizers,
    ownerReferences: change.ownerReferences ?? before.ownerReferences,
  };
  const patch = mergePatchBetween(before, after);
  if (!patch) return undefined;
  const touchesLists = 'finalizers' in patch || 'ownerReferences' in patch;
  return {
    type: 'merge',
    body: {
      metadata: {
        ...(guard.uid && { uid: must(metadata.uid, 'uid') }),
        ...((guard.resourceVersion || touchesLists) && {
          resourceVersion: must(metadata.resourceVersion, 'resourceVersion'),
        }),
        ...patch,
      },
    },
  };
}

/** An empty guard would be no guard, so an object that was never read from the server is refused. */
function must(value: string | undefined, field: string): string {
  if (!value) throw new TypeError(`the object has no metadata.${field} to guard the patch with`);
  return value;
}
