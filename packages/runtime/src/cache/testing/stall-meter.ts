import { parentPort, workerData } from 'node:worker_threads';
import { createKubeClient } from '../../client/create-kube-client.ts';
import { createUndiciTransport } from '../../client/undici-transport.ts';
import { systemClock } from '../../clock.ts';
import { staticAuth } from '../../kubeconfig/cluster-access.ts';
import { createObjectCache } from '../object-cache.ts';
import { widgetKind } from './widget.ts';

// A thread of its own, so that no memory but the cache's is collected while the stall is measured.

type Asked = { readonly port: number; readonly objects: number; readonly watchList: boolean };

/** The longest this thread has worked without coming back to its event loop, not counting what others took from it. */
function createStallMeter(): { readonly stop: () => number } {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  let running = true;
  const look = (): void => {
    const used = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (used.user + used.system) / 1000);
    last = process.threadCpuUsage();
    if (running) setTimeout(look, 1);
  };
  setTimeout(look, 1);
  return {
    stop: () => {
      running = false;
      return longestMs;
    },
  };
}

/** Fills a cache from the server, and follows it until each object has changed once. */
async function measure({ port, objects, watchList }: Asked): Promise<{ size: number; stallMs: number }> {
  const access = { server: `http://127.0.0.1:${port}`, tls: {}, auth: staticAuth() };
  const files = { readFile: async () => '', modifiedMs: async () => 0 };
  const transport = createUndiciTransport({ access }, { ...files, clock: systemClock });
  const client = createKubeClient({ transport });
  const cache = createObjectCache({ client, clock: systemClock, random: Math.random, watchList });
  let changed = 0;
  const flooded = Promise.withResolvers<void>();
  const informer = cache.informer(widgetKind);
  informer.onChange(({ type }) => {
    if (type === 'updated') changed += 1;
    if (changed === objects) flooded.resolve();
  });
  const stopping = new AbortController();
  const meter = createStallMeter();
  cache.start(stopping.signal);
  await flooded.promise;
  const stallMs = meter.stop();
  stopping.abort();
  await cache.stopped();
  await transport.close();
  return { size: informer.size(), stallMs };
}

parentPort?.postMessage(await measure(workerData as Asked), []);
