import { configMapKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { nodeKind } from './contract/cluster-kinds.ts';
import { podKind } from './contract/pod.ts';
import { copyOf, find, podOf, web } from './testing/objects.ts';
import { createWholeWorld } from './testing/whole-world.ts';
import type { WholeWorld } from './testing/whole-world.ts';
import type { RequestLog, StartOptions } from './testing/world.ts';

// All parts together.

let world: WholeWorld;
afterEach(async () => world.end());

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

async function start(logs: StartOptions = {}): Promise<void> {
  world = await createWholeWorld();
  await world.startSyncer(logs);
  await world.openNodes();
}

describe('a whole syncer', () => {
  test('runs a pod that V scheduled, and its owner sees it running; then it goes without a trace', async () => {
    await start();
    expect((await world.v.list(nodeKind)).items).toHaveLength(2);
    await world.v.create(podKind, podOf());
    await seconds(10);
    const [virtual, physical] = [await world.v.get(podKind, web), await world.p.get(podKind, copyOf(web))];
    expect(virtual.status?.phase).toBe('Running');
    expect(virtual.status?.podIP).toBe(physical.status?.podIP);
    await world.v.delete(podKind, web);
    await seconds(60);
    expect(await find(world.v, podKind, web)).toBeUndefined();
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
  });

  test('spends at most 3.2 requests in V and 1.1 in P on a plain pod, and one deletion in each on its end', async () => {
    const [virtualLog, physicalLog] = [{ requests: [] as string[] }, { requests: [] as string[] }];
    await start({ virtualLog, physicalLog });
    const count = (): { virtual: number; physical: number } => {
      const of = ({ requests }: RequestLog): number =>
        requests.filter((request) => !/leases|events|resourceleasingpolicies|nodes|priorityclasses/.test(request))
          .length;
      return { virtual: of(virtualLog), physical: of(physicalLog) };
    };
    virtualLog.requests.length = 0;
    physicalLog.requests.length = 0;
    const names = Array.from({ length: 50 }, (_, index) => `web-${index}`);
    for (const name of names) await world.v.create(podKind, podOf({ metadata: { name } }));
    await seconds(60);
    const { items } = await world.v.list(podKind, { namespace: 'default' });
    expect(items.filter(({ status }) => status?.phase === 'Running')).toHaveLength(50);
    expect(count().virtual / 50).toBeLessThanOrEqual(3.2);
    expect(count().physical / 50).toBeLessThanOrEqual(1.1);
    virtualLog.requests.length = 0;
    physicalLog.requests.length = 0;
    for (const name of names) await world.v.delete(podKind, { namespace: 'default', name });
    await seconds(60);
    expect((await world.v.list(podKind, { namespace: 'default' })).items).toEqual([]);
    // These kubelets tell how each pod ended, and V is told so: that is one write more than the end itself.
    expect(virtualLog.requests.filter((request) => request === 'DELETE pods')).toHaveLength(50);
    expect(count().virtual / 50).toBeLessThanOrEqual(2.1);
    expect(count().physical / 50).toBeLessThanOrEqual(1.1);
  });

  test('a pod that finished stays finished when P cleans up', async () => {
    await start();
    const script = { 'sim-kubernetes.tributary.io/outcome': 'succeed' };
    await world.v.create(podKind, podOf({ metadata: { annotations: script }, spec: { restartPolicy: 'Never' } }));
    await seconds(30);
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await seconds(300);
    expect((await world.v.get(podKind, web)).status?.phase).toBe('Succeeded');
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
  });

  test('is silent when nothing changes, but for leases and the ping', async () => {
    const [virtualLog, physicalLog] = [{ requests: [] as string[] }, { requests: [] as string[] }];
    await start({ virtualLog, physicalLog });
    await world.v.create(configMapKind, { metadata: { namespace: 'default', name: 'settings' } });
    await world.v.create(podKind, podOf({ spec: { volumes: [{ name: 'c', configMap: { name: 'settings' } }] } }));
    await seconds(120);
    virtualLog.requests.length = 0;
    physicalLog.requests.length = 0;
    await seconds(240);
    expect([...new Set(virtualLog.requests)]).toEqual(['PATCH leases']);
    expect([...new Set(physicalLog.requests)]).toEqual(['GET resourceleasingpolicies']);
  });
});
