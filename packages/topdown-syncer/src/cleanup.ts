import { configMapKind, isNotFound, removeFinalizerPatch, secretKind, toKey } from '@tributary/runtime';
import type { Kind, KubeClient, KubeObject, Patch } from '@tributary/runtime';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import { finalizers, labels } from './contract/keys.ts';
import { isHeld, releasePatch } from './engine/virtual-stamp.ts';

export type CleanupOptions = {
  readonly clusterBindingName: string;
  readonly clusterId: string;
  /** False: only say what would be done. */
  readonly write: boolean;
};

type Claimed = { readonly kind: Kind<KubeObject>; readonly object: KubeObject; readonly patch: Patch };

/**
 * Takes everything out of V that only a running syncer would take away: its finalizers, labels and annotations. For a binding
 * whose syncer or physical cluster is gone for good; what is left in P stays there.
 */
export async function cleanUp(
  { clusterBindingName, clusterId, write }: CleanupOptions,
  { client, say }: { readonly client: KubeClient; readonly say: (line: string) => void },
): Promise<number> {
  const found = [
    ...(await findHeld(client, clusterId)),
    ...(await findVnodes(client, clusterBindingName)),
    ...(await findBinding(client, clusterBindingName)),
  ];
  for (const { kind, object, patch } of found) {
    const { namespace, name = '' } = object.metadata;
    say(`${write ? 'released' : 'would release'} ${kind.kind} ${toKey({ namespace, name })}`);
    if (write) await client.patch(kind, { namespace, name }, patch);
  }
  return found.length;
}

const heldKinds: readonly Kind<KubeObject>[] = [configMapKind, secretKind, claimKind, volumeKind];

async function findHeld(client: KubeClient, clusterId: string): Promise<readonly Claimed[]> {
  const found: Claimed[] = [];
  for (const kind of heldKinds) {
    for await (const { items } of client.listPages(kind)) {
      for (const object of items) {
        const patch = isHeld(object, clusterId) ? releasePatch(object, clusterId) : undefined;
        if (patch) found.push({ kind, object, patch });
      }
    }
  }
  return found;
}

async function findVnodes(client: KubeClient, binding: string): Promise<readonly Claimed[]> {
  const { items } = await client.list(nodeKind, { labelSelector: `${labels.clusterBinding}=${binding}` });
  return items.flatMap((object) => claimed(nodeKind, object, finalizers.vnode));
}

async function findBinding(client: KubeClient, name: string): Promise<readonly Claimed[]> {
  try {
    return claimed(clusterBindingKind, await client.get(clusterBindingKind, { name }), finalizers.bindingSyncer);
  } catch (error) {
    // It is gone, or its CRD is: then nothing holds it.
    if (!isNotFound(error)) throw error;
    return [];
  }
}

function claimed(kind: Kind<KubeObject>, object: KubeObject, finalizer: string): readonly Claimed[] {
  const patch = removeFinalizerPatch(object, finalizer);
  return patch ? [{ kind, object, patch }] : [];
}
