import type { KubeClient, KubeObject } from '@tributary/runtime';
import { replicaSetKind } from '../contract/cluster-kinds.ts';
import type { Pod } from '../contract/pod.ts';
import { replicaSetOf, workloadOf } from '../down/workload.ts';
import type { Workload } from '../down/workload.ts';

const mostKnown = 1000;

/** Asks V for each ReplicaSet once: its owner never changes, and a cache of them all would be large for one word. */
export function createWorkloadLookup(client: Pick<KubeClient, 'get'>): (pod: Pod) => Promise<Workload> {
  const known = new Map<string, Promise<KubeObject>>();
  const find = async (namespace: string | undefined, name: string, uid: string): Promise<KubeObject> => {
    const before = known.get(uid);
    if (before) return before;
    const asked = client.get(replicaSetKind, { namespace, name });
    known.set(uid, asked);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    try {
      return await asked;
    } catch (error) {
      known.delete(uid);
      throw error;
    }
  };
  return async (pod) => {
    const name = replicaSetOf(pod);
    const uid = pod.metadata.ownerReferences?.[0]?.uid ?? '';
    return workloadOf(pod, name === undefined ? undefined : await find(pod.metadata.namespace, name, uid));
  };
}
