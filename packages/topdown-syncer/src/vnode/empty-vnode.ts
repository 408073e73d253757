// The way out for a virtual node: taint and cordon, delete, empty, let go. Each step is taken once and can be taken again.
import { recheck, removeFinalizerPatch, settled, toTimestamp } from '@tributary/runtime';
import type { KubeClient, Outcome } from '@tributary/runtime';
import { nodeKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { annotations, finalizers, ignoredNamespaces, labels } from '../contract/keys.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { unlessGone } from './unless-gone.ts';
import { deletionMarks } from './vnode-changes.ts';

export type EmptyInputs = {
  readonly vnode: Node;
  readonly pods: readonly Pod[];
  /** How long pods may stay after the taint. */
  readonly graceMs: number;
  readonly nowMs: number;
};

const lookAgainMs = 10_000;

export async function emptyVnode(inputs: EmptyInputs, client: KubeClient, signal: AbortSignal): Promise<Outcome> {
  const { vnode, pods, nowMs } = inputs;
  const { name = '', uid, resourceVersion } = vnode.metadata;
  if (vnode.metadata.deletionTimestamp === undefined) {
    const marks = deletionMarks(vnode, toTimestamp(nowMs));
    if (marks) {
      const body = { ...marks, metadata: { ...(marks['metadata'] as object), resourceVersion } };
      await client.patch(nodeKind, { name }, { type: 'merge', body }, { signal });
    }
    await unlessGone(client.delete(nodeKind, { name }, { preconditions: { uid }, signal }));
    // The deletion comes back as an event, and with it the rest.
    return settled;
  }
  const leftMs = graceLeftMs(inputs);
  if (leftMs > 0 && pods.length > 0) return recheck(Math.min(leftMs, lookAgainMs));
  for (const pod of pods) await deletePod(pod, client, signal);
  if (pods.some(isInTheWay)) return recheck(lookAgainMs);
  const patch = removeFinalizerPatch(vnode, finalizers.vnode);
  if (patch) await unlessGone(client.patch(nodeKind, { name }, patch, { signal }));
  return settled;
}

/** Guards of ports have no container anywhere; nobody else would take them away. */
export function isFakePod({ metadata }: Pod): boolean {
  return metadata.labels?.[labels.hostPortFakePod] === 'true';
}

/** Only this very pod, and with the grace that its owner gave it. */
export async function deletePod(pod: Pod, client: Pick<KubeClient, 'delete'>, signal: AbortSignal): Promise<void> {
  const { namespace, name = '', uid, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined && !isFakePod(pod)) return;
  const grace = isFakePod(pod) ? { gracePeriodSeconds: 0 } : {};
  await unlessGone(client.delete(podKind, { namespace, name }, { preconditions: { uid }, ...grace, signal }));
}

function graceLeftMs({ vnode, graceMs, nowMs }: EmptyInputs): number {
  const taintedMs = Date.parse(vnode.metadata.annotations?.[annotations.deletionTaintTime] ?? '');
  return graceMs > 0 && !Number.isNaN(taintedMs) ? taintedMs + graceMs - nowMs : 0;
}

/** What the cluster itself runs on every node is not waited for: it is not run here. */
function isInTheWay(pod: Pod): boolean {
  return !isFinished(pod) && !ignoredNamespaces.includes(pod.metadata.namespace ?? '');
}
