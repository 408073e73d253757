import { connect } from '@tributary/runtime';
import type { AnyCustomKind, Connection, Kind, KubeObject, Log, ObjectRef } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare, SimCloudflareOptions } from '@tributary/sim-cloudflare';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { tunnelConverters } from '../conversion/tunnel-converters.ts';
import type { AnyContributor } from '../engine/l2-controllers/contributor.ts';
import type { AnyTarget } from '../engine/l5-sync/target.ts';
import type { CloudflareOperatorDeps, CloudflareOperatorOptions } from '../operator.ts';
import { applyObjects } from './apply-objects.ts';
import { createRandom } from './create-random.ts';
import { installedKinds, installKinds } from './installed-kinds.ts';
import { createReplicas, operatorNamespace } from './replicas.ts';
import { createWriteLedger } from './write-ledger.ts';
import type { Write, WriteFilter } from './write-ledger.ts';

export type WorldOptions = {
  /** Equal seeds give equal worlds. */
  readonly seed?: number;
  /** How many replicas start at once; 1 when absent, 0 for none. */
  readonly replicas?: number;
  /** The catalog's when absent; further CRDs go in `kinds`. */
  readonly contributors?: readonly AnyContributor[];
  readonly targets?: readonly AnyTarget[];
  readonly kinds?: readonly AnyCustomKind[];
  readonly operator?: Partial<CloudflareOperatorOptions>;
  readonly sim?: Omit<SimCloudflareOptions, 'clock' | 'random' | 'listen'>;
  readonly cluster?: Omit<NonNullable<Parameters<typeof startCluster>[0]>, 'clock' | 'random' | 'listen'>;
  readonly log?: Log;
  readonly download?: CloudflareOperatorDeps['download'];
};

/** An API server, Cloudflare and the operator, on one clock and from one seed. */
export type World = {
  readonly clock: SimulatedClock;
  readonly cluster: Cluster;
  readonly sim: SimCloudflare;
  /** A user's way in; its caches show the cluster as it is. */
  readonly user: Connection;
  /** Makes the objects, or changes those that are there, as `kubectl apply` would. YAML or objects. */
  readonly apply: (given: string | KubeObject | readonly KubeObject[]) => Promise<void>;
  /** A Secret with the simulator's token and the default CloudflareCredentials `main` for it. */
  readonly applyCredentials: (name?: string) => Promise<void>;
  readonly delete: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => Promise<void>;
  /** What the cluster holds at this moment. */
  readonly get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => T | undefined;
  readonly list: <T extends KubeObject>(kind: Kind<T>) => readonly T[];
  /** Lets time pass until the condition holds; a minute at most when no limit is given. */
  readonly waitFor: (condition: () => boolean, limitMs?: number) => Promise<void>;
  /** Accepted writes to the API server by the operator; leases, events and refused ones are left out unless asked for. */
  readonly writes: (filter?: WriteFilter) => readonly Write[];
  /** How many of them there are of each resource: `{ dnsrecords: 1, 'dnsrecords/status': 1 }`. */
  readonly writeCounts: (filter?: WriteFilter) => Readonly<Record<string, number>>;
  /** Forgets the writes and calls so far. */
  readonly clearCounts: () => void;
  readonly start: (replica: string) => void;
  /** The process dies at once: nothing that it had under way has an effect any more. */
  readonly kill: (replica: string) => void;
  /** The process ends in an orderly way. */
  readonly stopReplica: (replica: string) => Promise<void>;
  /** What ended a replica by itself, for example the loss of its lease. */
  readonly failures: () => readonly unknown[];
  readonly leader: () => string | undefined;
  /** The replicas that have called Cloudflare, ever. */
  readonly callers: () => readonly string[];
  /** What all replicas show at `/metrics`. */
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = createSimulatedClock();
  const random = createRandom(options.seed ?? 1);
  const cluster = await startCluster({
    converters: tunnelConverters,
    snapshot: await installedKinds(),
    ...options.cluster,
    clock,
    random,
    listen: false,
  });
  const sim = await startSimCloudflare({ ...options.sim, clock, random, listen: false });
  const user = connect({ transport: cluster.transport(), userAgent: 'user', clock, random });
  const ledger = createWriteLedger();
  const replicas = createReplicas(options, { clock, random, cluster, sim, ledger });
  const apply: World['apply'] = async (given) => applyObjects(given, user.client, cluster.registry);
  await installKinds(user.client, options.kinds ?? []);
  await clock.settle();
  for (let number = 1; number <= (options.replicas ?? 1); number += 1) replicas.start(`replica-${number}`);
  return {
    clock,
    cluster,
    sim,
    user,
    apply,
    applyCredentials: async (name = 'main') => apply(defaultCredentials(name, sim)),
    delete: async (kind, ref) => void (await user.client.delete(kind, ref)),
    get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => cluster.client.get(kind, ref) as T | undefined,
    list: <T extends KubeObject>(kind: Kind<T>) => cluster.client.list(kind) as unknown as readonly T[],
    waitFor: async (condition, limitMs = 60_000) => clock.runUntil(condition, limitMs),
    writes: ledger.writes,
    writeCounts: ledger.counts,
    clearCounts: () => {
      ledger.clear();
      sim.journal.clear();
    },
    ...replicas,
    stop: async () => {
      await replicas.end();
      await sim.stop();
      await cluster.stop();
    },
  };
}

function defaultCredentials(name: string, { accountId, token }: SimCloudflare): readonly KubeObject[] {
  const metadata = { name: `${name}-token`, namespace: operatorNamespace };
  const spec = { accountId, secretRef: { name: `${name}-token` }, isDefault: true };
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { CLOUDFLARE_API_TOKEN: token } } as KubeObject,
    {
      apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
      kind: 'CloudflareCredentials',
      metadata: { name },
      spec,
    } as KubeObject,
  ];
}
