import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { createKubeClient } from '../../client/create-kube-client.ts';
import { createUndiciTransport } from '../../client/undici-transport.ts';
import { defineKind } from '../../kind.ts';
import { loadClusterAccess } from '../../kubeconfig/load-cluster-access.ts';
import { systemAccessDeps } from '../../kubeconfig/system-access-deps.ts';
import type { ReplicaArguments } from './replica-main.ts';
import { spawnReplica } from './spawn-replica.ts';
import type { SpawnedReplica } from './spawn-replica.ts';
import { followLedger } from './write-history.ts';
import type { LedgerWrite, WriteHistory } from './write-history.ts';

const namespaces = defineKind({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' });

/** Three replicas in processes of their own in a namespace of their own, and the history of what they wrote. */
export type ReplicaTeam = {
  readonly history: WriteHistory;
  /** As a Deployment does: for each that is gone a new one. */
  readonly fill: () => Promise<void>;
  /** Whoever writes next. */
  readonly leader: () => Promise<SpawnedReplica>;
  readonly writesBy: (replica: SpawnedReplica) => readonly LedgerWrite[];
  readonly close: () => Promise<void>;
};

export async function startReplicaTeam(times: ReplicaArguments['times']): Promise<ReplicaTeam> {
  const { kubeconfigPath: kubeconfig } = inject('controlPlane');
  const deps = systemAccessDeps({});
  const transport = createUndiciTransport({ access: await loadClusterAccess({ kubeconfig }, deps) }, deps);
  const kube = createKubeClient({ transport });
  const namespace = `election-${randomUUID().slice(0, 8)}`;
  await kube.create(namespaces, { metadata: { name: namespace } });
  const history = await followLedger(kube, namespace);
  let replicas: SpawnedReplica[] = [];
  let count = 0;

  const fill = async (): Promise<void> => {
    replicas = replicas.filter((replica) => !replica.hasExited());
    while (replicas.length < 3) {
      const identity = `replica-${(count += 1)}`;
      replicas.push(await spawnReplica({ kubeconfig, namespace, identity, times }));
    }
  };
  const leader = async (): Promise<SpawnedReplica> => {
    const { by } = await history.next(() => true, times.leaseDurationMs + 5000);
    const found = replicas.find(({ identity }) => identity === by);
    if (!found) throw new Error(`${by} writes, and nobody knows it`);
    return found;
  };
  await fill();
  return {
    history,
    fill,
    leader,
    writesBy: ({ identity }) => history.writes.filter(({ by }) => by === identity),
    close: async () => {
      for (const replica of replicas) replica.kill('SIGKILL');
      await Promise.all(replicas.map(async ({ exited }) => exited));
      await history.close();
      await kube.delete(namespaces, { name: namespace });
      await transport.close();
    },
  };
}
