import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeClient } from '../client/kube-client.ts';
import { churn, churnUnder, startDisturbedCache } from './testing/disturbed-cache.ts';
import type { DisturbedCache } from './testing/disturbed-cache.ts';
import { startFaultyProxy } from './testing/faulty-proxy.ts';
import type { FaultyProxy } from './testing/faulty-proxy.ts';
import { configMapKind, connect, createNamespace, deleteNamespace, sharedServer, until } from './testing/real-world.ts';
import { createTrackedClient } from './tracked-client.ts';

let direct: { client: KubeClient; close: () => Promise<void> };
let namespace = '';
let proxy: FaultyProxy;
let world: DisturbedCache;

beforeAll(async () => {
  direct = connect(sharedServer());
  namespace = await createNamespace(direct.client);
});
afterAll(async () => {
  await deleteNamespace(direct.client, namespace);
  await direct.close();
});
beforeEach(async () => {
  proxy = await startFaultyProxy(sharedServer());
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

async function start(options: { watchList?: boolean; pageSize?: number } = {}): Promise<DisturbedCache> {
  world = await startDisturbedCache({ server: sharedServer(), direct: direct.client, proxy, namespace, ...options });
  return world;
}

const status = (code: number, reason: string) => ({ kind: 'Status', status: 'Failure', code, reason });
const errorEvent = (code: number, reason: string): string =>
  JSON.stringify({ type: 'ERROR', object: status(code, reason) });

describe('against a real API server', () => {
  test('random resets, stalls, ends and failing servers: every event arrives once and in order', async () => {
    const { checker, seen, happened, restarts, inStep } = await start();
    const down = (): void => proxy.answer('watch', { status: 500 }, { status: 503, headers: { 'retry-after': '0' } });
    await churnUnder([proxy.reset, proxy.end, proxy.reset, proxy.stall, down, proxy.reset], 6, {
      client: direct.client,
      namespace,
      proxy,
    });
    await inStep();
    await until(() => happened().length >= seen.length);
    expect(seen).toEqual(happened());
    expect(seen.length).toBeGreaterThan(500);
    expect(checker.faults()).toEqual([]);
    expect(restarts.length).toBeGreaterThan(30);
    expect(restarts).not.toContain('expired');
  });

  test.each([{ watchList: true }, { watchList: false }])(
    'garbage, ERROR events and expiry on top: every object ends right, no chain is broken (watch-list: $watchList)',
    async ({ watchList }) => {
      const { checker, restarts, inStep } = await start({ watchList, pageSize: 20 });
      const expired = { status: 410, body: status(410, 'Expired') };
      const harms = [
        () => proxy.inject('{"type":"MODIFIED","obj'),
        () => proxy.inject(errorEvent(410, 'Expired')),
        () => proxy.inject(errorEvent(500, 'InternalError')),
        () => (proxy.answer('watch', expired), proxy.reset()),
        () => (proxy.answer('other', expired), proxy.inject('?')),
        proxy.stall,
      ];
      await churnUnder(harms, 2, { client: direct.client, namespace, proxy });
      await inStep();
      await until(() => checker.faults().length === 0);
      expect(restarts).toContain('expired');
      expect(restarts).toContain('garbage');
    },
  );

  test('a server that cannot be reached for a while is found again, and health tells', async () => {
    const { cache, informer, inStep } = await start();
    proxy.refuse(true);
    await until(() => !informer.watchAlive());
    expect(cache.problems()[0]?.problem?.reason).toBe('unreachable');
    await churn(direct.client, namespace, 50);
    proxy.refuse(false);
    await inStep();
    await until(() => informer.watchAlive());
  });

  test('a server that asks to come back later is obeyed', async () => {
    const { informer, restarts, inStep } = await start();
    proxy.answer('watch', { status: 429, headers: { 'retry-after': '1' }, body: status(429, 'TooManyRequests') });
    const startMs = performance.now();
    proxy.end();
    await until(() => restarts.includes('throttled'));
    await churn(direct.client, namespace, 10);
    await inStep();
    expect(performance.now() - startMs).toBeGreaterThan(1000);
    await until(() => informer.watchAlive());
  });

  test('a server that refuses watch-list is listed by pages', async () => {
    proxy.answer('watch', { status: 422, body: status(422, 'Invalid') });
    await churn(direct.client, namespace, 100);
    const { restarts, inStep } = await start({ pageSize: 10 });
    expect(restarts).toEqual(['watch-list-refused']);
    expect(proxy.requests()).toBeGreaterThan(3);
    await inStep();
  });

  test('own writes are read even while the watch is being cut all the time', async () => {
    const { cache, informer, restarts } = await start();
    const client = createTrackedClient(direct.client, cache);
    const timer = setInterval(() => (Math.random() < 0.8 ? proxy.reset() : proxy.stall()), 40);
    const ref = { namespace, name: 'own' };
    const shown = async () => {
      await informer.caughtUp(`${namespace}/own`);
      return informer.get(ref)?.metadata;
    };
    for (let turn = 0; turn < 30; turn += 1) {
      const kept = turn % 3 === 0;
      const metadata = { ...ref, finalizers: kept ? ['example.com/keep'] : [] };
      const made = await client.create(configMapKind, { metadata, data: { turn: String(turn) } });
      expect((await shown())?.uid).toBe(made.metadata.uid);
      await client.delete(configMapKind, ref);
      expect((await shown())?.deletionTimestamp !== undefined).toBe(kept);
      if (kept) await client.patch(configMapKind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
      expect(await shown()).toBeUndefined();
    }
    clearInterval(timer);
    expect(restarts.length).toBeGreaterThan(5);
  });
});
