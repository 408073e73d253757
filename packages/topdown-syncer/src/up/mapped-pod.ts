import { podBackReference } from '../contract/back-reference.ts';
import { claimOf } from '../contract/claim.ts';
import { annotations, ownAnnotations } from '../contract/keys.ts';
import type { Pod } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';

type Place = { readonly namespace: string; readonly name: string };

/** Where the copy of a virtual pod is, by its name alone: what stands in annotations may be anybody's word. */
export function physicalPlace(virtual: Pod, sides: Pick<Sides, 'binding' | 'physicalName'>): Place {
  const { namespace, name = '' } = virtual.metadata;
  return { namespace: sides.binding().mountNamespace, name: sides.physicalName({ namespace, name }) };
}

/** It carries our mark, and it stands for this very pod, not for one of the same name before it. */
export function standsFor(physical: Pod, virtual: Pod, { identity }: Pick<Sides, 'identity'>): boolean {
  const reference = podBackReference(physical);
  return (
    claimOf(physical, identity).of === 'us' &&
    reference?.namespace === virtual.metadata.namespace &&
    reference?.name === virtual.metadata.name &&
    reference?.uid === virtual.metadata.uid
  );
}

/**
 * The UID of the physical pod that was made for this virtual pod, if one was. Annotations that name another place, or that were
 * not made for this very pod and came with a copied manifest, say nothing.
 */
export function recordedUid(virtual: Pod, place: Place): string | undefined {
  const found = virtual.metadata.annotations ?? {};
  if (found[ownAnnotations.mappedFor] !== virtual.metadata.uid) return undefined;
  if (found[annotations.physicalPodNamespace] !== place.namespace) return undefined;
  if (found[annotations.physicalPodName] !== place.name) return undefined;
  return found[annotations.physicalPodUid] || undefined;
}
