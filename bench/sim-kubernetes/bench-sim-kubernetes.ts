import {
  configMapKind,
  createKubeClient,
  createUndiciTransport,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { KubeClient, Transport } from '@tributary/runtime';
import { startControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { BenchOptions } from '../bench-options.ts';
import { forEachOf } from '../runtime/for-each-of.ts';
import type { Server } from './server.ts';
import { residentBytes } from './resident-bytes.ts';
import { startEmbedded } from './start-embedded.ts';

type Figures = {
  readonly readyMs: number;
  readonly createsPerSecond: number;
  readonly getsPerSecond: number;
  readonly listedPerSecond: number;
  /** Changes times watchers, delivered. */
  readonly watchEventsPerSecond: number;
  /** Beside what the server holds when it is empty. */
  readonly bytesPerObject: number;
  readonly megabytes: number;
};

const atOnce = 16;
const watchers = 100;
const heldObjects = 50_000;

/** The embedded API server beside the real one: the same client, the same requests, one server after the other. */
export async function benchSimKubernetes({ objects = 10_000, say }: BenchOptions): Promise<unknown> {
  const sim = await measure('embedded', startEmbedded, objects, say);
  const real = await measure('real', startReal, objects, say);
  const ratio = (of: (figures: Figures) => number): number => Math.round((of(sim) / of(real)) * 100) / 100;
  return {
    objects,
    watchers,
    heldObjects,
    sim,
    real,
    // Above 1: the embedded server is faster, or holds the same objects in less memory.
    ratios: {
      ready: Math.round((real.readyMs / sim.readyMs) * 100) / 100,
      creates: ratio(({ createsPerSecond }) => createsPerSecond),
      gets: ratio(({ getsPerSecond }) => getsPerSecond),
      lists: ratio(({ listedPerSecond }) => listedPerSecond),
      watchEvents: ratio(({ watchEventsPerSecond }) => watchEventsPerSecond),
      memory: Math.round((real.megabytes / sim.megabytes) * 100) / 100,
    },
  };
}

async function startReal(): Promise<Server> {
  const startedAt = performance.now();
  const { url, ca, token, pids, stop } = await startControlPlane();
  const readyMs = performance.now() - startedAt;
  // The server and its store.
  const memoryBytes = (): number => residentBytes(pids()['kube-apiserver']) + residentBytes(pids().etcd);
  return { readyMs, url, ca, token, memoryBytes, stop };
}

async function measure(
  name: string,
  start: () => Promise<Server>,
  objects: number,
  say: (line: string) => void,
): Promise<Figures> {
  const server = await start();
  const auth = staticAuth({ authorization: `Bearer ${server.token}` });
  const access = { server: server.url, tls: { ca: { data: server.ca } }, auth };
  const transport = createUndiciTransport({ access }, systemAccessDeps({}));
  try {
    const client = createKubeClient({ transport, retriesWhenRefused: 10 });
    const empty = server.memoryBytes();
    const figures = await measureServer(client, transport, objects);
    await forEachOf(heldObjects - objects, atOnce, async (index) => {
      await client.create(configMapKind, newConfigMap(objects + 500 + index));
    });
    const held = server.memoryBytes();
    const all = {
      readyMs: Math.round(server.readyMs),
      ...figures,
      bytesPerObject: Math.round((held - empty) / heldObjects),
      megabytes: Math.round(held / 2 ** 20),
    };
    say(`${name}: ${JSON.stringify(all)}`);
    return all;
  } finally {
    await transport.close();
    await server.stop();
  }
}

const newConfigMap = (index: number) => ({
  metadata: { name: `bench-${index}`, namespace: 'default', labels: { app: 'bench' } },
  data: { text: `value ${index} `.repeat(20) },
});

async function measureServer(
  client: KubeClient,
  transport: Transport,
  objects: number,
): Promise<Omit<Figures, 'readyMs' | 'bytesPerObject' | 'megabytes'>> {
  // The first requests pay for connections and just-in-time compilation on both sides; they are not counted.
  await forEachOf(
    500,
    atOnce,
    async (index) => void (await client.create(configMapKind, newConfigMap(objects + index))),
  );
  const createsPerSecond = await perSecond(objects, async () =>
    forEachOf(objects, atOnce, async (index) => void (await client.create(configMapKind, newConfigMap(index)))),
  );
  const getsPerSecond = await perSecond(objects, async () =>
    forEachOf(objects, atOnce, async (index) => {
      await client.get(configMapKind, { namespace: 'default', name: `bench-${index}` });
    }),
  );
  const lists = 5;
  const listedPerSecond = await perSecond(lists * objects, async () =>
    forEachOf(lists, 1, async () => {
      // The bytes alone: parsing them costs our side the same for both servers.
      await transport.request({ method: 'GET', path: '/api/v1/namespaces/default/configmaps' });
    }),
  );
  const watchEventsPerSecond = await measureWatch(client, Math.min(objects, 2000));
  return { createsPerSecond, getsPerSecond, listedPerSecond, watchEventsPerSecond };
}

async function measureWatch(client: KubeClient, changes: number): Promise<number> {
  const abort = new AbortController();
  const { metadata } = await client.list(configMapKind, { namespace: 'default', limit: 1 });
  let delivered = 0;
  const all = Promise.withResolvers<void>();
  const open = Array.from({ length: watchers }, async () => {
    const options = { namespace: 'default', resourceVersion: metadata.resourceVersion, signal: abort.signal };
    const ended = client.watch(configMapKind, options, () => {
      delivered += 1;
      if (delivered === changes * watchers) all.resolve();
    });
    await ended.catch(() => undefined);
  });
  const rate = await perSecond(changes * watchers, async () => {
    await forEachOf(changes, atOnce, async (index) => {
      const patch = { type: 'merge', body: { data: { changed: 'yes' } } } as const;
      await client.patch(configMapKind, { namespace: 'default', name: `bench-${index}` }, patch);
    });
    await all.promise;
  });
  abort.abort();
  await Promise.all(open);
  return rate;
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((count * 1000) / (performance.now() - startedAt));
}
