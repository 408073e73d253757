import { connect, crdKind, namespaceKind } from '@tributary/runtime';
import type { AnyCustomKind, KubeClient } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { allKinds } from '../catalog.ts';
import { tunnelConverters } from '../conversion/tunnel-converters.ts';
import { createRandom } from './create-random.ts';
import { operatorNamespace } from './replicas.ts';

type Snapshot = ReturnType<Cluster['snapshot']>;

let installed: Promise<Snapshot> | undefined;

/** A cluster with the operator's namespace and kinds. To install them takes longer than most tests: it is done once. */
export async function installedKinds(): Promise<Snapshot> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Snapshot> {
  const clock = createSimulatedClock();
  const random = createRandom(0);
  const cluster = await startCluster({ converters: tunnelConverters, clock, random, listen: false });
  const { client } = connect({ transport: cluster.transport(), userAgent: 'user', clock, random });
  await client.create(namespaceKind, { metadata: { name: operatorNamespace } });
  await installKinds(client, allKinds);
  await clock.settle();
  const snapshot = cluster.snapshot();
  await cluster.stop();
  return snapshot;
}

export async function installKinds(client: KubeClient, kinds: readonly AnyCustomKind[]): Promise<void> {
  for (const kind of kinds) await client.create(crdKind, { ...kind.toCrd() });
}
