import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKubeClient } from '../client/create-kube-client.ts';
import { createUndiciTransport } from '../client/undici-transport.ts';
import { systemClock } from '../clock.ts';
import { staticAuth } from '../kubeconfig/cluster-access.ts';
import { createObjectCache } from './object-cache.ts';
import { widgetKind } from './testing/widget.ts';

const objects = 20_000;
let server: Worker;
let port = 0;

beforeAll(async () => {
  server = new Worker(new URL('./testing/big-server.ts', import.meta.url), { workerData: { objects } });
  [port] = (await once(server, 'message')) as [number];
});
afterAll(async () => void (await server.terminate()));

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

// One list of all objects in one piece would take some 300 ms to parse.
test.each([{ watchList: true }, { watchList: false }])(
  'neither a large sync nor a flood of events keeps timers waiting (watch-list: $watchList)',
  async ({ watchList }) => {
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
    expect(informer.size()).toBe(objects);
    expect(stallMs).toBeLessThan(150);
  },
  30_000,
);
