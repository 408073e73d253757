import type { Node } from '../contract/cluster-kinds.ts';
import { annotations, ignoredNamespaces, labels, managedByValue } from '../contract/keys.ts';
import { isFinished } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { isDaemonSetPod } from '../down/workload.ts';
import type { BindingFacts, Sides } from '../sides.ts';

/** Which pods of V belong to this syncer. */
export type Ownership = {
  /** The physical node behind the virtual one that the pod is bound to; undefined when that is none of this binding. */
  readonly physicalNodeOf: (pod: Pod) => string | undefined;
  /** The same by the name of the virtual node. */
  readonly physicalNodeOfVnode: (name: string) => string | undefined;
  /** The pod is bound to a virtual node of this binding and is one that runs there. */
  readonly runsHere: (pod: Pod) => boolean;
};

export function createOwnership({ informers, binding }: Pick<Sides, 'informers' | 'binding'>): Ownership {
  const physicalNodeOfVnode = (name: string): string | undefined => {
    const node = informers.virtual.vnodes.get({ name });
    return node && toPhysicalNode(node, binding());
  };
  const physicalNodeOf = ({ spec }: Pod): string | undefined =>
    spec.nodeName ? physicalNodeOfVnode(spec.nodeName) : undefined;
  return {
    physicalNodeOf,
    physicalNodeOfVnode,
    runsHere: (pod) => !isFinished(pod) && mayRun(pod, binding()) && physicalNodeOf(pod) !== undefined,
  };
}

/** The cache holds only nodes with the binding's label; what else a node says must not contradict it. */
export function toPhysicalNode(
  { metadata }: Node,
  { name, clusterId }: Pick<BindingFacts, 'name' | 'clusterId'>,
): string | undefined {
  const marks = metadata.labels ?? {};
  if (marks[labels.managedBy] !== managedByValue) return undefined;
  const cluster = metadata.annotations?.[annotations.physicalClusterName];
  if (cluster ? cluster !== name : (marks[labels.physicalClusterId] ?? clusterId) !== clusterId) return undefined;
  // The annotation is the whole name; a label is cut where the name is too long for one.
  return metadata.annotations?.[annotations.physicalNodeName] || marks[labels.physicalNodeName] || undefined;
}

/** Pods of the system, those that keep ports free, and those of DaemonSets that nobody asked for stay where they are. */
export function mayRun(
  pod: Pod,
  { runningDaemonsetByDefault, deleting }: Pick<BindingFacts, 'runningDaemonsetByDefault' | 'deleting'>,
): boolean {
  const { metadata } = pod;
  // Whoever leaves takes on nothing new; what is there is deleted with its virtual node.
  if (deleting) return false;
  if (ignoredNamespaces.includes(metadata.namespace ?? '')) return false;
  if (metadata.labels?.[labels.hostPortFakePod] === 'true') return false;
  if (!isDaemonSetPod(pod)) return true;
  return runningDaemonsetByDefault || metadata.annotations?.[annotations.runningDaemonset] === 'true';
}
