import { isNotFound } from '../../client/error-checks.ts';
import type { KubeClient } from '../../client/kube-client.ts';
import { systemClock } from '../../clock.ts';
import type { AnyObject } from '../../object.ts';
import type { Informer } from '../informer.ts';
import { createObjectCache } from '../object-cache.ts';
import type { SharedCache } from '../object-cache.ts';
import { createChainChecker } from './chain-checker.ts';
import type { ChainChecker } from './chain-checker.ts';
import type { FaultyProxy } from './faulty-proxy.ts';
import { configMapKind, connect, recordHistory, until } from './real-world.ts';
import type { Recording, ServerAddress } from './real-world.ts';

/** A cache behind a proxy on one namespace of a real server, and all that is needed to tell whether it is right. */
export type DisturbedCache = {
  readonly cache: SharedCache;
  readonly informer: Informer;
  readonly checker: ChainChecker;
  /** Type and version of each change since the first sync, as a listener got them. */
  readonly seen: string[];
  /** The same, as an undisturbed watch saw it. */
  readonly happened: () => readonly string[];
  readonly restarts: string[];
  /** Resolves when the cache holds what the server holds now. */
  readonly inStep: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type DisturbedCacheOptions = {
  readonly server: ServerAddress;
  readonly direct: KubeClient;
  readonly proxy: FaultyProxy;
  readonly namespace: string;
  readonly watchList?: boolean;
  readonly pageSize?: number;
};

// The same policy, a hundred times faster.
const timing = {
  backoff: { firstMs: 10, maxMs: 300, resetAfterMs: 2000 },
  floorMs: 10,
  slowMs: 100,
  idleMs: 400,
  patienceMs: 5000,
  provenMs: 100,
};

export async function startDisturbedCache(options: DisturbedCacheOptions): Promise<DisturbedCache> {
  const { server, direct, proxy, namespace, watchList, pageSize } = options;
  const restarts: string[] = [];
  const stopping = new AbortController();
  const spoiled = connect(server, proxy.url);
  const list = await direct.list(configMapKind, { namespace, limit: 1 });
  const recording = recordHistory(direct, namespace, list.metadata.resourceVersion ?? '');
  const observer = { restarted: (_: string, reason: string) => void restarts.push(reason) };
  const common = { clock: systemClock, random: Math.random, freeze: true, timing, observer };
  const cache = createObjectCache({ client: spoiled.client, ...common, watchList, pageSize });
  const informer = cache.informer(configMapKind, { namespace });
  cache.start(stopping.signal);
  await cache.waitForSync();
  return {
    ...follow(informer, recording),
    cache,
    informer,
    restarts,
    inStep: async () => {
      const wanted = tellAll((await direct.list(configMapKind, { namespace })).items);
      await until(() => tellAll(informer.list()) === wanted);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([cache.stopped(), recording.stop()]);
      await spoiled.close();
    },
  };
}

function follow(informer: Informer, { entries }: Recording): Pick<DisturbedCache, 'checker' | 'seen' | 'happened'> {
  const before = new Map(informer.list().map((object) => [object.metadata.name, object]));
  const checker = createChainChecker(entries, before);
  const seen: string[] = [];
  // A late listener is first given what is there, which is in `before`.
  let skip = informer.size();
  informer.onChange((change) => {
    skip -= 1;
    if (skip >= 0) return;
    checker.listener(change);
    seen.push(`${change.type} ${change.object.metadata.resourceVersion ?? ''}`);
  });
  const types = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' };
  return { checker, seen, happened: () => entries().map(({ type, revision }) => `${types[type]} ${revision}`) };
}

function tellAll(objects: readonly AnyObject[]): string {
  const versions = objects.map(({ metadata }) => `${metadata.name ?? ''}@${metadata.resourceVersion ?? ''}`);
  return versions.toSorted().join(' ');
}

/** Creates, changes and deletes ConfigMaps, eight at a time, straight at the server. */
export async function churn(client: KubeClient, namespace: string, writes: number, objects = 25): Promise<void> {
  let left = writes;
  const worker = async (id: number): Promise<void> => {
    for (let turn = 0; left > 0; turn += 1) {
      left -= 1;
      const name = `churn-${id}-${turn % objects}`;
      const object = { metadata: { namespace, name }, data: { at: String(performance.now()) } };
      if (turn % 7 === 6) await client.delete(configMapKind, { namespace, name }).catch(() => undefined);
      else await put(client, object);
    }
  };
  await Promise.all(Array.from({ length: 8 }, async (_, id) => worker(id)));
}

export type Churn = {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly proxy: FaultyProxy;
};

/** Writes all the while, and does one harm after the other, each to an open watch. */
export async function churnUnder(
  harms: readonly (() => void)[],
  rounds: number,
  { client, namespace, proxy }: Churn,
): Promise<void> {
  let done = 0;
  const timer = setInterval(() => {
    if (proxy.watches() === 0) return;
    harms[done % harms.length]?.();
    done += 1;
  }, 50);
  while (done < rounds * harms.length) await churn(client, namespace, 200);
  clearInterval(timer);
}

async function put(client: KubeClient, object: AnyObject): Promise<void> {
  const { namespace, name = '' } = object.metadata;
  try {
    await client.patch(configMapKind, { namespace, name }, { type: 'merge', body: object });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(configMapKind, object);
  }
}
