import { connect, crdKind, namespaceKind } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { createCommitter } from '../../l3-core/committer.ts';
import type { Committer } from '../../l3-core/committer.ts';
import { contribution } from '../../l4-state/contract.ts';
import type { Contract, Contribution } from '../../l4-state/contract.ts';
import type { SourceRef } from '../../l4-state/source.ts';
import type { TargetKey } from '../../l4-state/sync-state-name.ts';
import { syncStateKind } from '../../l4-state/sync-state.ts';
import type { SyncState } from '../../l4-state/sync-state.ts';
import { operatorNamespace, startProcess } from './sync-process.ts';
import type { KubeWrite, Process, ProcessDeps, ProcessOptions, WorldProvider } from './sync-process.ts';

export type SyncWorldOptions = ProcessOptions & {
  readonly provider: (clock: SimulatedClock) => WorldProvider | Promise<WorldProvider>;
  /** Of layer 3: when a SyncState gets another slice. */
  readonly maxBytes?: number;
};

export type CrashPoint =
  | { readonly side: 'kubernetes'; readonly at: 'before' | 'after' | 'answer-lost'; readonly nth: number }
  | { readonly side: 'provider'; readonly at: 'before' | 'after'; readonly nth: number };

export type SyncWorld = {
  readonly clock: SimulatedClock;
  readonly cluster: Cluster;
  /** The test's own eyes and hands. */
  readonly connection: Connection;
  /** Writes of layer 5's processes to Kubernetes. */
  readonly kubeWrites: KubeWrite[];
  readonly start: () => Promise<Process>;
  /** The process that was started last. */
  readonly current: () => Process;
  /** From now on a process that died is followed by another, as a Deployment would see to it. */
  readonly keepRunning: () => void;
  /** The process that is running dies at this point. The returned function tells whether it has come to that. */
  readonly crashAt: (point: CrashPoint) => () => boolean;
  /** Runs time until the promise has settled. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
  readonly put: (wish: Contribution, name?: string) => Promise<void>;
  /** Without waiting for it, for hooks. */
  readonly putNow: (wish: Contribution) => Promise<void>;
  /** All in the same moment. */
  readonly putAll: (wishes: readonly Contribution[]) => Promise<void>;
  readonly dropAll: (wishes: readonly Contribution[]) => Promise<void>;
  readonly drop: (wish: Contribution, name?: string) => Promise<void>;
  /** From a slice. */
  readonly dropFrom: (syncState: string, name: string) => Promise<void>;
  readonly orphan: (wish: Contribution, name?: string) => Promise<void>;
  readonly get: (wish: Contribution) => SyncState | undefined;
  readonly all: () => readonly SyncState[];
  readonly until: (condition: () => boolean, limitMs?: number) => Promise<void>;
  /** Until layer 5 says so. */
  readonly synced: (...wishes: readonly Contribution[]) => Promise<void>;
  readonly gone: (...wishes: readonly Contribution[]) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A cluster, layer 3, a provider and as many processes of layer 5 as are started, on one simulated clock. */
export async function startSyncWorld(options: SyncWorldOptions): Promise<SyncWorld> {
  const clock = createSimulatedClock();
  const cluster = await startCluster({ clock, random: () => 0.5, listen: false });
  const provider = await options.provider(clock);
  const stop = new AbortController();
  const connection = await connectTest(cluster, clock);
  const states = connection.cache.informer(syncStateKind);
  const committer = createCommitter({ minIntervalMs: 10, maxBytes: options.maxBytes ?? 1_000_000 }, connection);
  connection.cache.start(stop.signal);
  await clock.runUntil(() => connection.cache.hasSynced(), 10_000);

  const kubeWrites: KubeWrite[] = [];
  const processes = createProcessList(options, {
    clock,
    cluster,
    provider,
    kubeWrites,
  });
  const run = async <T>(work: Promise<T>): Promise<T> => runUntilSettled(clock, work);
  const until = async (condition: () => boolean, limitMs = 600_000): Promise<void> =>
    clock.runUntil(() => processes.revive() && condition(), limitMs);
  const get = ({ syncState }: Contribution): SyncState | undefined => states.get({ name: syncState.name });
  return {
    clock,
    cluster,
    connection,
    kubeWrites,
    start: async () => {
      const started = processes.startOne();
      await until(() => started.connection.cache.hasSynced(), 10_000);
      return started;
    },
    current: () => lastOf(processes.running),
    keepRunning: processes.keepRunning,
    crashAt: (point) => armCrash(point, processes.running, { cluster, provider }),
    run,
    ...sourcesBy(committer, run),
    get,
    all: () => states.list(),
    until,
    synced: async (...wishes) => until(() => wishes.every((wish) => isSynced(get(wish)))),
    gone: async (...wishes) => until(() => wishes.every((wish) => get(wish) === undefined)),
    stop: async () => {
      await run(Promise.all(processes.running.map(async (process) => process.stop())));
      committer.stop();
      stop.abort();
      await cluster.stop();
    },
  };
}

type Sources = Pick<SyncWorld, 'put' | 'putNow' | 'putAll' | 'drop' | 'dropAll' | 'dropFrom' | 'orphan'>;

function sourcesBy({ register, unregister, orphan }: Committer, run: SyncWorld['run']): Sources {
  const put = async (wish: Contribution, name = 'one'): Promise<void> =>
    register(wish, { ref: toyRef(name), createdAt });
  const drop = async ({ syncState }: Contribution, name = 'one'): Promise<void> =>
    unregister(syncState.name, toyRef(name));
  return {
    put: async (wish, name) => run(put(wish, name)),
    putNow: async (wish) => put(wish),
    putAll: async (wishes) => void (await run(Promise.all(wishes.map(async (wish) => put(wish))))),
    drop: async (wish, name) => run(drop(wish, name)),
    dropAll: async (wishes) => void (await run(Promise.all(wishes.map(async (wish) => drop(wish))))),
    dropFrom: async (syncState, name) => run(unregister(syncState, toyRef(name))),
    orphan: async ({ syncState }, name = 'one') => run(orphan(syncState.name, toyRef(name))),
  };
}

type ProcessList = {
  readonly running: readonly Process[];
  readonly startOne: () => Process;
  /** Starts another where the last one died; true, to be asked in passing. */
  readonly revive: () => true;
  readonly keepRunning: () => void;
};

function createProcessList(options: ProcessOptions, deps: ProcessDeps): ProcessList {
  const running: Process[] = [];
  let reviving = false;
  const startOne = (): Process => {
    const started = startProcess(`layer5-${running.length}`, options, deps);
    running.push(started);
    return started;
  };
  return {
    running,
    startOne,
    keepRunning: () => void (reviving = true),
    revive: () => {
      const last = running.at(-1);
      if (reviving && last?.isDead()) {
        last.kill();
        startOne();
      }
      return true;
    },
  };
}

function lastOf(running: readonly Process[]): Process {
  const process = running.at(-1);
  if (!process) throw new Error('no process is running');
  return process;
}

function armCrash(
  { side, at, nth }: CrashPoint,
  running: readonly Process[],
  { cluster, provider }: { readonly cluster: Cluster; readonly provider: WorldProvider },
): () => boolean {
  const process = lastOf(running);
  if (side === 'provider') return provider.crashAt(nth, at, process.kill);
  const { userAgent } = process;
  cluster.faults.add({ match: { verb: 'write', userAgent }, fault: { kind: 'crash', at }, skip: nth, times: 1 });
  return () => cluster.faults.isCrashed(userAgent);
}

const createdAt = '2026-01-01T00:00:00Z';

export function toyRef(name: string): SourceRef {
  return { kind: 'Toy', namespace: 'default', name };
}

async function connectTest(cluster: Cluster, clock: SimulatedClock): Promise<Connection> {
  const connection = connect({ transport: cluster.transport(), clock, random: () => 0.5, freeze: true });
  await connection.client.create(crdKind, { ...syncStateKind.toCrd() });
  await connection.client.create(namespaceKind, { metadata: { name: operatorNamespace } });
  return connection;
}

async function runUntilSettled<T>(clock: SimulatedClock, work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => (done = true));
  ended.catch(() => undefined);
  await clock.runUntil(() => done, 3_600_000);
  return ended;
}

function isSynced(state: SyncState | undefined): boolean {
  const { syncStatus, observedGeneration } = state?.status ?? {};
  return syncStatus === 'Synced' && observedGeneration === state?.metadata.generation;
}

/** A wish with the credentials `main`. */
export function wishOf<K extends TargetKey, C extends object>(
  contract: Contract<K, C>,
  key: K,
  config: C,
): Contribution {
  return contribution(contract, key, config, { credentials: { name: 'main' } });
}
