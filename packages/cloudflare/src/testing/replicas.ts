import { createPrometheusMetrics } from '@tributary/cloudflare-api';
import { createMetrics, createOperatorProcess, silentLog } from '@tributary/runtime';
import type { Clock, Log } from '@tributary/runtime';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import type { Cluster } from '@tributary/sim-kubernetes';
import type { AnyContributor } from '../engine/l2-controllers/contributor.ts';
import type { AnyTarget } from '../engine/l5-sync/target.ts';
import { createCloudflareOperator } from '../operator.ts';
import type { CloudflareOperatorDeps, CloudflareOperatorOptions } from '../operator.ts';
import type { WriteLedger } from './write-ledger.ts';

export const operatorNamespace = 'cloudflare-operator-system';

export type ReplicaOptions = {
  readonly contributors?: readonly AnyContributor[];
  readonly targets?: readonly AnyTarget[];
  readonly operator?: Partial<CloudflareOperatorOptions>;
  readonly log?: Log;
  /** What the operator finds elsewhere in the network. */
  readonly download?: CloudflareOperatorDeps['download'];
};

export type ReplicaDeps = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly cluster: Cluster;
  readonly sim: SimCloudflare;
  readonly ledger: Pick<WriteLedger, 'around'>;
};

export type Replicas = {
  readonly start: (replica: string) => void;
  readonly kill: (replica: string) => void;
  readonly stopReplica: (replica: string) => Promise<void>;
  readonly leader: () => string | undefined;
  readonly failures: () => readonly unknown[];
  readonly callers: () => readonly string[];
  readonly metrics: () => Promise<string>;
  readonly end: () => Promise<void>;
};

type Replica = {
  /** Another one for every start, so that a dead process stays dead when its successor lives. */
  readonly userAgent: string;
  readonly stop: AbortController;
  readonly running: Promise<void>;
  readonly isLeader: () => boolean;
  readonly scrape: () => Promise<string>;
  readonly calls: () => number;
  readonly die: () => void;
};

/** Processes of the operator, as many as one likes, that can die at any moment. */
export function createReplicas(options: ReplicaOptions, deps: ReplicaDeps): Replicas {
  const alive = new Map<string, Replica>();
  const all: Replica[] = [];
  const failures: unknown[] = [];
  const take = (name: string): Replica => {
    const replica = alive.get(name);
    if (!replica) throw new Error(`${name} does not run`);
    alive.delete(name);
    return replica;
  };
  const kill = (name: string): void => take(name).die();
  return {
    start: (name) => {
      if (alive.has(name)) throw new Error(`${name} runs already`);
      const replica = startReplica(name, `${name}/${all.length + 1}`, options, deps);
      replica.running.catch((error: unknown) => {
        if (alive.get(name) !== replica) return;
        alive.delete(name);
        failures.push(error);
      });
      alive.set(name, replica);
      all.push(replica);
    },
    kill,
    stopReplica: async (name) => {
      const replica = take(name);
      replica.stop.abort();
      await replica.running;
    },
    leader: () => [...alive].find(([, { isLeader }]) => isLeader())?.[0],
    failures: () => failures,
    callers: () => all.filter(({ calls }) => calls() > 0).map(({ userAgent }) => userAgent.split('/')[0] ?? ''),
    metrics: async () => (await Promise.all(all.map(async ({ scrape }) => scrape()))).join('\n'),
    end: () => {
      for (const name of alive.keys()) kill(name);
      return Promise.resolve();
    },
  };
}

function startReplica(name: string, userAgent: string, options: ReplicaOptions, deps: ReplicaDeps): Replica {
  const { clock, random, cluster, sim, ledger } = deps;
  const stop = new AbortController();
  let dead = false;
  // A fault of the API server may have killed it before anybody noticed.
  const isDead = (): boolean => dead || cluster.faults.isCrashed(userAgent);
  let leads: (() => boolean) | undefined;
  let calls = 0;
  const metrics = createMetrics();
  const fetch: CloudflareOperatorDeps['fetch'] = async (url, init) => {
    calls += 1;
    const answer = isDead() ? undefined : await sim.fetch(url, init);
    // The dead hear no answers.
    return isDead() || !answer ? new Promise<never>(() => undefined) : answer;
  };
  const process = createOperatorProcess(
    {
      name: userAgent,
      transport: ledger.around(name, cluster.transport()),
      election: { lease: { namespace: operatorNamespace, name: 'cloudflare-operator' }, identity: name },
      metricsAddress: '0',
      healthAddress: '0',
      build: (parts) => {
        leads = parts.isLeader;
        const { contributors, targets, download } = options;
        const chosen = { ...(contributors && { contributors }), ...(targets && { targets }) };
        return createCloudflareOperator(
          { operatorNamespace, baseUrl: sim.url, identity: name, ...chosen, ...options.operator },
          {
            ...parts,
            fetch,
            ...(download && { download }),
            apiMetrics: createPrometheusMetrics(parts.metrics.registry),
          },
        );
      },
    },
    { clock, random, freeze: true, log: options.log ?? silentLog, metrics },
  );
  const running = process.run(stop.signal);
  running.catch(() => undefined);
  const die = (): void => {
    dead = true;
    cluster.faults.crash(userAgent);
    stop.abort();
  };
  const scrape = async (): Promise<string> => (await metrics.scrape()).body;
  return { userAgent, stop, running, isLeader: () => !dead && (leads?.() ?? false), scrape, calls: () => calls, die };
}
