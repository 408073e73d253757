import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { ClusterOptions } from '../../cluster-options.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { startCluster } from '../../start-cluster.ts';
import type { Cluster } from '../../start-cluster.ts';

export type SimulatedCluster = Cluster & {
  readonly clock: SimulatedClock;
  readonly make: (plural: string, object: JsonObject, group?: string) => Promise<StoredObject>;
  readonly read: (plural: string, name: string, group?: string) => StoredObject | undefined;
};

/** A cluster on a clock of its own; faults of actors end the test. Objects go to `default`. */
export async function startSimulatedCluster(options: ClusterOptions = {}): Promise<SimulatedCluster> {
  const clock = createSimulatedClock();
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const cluster = await startCluster({
    listen: false,
    freeze: true,
    clock,
    random,
    onInternalError: (error) => {
      throw error;
    },
    ...options,
  });
  await clock.advance(0);
  const place = (plural: string, group: string): { readonly namespace?: string } =>
    cluster.registry.storageType(group, plural)?.namespaced ? { namespace: 'default' } : {};
  return {
    ...cluster,
    clock,
    make: (plural, object, group = '') => {
      const metadata = { ...place(plural, group), ...(object['metadata'] as JsonObject) };
      return cluster.client.create({ group, plural }, { ...object, metadata });
    },
    read: (plural, name, group = '') => cluster.store.get({ group, plural }, { ...place(plural, group), name }),
  };
}

/** A reference to an object as its dependents have it. */
export function ownedBy({ apiVersion, kind, metadata }: StoredObject, blockOwnerDeletion = false): JsonObject {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion };
}
