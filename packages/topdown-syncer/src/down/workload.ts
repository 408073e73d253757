import type { KubeObject } from '@tributary/runtime';
import { toLabelValue } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';

/** Whom a pod belongs to, as the labels of its copy say it. */
export type Workload = { readonly type: string; readonly name?: string };

/** The name of the ReplicaSet whose owner must be looked up before the workload is known. */
export function replicaSetOf({ metadata }: Pod): string | undefined {
  const owner = metadata.ownerReferences?.[0];
  return owner?.kind === 'ReplicaSet' ? owner.name : undefined;
}

/** Pods of a Deployment belong to it, not to the ReplicaSet in between. */
export function workloadOf({ metadata }: Pod, replicaSet: KubeObject | undefined): Workload {
  const owner = metadata.ownerReferences?.[0];
  if (!owner) return { type: 'pod' };
  const above = replicaSet?.metadata.ownerReferences?.find(({ kind }) => kind === 'Deployment');
  const { kind, name } = above ?? owner;
  return { type: kind.toLowerCase(), name: toLabelValue(name) };
}

export function isDaemonSetPod({ metadata }: Pod): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') ?? false;
}
