import { podLost } from '../contract/keys.ts';
import type { Pod, PodCondition, PodStatus } from '../contract/pod.ts';
import { mergeConditions } from './pod-conditions.ts';

/** Taken from the physical pod as they are. Whatever is not here or made below stays as the virtual cluster has it. */
const copied = [
  'phase',
  'message',
  'reason',
  'hostIP',
  'hostIPs',
  'podIP',
  'podIPs',
  'startTime',
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const;

/** The fields of the virtual pod's status that the physical pod decides; one that is undefined shall not be there. */
export function toVirtualStatus(virtual: Pod, physical: Pod, now: string): PodStatus {
  const below: PodStatus = physical.status ?? {};
  const current =
    below['observedGeneration'] !== undefined && below['observedGeneration'] === physical.metadata.generation;
  const gates = (virtual.spec['readinessGates'] ?? []) as readonly { readonly conditionType: string }[];
  return {
    ...Object.fromEntries(copied.map((field) => [field, below[field]])),
    ...(current && virtual.metadata.generation !== undefined && { observedGeneration: virtual.metadata.generation }),
    // A pod that nobody looked at yet has no phase; the virtual one began as Pending.
    phase: below.phase ?? 'Pending',
    conditions: mergeConditions({
      virtual: virtual.status?.conditions ?? [],
      physical: below.conditions ?? [],
      gates: gates.map(({ conditionType }) => conditionType),
      leaving: physical.metadata.deletionTimestamp !== undefined && virtual.metadata.deletionTimestamp === undefined,
      generation: { virtual: virtual.metadata.generation, physical: physical.metadata.generation },
      now,
    }),
  };
}

/** How a pod ends whose physical pod went away without an end of its own. */
export function toLostStatus(virtual: Pod, now: string): PodStatus {
  const conditions = virtual.status?.conditions ?? [];
  return { phase: 'Failed', ...podLost, conditions: conditions.map((condition) => toNotReady(condition, now)) };
}

function toNotReady(condition: PodCondition, now: string): PodCondition {
  const aboutReady = condition.type === 'Ready' || condition.type === 'ContainersReady';
  if (!aboutReady || condition.status === 'False') return condition;
  return { type: condition.type, status: 'False', ...podLost, lastTransitionTime: now };
}
