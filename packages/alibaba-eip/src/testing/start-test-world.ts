import { connect, createManager, crdKind, createFencedTransport } from '@tributary/runtime';
import type { Connection, Fence, KubeClient } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba, SimAlibabaOptions } from '@tributary/sim-alibaba';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { createEipOperator } from '../create-eip-operator.ts';
import type { EipOperatorOptions } from '../create-eip-operator.ts';
import { eipKind } from '../eip/resource.ts';
import type { EipObject, EipSpec } from '../eip/resource.ts';
import type { VpcSend } from '../provider/vpc-send.ts';

export type OperatorProcess = {
  readonly userAgent: string;
  /** As a kill does: nothing of it gets through any more, on either side. */
  readonly crash: () => void;
  readonly isDead: () => boolean;
  readonly stop: () => Promise<void>;
};

/** An API server, the provider and operators in one process, on one clock that the test moves. */
export type TestWorld = {
  readonly clock: SimulatedClock;
  readonly cluster: Cluster;
  readonly sim: SimAlibaba;
  /** The user's. */
  readonly client: KubeClient;
  readonly start: (options?: StartOptions) => OperatorProcess;
  readonly create: (name: string, spec?: Partial<EipSpec>, metadata?: object) => Promise<EipObject>;
  readonly get: (name: string) => EipObject | undefined;
  readonly patch: (name: string, body: object) => Promise<EipObject>;
  readonly remove: (name: string) => Promise<void>;
  /** Until the object is so. */
  readonly until: (name: string, isSo: (object: EipObject) => boolean, limitMs?: number) => Promise<EipObject>;
  readonly untilGone: (name: string, limitMs?: number) => Promise<void>;
  readonly events: () => readonly { readonly reason: string; readonly message: string }[];
  readonly end: () => Promise<void>;
};

export type StartOptions = Partial<EipOperatorOptions> & {
  readonly fence?: Fence;
  /** Dies at its n-th write to the provider: before it has an effect, or after it with the answer lost. */
  readonly crashAtCall?: { readonly index: number; readonly at: 'before' | 'answer-lost' };
};

export async function startTestWorld(simOptions: SimAlibabaOptions = {}, seed = 7): Promise<TestWorld> {
  const clock = createSimulatedClock();
  const random = createRandom(seed);
  const cluster = await startCluster({ listen: false, clock, random });
  const sim = await startSimAlibaba({ listen: false, clock, random, quotas: { eips: 10_000 }, ...simOptions });
  const user = connect({ transport: cluster.transport(), clock, random, userAgent: 'user' });
  await user.client.create(crdKind, { ...eipKind.toCrd() });
  await clock.settle();
  const processes: OperatorProcess[] = [];
  const get = (name: string): EipObject | undefined =>
    cluster.store.get({ group: eipKind.group, plural: 'eips' }, { namespace: 'default', name }) as
      | EipObject
      | undefined;
  return {
    clock,
    cluster,
    sim,
    client: user.client,
    start: (options = {}) => {
      const process = startProcess({ clock, random, cluster, sim }, options, processes.length + 1);
      processes.push(process);
      return process;
    },
    create: async (name, spec = {}, metadata = {}) =>
      user.client.create(eipKind, { metadata: { ...ref(name), ...metadata }, spec } as EipObject),
    get,
    patch: async (name, body) => user.client.patch(eipKind, ref(name), { type: 'merge', body }),
    remove: async (name) => void (await user.client.delete(eipKind, ref(name))),
    until: async (name, isSo, limitMs = 3_600_000) => {
      const holds = (): boolean => {
        const object = get(name);
        return object !== undefined && isSo(object);
      };
      await clock.runUntil(holds, limitMs);
      return get(name) as EipObject;
    },
    untilGone: async (name, limitMs = 3_600_000) => clock.runUntil(() => get(name) === undefined, limitMs),
    events: () =>
      cluster.store
        .list({ group: '', plural: 'events' })
        .map((event) => event as unknown as { reason: string; message: string }),
    end: async () => {
      for (const process of processes) process.crash();
      await clock.settle();
      await sim.stop();
      await cluster.stop();
    },
  };
}

function ref(name: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'default', name };
}

type Surroundings = Pick<TestWorld, 'clock' | 'cluster' | 'sim'> & { readonly random: () => number };

function startProcess(
  world: Surroundings,
  { fence, crashAtCall, ...options }: StartOptions,
  count: number,
): OperatorProcess {
  const { clock, cluster, sim, random } = world;
  const userAgent = `operator-${count}`;
  let crashed = false;
  let calls = 0;
  const stop = new AbortController();
  const crash = (): void => {
    crashed = true;
    cluster.faults.crash(userAgent);
    stop.abort();
  };
  const raw = cluster.transport();
  const transport = fence ? createFencedTransport(raw, fence) : raw;
  const connection: Connection = connect({ transport, clock, random, userAgent, freeze: true });
  const send: VpcSend = async (action, params, signal) => {
    calls += action.startsWith('Describe') ? 0 : 1;
    const strikes = calls === crashAtCall?.index && !action.startsWith('Describe');
    if (strikes && crashAtCall.at === 'before') crash();
    if (crashed) return new Promise(() => undefined);
    const answer = await sim.call(action, params, { userAgent, ...(signal && { signal }) });
    if (strikes) crash();
    return crashed ? new Promise(() => undefined) : answer;
  };
  const settings = { regionId: sim.regionId, clusterId: 'test-cluster', ...options };
  const runnables = createEipOperator(settings, { connection, send, ...(fence && { fence }) });
  const manager = createManager({ runnables, healthAddress: '0' }, { ...connection, caches: [connection.cache] });
  const running = manager.run(stop.signal).catch(() => undefined);
  return {
    userAgent,
    crash,
    isDead: () => crashed || cluster.faults.isCrashed(userAgent),
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

/** Mulberry32: small, and the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
