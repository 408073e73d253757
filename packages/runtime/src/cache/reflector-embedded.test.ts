import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../../../sim-kubernetes/src/start-cluster.ts';
import type { Cluster } from '../../../sim-kubernetes/src/start-cluster.ts';
import { churn, churnUnder, startDisturbedCache } from './testing/disturbed-cache.ts';
import { startFaultyProxy } from './testing/faulty-proxy.ts';
import type { FaultyProxy } from './testing/faulty-proxy.ts';
import { connect, until } from './testing/real-world.ts';

let cluster: Cluster;
let proxy: FaultyProxy;
let direct: ReturnType<typeof connect>;
const namespace = 'default';

beforeAll(async () => {
  cluster = await startCluster();
  direct = connect(cluster);
  proxy = await startFaultyProxy(cluster);
});
afterAll(async () => {
  await proxy.close();
  await direct.close();
  await cluster.stop();
});

test('the embedded server: resets, ends and failures lose nothing, repeat nothing and change no order', async () => {
  const world = await startDisturbedCache({ server: cluster, direct: direct.client, proxy, namespace });
  const down = (): void => proxy.answer('watch', { status: 500 }, { status: 503, headers: { 'retry-after': '0' } });
  await churnUnder([proxy.reset, proxy.end, down, proxy.reset], 5, { client: direct.client, namespace, proxy });
  await world.inStep();
  await until(() => world.happened().length >= world.seen.length);
  expect(world.seen).toEqual(world.happened());
  expect(world.checker.faults()).toEqual([]);
  expect(world.restarts.length).toBeGreaterThan(15);
  await world.stop();
}, 30_000);

test('the embedded server: after a compaction it is listed again, and no chain is broken', async () => {
  const world = await startDisturbedCache({ server: cluster, direct: direct.client, proxy, namespace });
  for (let turn = 0; turn < 5; turn += 1) {
    proxy.refuse(true);
    await churn(direct.client, namespace, 50);
    cluster.compact();
    proxy.refuse(false);
    await world.inStep();
  }
  await until(() => world.checker.faults().length === 0);
  expect(world.restarts).toContain('expired');
  await world.stop();
}, 30_000);
