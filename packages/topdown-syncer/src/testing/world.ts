import { connect, createKubeClient, createManager, namespaceKind, silentLog, toTimestamp } from '@tributary/runtime';
import type { Clock, HttpRequest, KubeClient, Log, Runnable, Transport } from '@tributary/runtime';
import { createKubelet, createScheduler, startCluster } from '@tributary/sim-kubernetes';
import type { Cluster, ClusterOptions } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { join } from 'node:path';
import { createVirtualContents, physicalContents } from '../cache-contents.ts';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { labels } from '../contract/keys.ts';
import { vnodeName } from '../contract/names.ts';
import { createEventsPart } from '../events-part.ts';
import { openSides, readStart } from '../open-sides.ts';
import type { OpenSides, SyncerStart } from '../open-sides.ts';
import type { SyncerOptions } from '../syncer-options.ts';

// Two embedded clusters on one simulated clock, and syncers between them. V has a scheduler and no kubelet, P has both.

export type WorldOptions = {
  /** The parts of a syncer that run. */
  readonly parts: (sides: OpenSides, options: SyncerOptions, start: SyncerStart) => readonly Runnable[];
  readonly physicalNodes?: readonly string[];
  /** True: virtual nodes are made by hand, one for each physical one. For tests without `vnode/`. */
  readonly staticVnodes?: boolean;
  readonly binding?: Partial<ClusterBinding['spec']>;
  readonly virtual?: ClusterOptions;
  readonly physical?: ClusterOptions;
};

export const bindingName = 'worker1';
export const clusterId = 'cls-worker1';
export const mountNamespace = 'mount';

