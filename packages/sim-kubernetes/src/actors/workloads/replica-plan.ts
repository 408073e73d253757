// What a ReplicaSet does about its pods: a pure decision from what is stored.
import type { Draft, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { child, count, items, text, textMap } from '../../kinds/draft-fields.ts';
import { isActive, isReady, readySince } from './owned.ts';

export type ReplicaPlan = {
  readonly create: number;
  readonly remove: readonly StoredObject[];
  readonly status: Draft;
  /** When a ready pod becomes an available one. */
  readonly againMs: number | undefined;
};

export function planReplicas(set: StoredObject, pods: readonly StoredObject[], nowMs: number): ReplicaPlan {
  const spec = child(set, 'spec');
  const active = pods.filter(isActive);
  const surplus = active.length - count(spec, 'replicas');
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const waits = active.filter(isReady).map((pod) => readySince(pod) + count(spec, 'minReadySeconds') * 1000 - nowMs);
  const later = waits.filter((ms) => ms > 0);
  const labels = Object.entries(textMap(child(child(spec, 'template'), 'metadata'), 'labels'));
  const isLabeled = ({ metadata }: StoredObject): boolean =>
    labels.every(([key, value]) => metadata.labels?.[key] === value);
  return {
    create: deleting ? 0 : Math.max(0, -surplus),
    remove: deleting || surplus <= 0 ? [] : active.toSorted(lessMissed).slice(0, surplus),
    status: {
      replicas: active.length,
      ...nonzero('fullyLabeledReplicas', active.filter(isLabeled).length),
      ...nonzero('readyReplicas', waits.length),
      ...nonzero('availableReplicas', waits.length - later.length),
      terminatingReplicas: pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length,
      observedGeneration: set.metadata.generation ?? 0,
    },
    againMs: later.length === 0 ? undefined : Math.min(...later),
  };
}

/** Whether the status that is stored says the same. */
export function isTold(set: StoredObject, status: Draft): boolean {
  return sameJson(child(set, 'status'), status);
}

export function nonzero(key: string, value: number): Draft {
  return value === 0 ? {} : { [key]: value };
}

const phases = ['Pending', 'Unknown', 'Running'];

/** What is missed least goes first: without a node, not running, not ready, ready for the shortest time, newest. */
function lessMissed(a: StoredObject, b: StoredObject): number {
  const order = ranksOf(a);
  const other = ranksOf(b);
  for (const [index, rank] of order.entries()) {
    const difference = rank - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function ranksOf(pod: StoredObject): readonly number[] {
  const cost = Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
  const restarts = items(child(pod, 'status'), 'containerStatuses').map((found) => count(found, 'restartCount'));
  return [
    text(child(pod, 'spec'), 'nodeName') === '' ? 0 : 1,
    phases.indexOf(text(child(pod, 'status'), 'phase')),
    isReady(pod) ? 1 : 0,
    cost,
    isReady(pod) ? -readySince(pod) : 0,
    -Math.max(0, ...restarts),
    -Date.parse(pod.metadata.creationTimestamp),
  ];
}
