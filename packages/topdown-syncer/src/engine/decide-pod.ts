import type { PodBackReference } from '../contract/back-reference.ts';
import type { Claim } from '../contract/claim.ts';
import { annotations, ownAnnotations } from '../contract/keys.ts';
import { isFinished } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';

export type PodFacts = {
  readonly virtual: Pod | undefined;
  /** Bound to a virtual node of this binding. */
  readonly here: boolean;
  /** ... and a pod that shall run there at all. */
  readonly runs: boolean;
  /** Where its copy is or would be: computed, never read from the pod. */
  readonly place: { readonly namespace: string; readonly name: string };
  readonly physical: SeenPod | undefined;
  /** P's scheduler has had its time. */
  readonly overdue: boolean;
};

export type SeenPod = {
  readonly pod: Pod;
  readonly claim: Claim;
  readonly reference: PodBackReference | undefined;
};

export type PodStep =
  | { readonly do: 'nothing' }
  /** First half of creation: V says where the copy will be, before it is made. */
  | { readonly do: 'map' }
  | { readonly do: 'create' }
  /** V is told the UID of its copy. */
  | { readonly do: 'record' }
  /** The original made the copy: our mark is put on it. */
  | { readonly do: 'adopt' }
  /** Keep it up: changes of V go down, tokens are refreshed. */
  | { readonly do: 'keep' }
  | { readonly do: 'delete'; readonly why: 'virtual-deleted' | 'virtual-gone' | 'stale' | 'unschedulable' }
  | { readonly do: 'shorten' }
  | { readonly do: 'wait' }
  /** P is done with it: what is left of it there goes, then V's pod. */
  | { readonly do: 'remove' }
  | { readonly do: 'forget' }
  | { readonly do: 'lose' }
  | { readonly do: 'report'; readonly problem: 'conflict' | 'orphan' };

/** One step; the shell takes it and asks again. */
export function decidePod(facts: PodFacts): PodStep {
  const { virtual, physical, here } = facts;
  if (!virtual) return physical ? decideOrphan(physical) : { do: 'forget' };
  if (physical && isStale(virtual, physical)) return deleteOr(physical, 'stale');
  const ours = physical?.claim.of === 'us';
  if (virtual.metadata.deletionTimestamp !== undefined) {
    return here || ours ? decideDeletion(virtual, physical) : { do: 'nothing' };
  }
  // A finished pod stays finished, whatever becomes of its copy.
  if (!here || !facts.runs || isFinished(virtual)) return { do: 'nothing' };
  return physical ? decidePresent(virtual, physical, facts) : decideAbsent(virtual, facts);
}

function decideOrphan({ claim, pod }: SeenPod): PodStep {
  if (claim.of === 'us')
    return pod.metadata.deletionTimestamp === undefined ? { do: 'delete', why: 'virtual-gone' } : { do: 'wait' };
  return claim.of === 'unmarked' ? { do: 'report', problem: 'orphan' } : { do: 'nothing' };
}

/** The copy of a pod that had this name before. */
function isStale({ metadata }: Pod, { claim, reference }: SeenPod): boolean {
  if (claim.of !== 'us' || !reference) return false;
  return refersTo(reference, metadata) && reference.uid !== metadata.uid;
}

function deleteOr({ pod }: SeenPod, why: 'stale' | 'unschedulable'): PodStep {
  return pod.metadata.deletionTimestamp === undefined ? { do: 'delete', why } : { do: 'wait' };
}

function decideDeletion(virtual: Pod, physical: SeenPod | undefined): PodStep {
  if (!physical || !isCopyOf(physical, virtual)) return { do: 'remove' };
  if (physical.claim.of === 'unmarked') return { do: 'adopt' };
  if (physical.claim.of !== 'us') return { do: 'remove' };
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = physical.pod.metadata;
  if (deletionTimestamp === undefined) return { do: 'delete', why: 'virtual-deleted' };
  const allowed = virtual.metadata.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds;
  return { do: allowed < deletionGracePeriodSeconds ? 'shorten' : 'wait' };
}

function decidePresent(virtual: Pod, physical: SeenPod, { overdue, place }: PodFacts): PodStep {
  const { claim, pod } = physical;
  if (claim.of !== 'us' && claim.of !== 'unmarked') return { do: 'report', problem: 'conflict' };
  if (!isCopyOf(physical, virtual)) return { do: 'report', problem: 'conflict' };
  if (claim.of === 'unmarked') return { do: 'adopt' };
  if (!isMapped(virtual, place) || recordedUid(virtual) !== pod.metadata.uid) return { do: 'record' };
  if (pod.metadata.deletionTimestamp !== undefined) return { do: 'wait' };
  return overdue ? deleteOr(physical, 'unschedulable') : { do: 'keep' };
}

function decideAbsent(virtual: Pod, { place }: PodFacts): PodStep {
  const mapped = isMapped(virtual, place);
  // What has run must not run again. Its end, or its loss, is told by those who watch how copies end.
  if (mapped && recordedUid(virtual) !== undefined) return { do: 'nothing' };
  // Somebody took the record away. A copied manifest has a record, but its status never left the start.
  if (hasStarted(virtual)) return { do: 'lose' };
  return { do: mapped ? 'create' : 'map' };
}

/** The mapping is there, right, and was made for this very pod: annotations that came with a manifest are not believed. */
export function isMapped({ metadata }: Pod, place: PodFacts['place']): boolean {
  const found = metadata.annotations ?? {};
  return (
    found[annotations.physicalPodNamespace] === place.namespace &&
    found[annotations.physicalPodName] === place.name &&
    found[ownAnnotations.mappedFor] === metadata.uid
  );
}

function recordedUid({ metadata }: Pod): string | undefined {
  return metadata.annotations?.[annotations.physicalPodUid] || undefined;
}

/** Only a copy that was started can have made V say any of this. */
function hasStarted({ status }: Pod): boolean {
  return status?.phase === 'Running' || status?.startTime !== undefined || (status?.containerStatuses?.length ?? 0) > 0;
}

function isCopyOf({ reference }: SeenPod, { metadata }: Pod): boolean {
  return reference !== undefined && refersTo(reference, metadata) && reference.uid === metadata.uid;
}

function refersTo(reference: PodBackReference, { namespace, name }: Pod['metadata']): boolean {
  return reference.namespace === namespace && reference.name === name;
}
