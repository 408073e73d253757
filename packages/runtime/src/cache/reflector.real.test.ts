import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeClient } from '../client/kube-client.ts';
import { systemClock } from '../clock.ts';
import { createObjectCache } from './object-cache.ts';
import type { SharedCache } from './object-cache.ts';
import { createChainChecker } from './testing/chain-checker.ts';
import { startFaultyProxy } from './testing/faulty-proxy.ts';
import type { FaultyProxy } from './testing/faulty-proxy.ts';
import {
  configMapKind,
  connect,
  createNamespace,
  deleteNamespace,
  recordHistory,
  sharedServer,
  until,
} from './testing/real-world.ts';
import type { Recording } from './testing/real-world.ts';
import { createTrackedClient } from './tracked-client.ts';

// The same policy, a hundred times faster.
const timing = {
  backoff: { firstMs: 10, maxMs: 300, resetAfterMs: 2000 },
  floorMs: 10,
  slowMs: 100,
  idleMs: 400,
  patienceMs: 5000,
  provenMs: 100,
};

let direct: { client: KubeClient; close: () => Promise<void> };
let namespace = '';
beforeAll(async () => {
  direct = connect(sharedServer());
  namespace = await createNamespace(direct.client);
});
afterAll(async () => {
  await deleteNamespace(direct.client, namespace);
  await direct.close();
});

let proxy: FaultyProxy;
let spoiled: { client: KubeClient; close: () => Promise<void> };
let cache: SharedCache;
let recording: Recording;
let stopping: AbortController;
let restarts: string[];

beforeEach(async () => {
  proxy = await startFaultyProxy(sharedServer());
  spoiled = connect(sharedServer(), proxy.url);
  stopping = new AbortController();
  restarts = [];
});
afterEach(async () => {
  stopping.abort();
  await cache.stopped();
  await recording.stop();
  await spoiled.close();
  await proxy.close();
});

async function startCache(options: { watchList?: boolean; pageSize?: number } = {}) {
  const list = await direct.client.list(configMapKind, { namespace, limit: 1 });
  recording = recordHistory(direct.client, namespace, list.metadata.resourceVersion ?? '');
  cache = createObjectCache({
    client: spoiled.client,
    clock: systemClock,
    random: Math.random,
    freeze: true,
    timing,
    ...options,
    observer: { restarted: (_, reason) => restarts.push(reason) },
  });
  const informer = cache.informer(configMapKind, { namespace });
  cache.start(stopping.signal);
  await cache.waitForSync();
  const before = new Map(informer.list().map((object) => [object.metadata.name, object]));
  const checker = createChainChecker(() => recording.entries, before);
  let skipping = informer.size();
  const seen: string[] = [];
  informer.onChange((change) => {
    skipping -= 1;
    // What a late listener is first given.
    if (skipping >= 0) return;
    checker.listener(change);
    seen.push(`${change.type} ${change.object.metadata.resourceVersion ?? ''}`);
  });
  return { informer, checker, seen };
}

/** Creates, changes and deletes ConfigMaps, several at a time, straight at the server. */
async function churn(writes: number, objects: number): Promise<void> {
  let left = writes;
  const worker = async (id: number): Promise<void> => {
    for (let turn = 0; left > 0; turn += 1) {
      left -= 1;
      const name = `churn-${id}-${turn % objects}`;
      const data = { turn: String(turn) };
      if (turn % 7 === 6) await direct.client.delete(configMapKind, { namespace, name }).catch(() => undefined);
      else
        await direct.client.apply(
          configMapKind,
          { metadata: { namespace, name }, data },
          { fieldManager: 'churn', force: true },
        );
    }
  };
  await Promise.all(Array.from({ length: 8 }, async (_, id) => worker(id)));
}

async function whileChurning(writes: number, harm: () => void, everyMs: number): Promise<void> {
  const timer = setInterval(harm, everyMs);
  await churn(writes, 25);
  clearInterval(timer);
}

/** Everything the server has, by name and version. */
async function served(): Promise<readonly string[]> {
  const { items } = await direct.client.list(configMapKind, { namespace });
  return items.map(({ metadata }) => `${metadata.name ?? ''}@${metadata.resourceVersion ?? ''}`).toSorted();
}

const held = (): readonly string[] =>
  cache
    .informer(configMapKind, { namespace })
    .list()
    .map(({ metadata }) => `${metadata.name ?? ''}@${metadata.resourceVersion ?? ''}`)
    .toSorted();

async function expectInStep(): Promise<void> {
  const wanted = await served();
  await until(() => JSON.stringify(held()) === JSON.stringify(wanted));
}