export type RunningSyncer = {
  readonly sides: OpenSides;
  readonly userAgent: string;
  /** Ends it as a signal does, and waits until it has ended. */
  readonly stop: () => Promise<void>;
  /** What ended it, if something did. */
  readonly failure: () => unknown;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/** A request of a syncer, as `PATCH pods/status`: without watches and lists, which caches need whatever happens. */
export type RequestLog = { readonly requests: string[] };

export async function createWorld(options: WorldOptions) {
  const clock = createSimulatedClock();
  const random = seededRandom(1);
  const nodes = options.physicalNodes ?? ['node-1', 'node-2'];
  const crdPaths = [join(import.meta.dirname, '../../../../deploy/topdown-syncer/crds')];
  const base: ClusterOptions = { clock, random, listen: false, crdPaths, freeze: true };
  const virtual = await startCluster({ ...base, actors: [createScheduler()], ...options.virtual });
  const kubelet = createKubelet({ nodes });
  const physical = await startCluster({ ...base, actors: [createScheduler(), kubelet], ...options.physical });
  const v = connect({ transport: virtual.transport(), clock, random }).client;
  const p = connect({ transport: physical.transport(), clock, random }).client;
  await p.create(namespaceKind, { metadata: { name: mountNamespace } });
  const binding = { name: bindingName, clusterID: clusterId, ...options.binding };
  await addBinding(virtual, clock, { ...binding, nodes: options.staticVnodes ? nodes : [] });
  // The controllers of both clusters have made accounts for the new namespaces by then.
  await clock.advance(1000);
  const stops: (() => Promise<void>)[] = [];
  const startSyncer = async (more: StartOptions = {}): Promise<RunningSyncer> => {
    const made = await runSyncer({ virtual, physical, clock, random, parts: options.parts }, more);
    stops.push(made.stop);
    return made;
  };
  return {
    clock,
    virtual,
    physical,
    v,
    p,
    startSyncer,
    end: async () => {
      // One after the other: each moves the clock until it has ended.
      for (const stop of stops) await stop();
      await virtual.stop();
      await physical.stop();
    },
  };
}

export type StartOptions = Partial<SyncerOptions> & {
  readonly userAgent?: string;
  readonly log?: Log;
  readonly virtualLog?: RequestLog;
  readonly physicalLog?: RequestLog;
  /** Other clusters than those of the world, for a second virtual one. */
  readonly virtualCluster?: Cluster;
};

type Between = {
  readonly virtual: Cluster;
  readonly physical: Cluster;
  readonly clock: ReturnType<typeof createSimulatedClock>;
  readonly random: () => number;
  readonly parts: WorldOptions['parts'];
};

async function runSyncer(between: Between, more: StartOptions): Promise<RunningSyncer> {
  const { userAgent = 'syncer', log = silentLog, virtualLog, physicalLog, virtualCluster, ...rest } = more;
  const { clock, random } = between;
  const reach = (cluster: Cluster, requests: RequestLog | undefined): Transport =>
    counted(cluster.transport({ headers: { 'user-agent': userAgent } }), requests);
  const shared = { userAgent, clock, random, log, freeze: true };
  const near = reach(virtualCluster ?? between.virtual, virtualLog);
  const options: SyncerOptions = { clusterBindingName: bindingName, ...rest };
  const start = await readStart(createKubeClient({ transport: near }, { clock }), options.clusterBindingName);
  const { clusterID, secretRef: kubeconfig } = start.binding.spec;
  const contents = createVirtualContents({ clusterId: clusterID, kubeconfig });
  const virtual = connect({ ...shared, transport: near, transform: contents });
  const far = reach(between.physical, physicalLog);
  const physical = connect({ ...shared, transport: far, transform: physicalContents });
  const sides = openSides(options, start, { virtual, physical });
  const runnables = [createEventsPart(sides.events), ...between.parts(sides, options, start)];
  const deps = { caches: [virtual.cache, physical.cache], clock, log };
  const manager = createManager({ runnables, healthAddress: '0' }, deps);
  const stop = new AbortController();
  let failure: unknown;
  const ended = manager.run(stop.signal).catch((error: unknown) => {
    failure = error;
  });
  const endNow = async (): Promise<void> => {
    stop.abort();
    let over = false;
    const finish = ended.finally(() => {
      over = true;
    });
    // Those who stop may wait for a timer of the simulated clock.
    await clock.runUntil(() => over, 120_000);
    await finish;
  };
  return { sides, userAgent, stop: endNow, failure: () => failure };
}

export type BindingParts = Partial<ClusterBinding['spec']> & {
  readonly name: string;
  readonly clusterID: string;
  /** The physical nodes that get virtual ones, by hand. */
  readonly nodes: readonly string[];
};

/** Puts a binding and its virtual nodes into a virtual cluster. */
export async function addBinding(cluster: Cluster, clock: Clock, parts: BindingParts): Promise<KubeClient> {
  const { name, nodes, ...spec } = parts;
  const { client } = connect({ transport: cluster.transport(), clock });
  const secretRef = { name: `${name}-kubeconfig`, namespace: 'kubeocean-system' };
  await client.create(clusterBindingKind, { metadata: { name }, spec: { mountNamespace, secretRef, ...spec } });
  for (const node of nodes)
    await createVnode(client, { binding: name, cid: parts.clusterID, node, now: toTimestamp(clock.now()) });
  return client;
}

type VnodeParts = { readonly binding: string; readonly cid: string; readonly node: string; readonly now: string };

/** By hand, as `vnode/` would. */
export async function createVnode(client: KubeClient, { binding, cid, node, now }: VnodeParts): Promise<void> {
  const name = vnodeName(cid, node);
  const capacity = { cpu: '32', memory: '128Gi', pods: '500' };
  await client.create(nodeKind, {
    metadata: {
      name,
      labels: {
        [labels.managedBy]: 'kubeocean',
        [labels.clusterBinding]: binding,
        [labels.physicalClusterId]: cid,
        [labels.physicalNodeName]: node,
        [labels.physicalNodeUid]: `uid-of-${node}`,
      },
    },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now }],
    },
  });
  // The server puts it on every new node; here is no kubelet to take it away again.
  await client.patch(nodeKind, { name }, { type: 'merge', body: { spec: { taints: [] } } });
}

function counted(transport: Transport, log: RequestLog | undefined): Transport {
  if (!log) return transport;
  return {
    ...transport,
    request: async (request) => {
      log.requests.push(describe(request));
      return transport.request(request);
    },
  };
}

function describe({ method, path }: HttpRequest): string {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const afterGroup = parts.slice(parts[0] === 'api' ? 2 : 3);
  const namespaced = afterGroup[0] === 'namespaces' && afterGroup.length > 2 ? afterGroup.slice(2) : afterGroup;
  const [plural = '', , subresource] = namespaced;
  return `${method} ${plural}${subresource ? `/${subresource}` : ''}`;
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