describe('against a real API server', () => {
  test('random resets, stalls and ends: every event arrives once and in order', async () => {
    const { checker, seen } = await startCache();
    await whileChurning(
      4000,
      () => {
        const roll = Math.random();
        if (roll < 0.6) proxy.reset();
        else if (roll < 0.75) proxy.stall();
        else if (roll < 0.9) proxy.end();
        else proxy.answer('watch', { status: 500 }, { status: 503, headers: { 'retry-after': '0' } });
      },
      100,
    );
    await expectInStep();
    const types = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' };
    await until(() => recording.entries.length >= seen.length);
    expect(seen).toEqual(recording.entries.map(({ type, revision }) => `${types[type]} ${revision}`));
    expect(seen.length).toBeGreaterThan(3000);
    expect(checker.faults()).toEqual([]);
    expect(restarts.length).toBeGreaterThan(10);
    expect(new Set(restarts)).not.toContain('expired');
  });

  test.each([{ watchList: true }, { watchList: false }])(
    'garbage, ERROR events and expiry on top: every object ends right and no chain is broken (watch-list: $watchList)',
    async ({ watchList }) => {
      const { checker } = await startCache({ watchList, pageSize: 20 });
      const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 };
      await whileChurning(
        2500,
        () => {
          const roll = Math.random();
          if (roll < 0.3) proxy.reset();
          else if (roll < 0.45) proxy.inject('{"type":"MODIFIED","obj');
          else if (roll < 0.6) proxy.inject(JSON.stringify({ type: 'ERROR', object: expired }));
          else if (roll < 0.7)
            proxy.inject(JSON.stringify({ type: 'ERROR', object: { ...expired, code: 500, reason: 'InternalError' } }));
          else if (roll < 0.8) proxy.stall();
          else if (roll < 0.9) proxy.answer('other', { status: 410, body: expired });
          else proxy.answer('watch', { status: 410, body: expired });
        },
        100,
      );
      await expectInStep();
      await until(() => checker.faults().length === 0);
      expect(new Set(restarts)).toContain('expired');
      expect(new Set(restarts)).toContain('garbage');
    },
  );

  test('a server that cannot be reached for a while is found again, and health tells', async () => {
    const { informer } = await startCache();
    proxy.refuse(true);
    await until(() => !informer.watchAlive());
    expect(cache.problems()[0]?.problem?.reason).toBe('unreachable');
    await churn(50, 5);
    proxy.refuse(false);
    await expectInStep();
    await until(() => informer.watchAlive());
  });

  test('a server that asks to come back later is obeyed', async () => {
    const { informer } = await startCache();
    proxy.answer('watch', { status: 429, headers: { 'retry-after': '1' }, body: { kind: 'Status', code: 429 } });
    const startMs = performance.now();
    proxy.end();
    await until(() => restarts.includes('throttled'));
    await churn(10, 5);
    await expectInStep();
    expect(performance.now() - startMs).toBeGreaterThan(1000);
    await until(() => informer.watchAlive());
  });

  test('a server that refuses watch-list is listed by pages', async () => {
    proxy.answer('watch', { status: 422, body: { kind: 'Status', code: 422, reason: 'Invalid' } });
    await churn(60, 10);
    await startCache({ pageSize: 10 });
    expect(restarts).toEqual(['watch-list-refused']);
    expect(proxy.requests()).toBeGreaterThan(3);
    await expectInStep();
  });

  test('own writes are read even while the watch is being cut all the time', async () => {
    const { informer } = await startCache();
    const client = createTrackedClient(direct.client, cache);
    const timer = setInterval(() => (Math.random() < 0.7 ? proxy.reset() : proxy.stall()), 40);
    const ref = { namespace, name: 'own' };
    for (let turn = 0; turn < 150; turn += 1) {
      const kept = turn % 3 === 0;
      const metadata = { ...ref, finalizers: kept ? ['example.com/keep'] : [] };
      const made = await client.create(configMapKind, { metadata, data: { turn: String(turn) } });
      await informer.caughtUp(`${namespace}/own`);
      expect(informer.get(ref)?.metadata.uid).toBe(made.metadata.uid);
      await client.delete(configMapKind, ref);
      await informer.caughtUp(`${namespace}/own`);
      expect(informer.get(ref)?.metadata.deletionTimestamp !== undefined).toBe(kept);
      if (kept) await client.patch(configMapKind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
      await informer.caughtUp(`${namespace}/own`);
      expect(informer.get(ref)).toBeUndefined();
    }
    clearInterval(timer);
    expect(restarts.length).toBeGreaterThan(5);
  });
});
