import { afterEach, describe, expect, test } from 'vitest';
import { annotations, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { createWorld } from './testing/world.ts';
import type { World, WorldOptions } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function start(options: Partial<WorldOptions> = {}): Promise<void> {
  world = await createWorld({ parts: createDownParts, staticVnodes: true, ...options });
  await world.startSyncer();
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const virtualPod = async (): Promise<Pod | undefined> => find(world.v, podKind, web);
const physicalPod = async (): Promise<Pod | undefined> => find(world.p, podKind, copyOf(web));

describe('deletion', () => {
  test("the copy gets the grace of V, then V's pod goes, with one request each", async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const [virtualLog, physicalLog] = [{ requests: [] as string[] }, { requests: [] as string[] }];
    await world.startSyncer({ virtualLog, physicalLog });
    await world.v.create(podKind, podOf({ spec: { terminationGracePeriodSeconds: 20 } }));
    await seconds(10);
    virtualLog.requests.length = 0;
    physicalLog.requests.length = 0;
    await world.v.delete(podKind, web, { gracePeriodSeconds: 7 });
    await world.clock.advance(100);
    expect((await physicalPod())?.metadata.deletionGracePeriodSeconds).toBe(7);
    await seconds(60);
    expect(await physicalPod()).toBeUndefined();
    expect(await virtualPod()).toBeUndefined();
    expect([virtualLog.requests, physicalLog.requests]).toEqual([['DELETE pods'], ['DELETE pods']]);
  });

  test('W9: a forced deletion in V ends the copy at once, too', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await seconds(5);
    expect(await virtualPod()).toBeUndefined();
    const copy = await physicalPod();
    expect(copy === undefined || copy.metadata.deletionTimestamp !== undefined).toBe(true);
    await seconds(60);
    expect(await physicalPod()).toBeUndefined();
  });

  test('a pod without a copy is taken out of V', async () => {
    await start();
    await world.v.create(podKind, podOf({ spec: { volumes: [{ name: 'c', configMap: { name: 'missing' } }] } }));
    await seconds(5);
    expect((await eventsOf(world.v, 'web')).join()).toContain('ConfigMap default/missing not found');
    await world.v.delete(podKind, web);
    await seconds(5);
    expect(await virtualPod()).toBeUndefined();
  });

  test('a successor of the same name waits until the old copy is gone, and then runs', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const old = await physicalPod();
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await world.v.create(podKind, podOf());
    await seconds(90);
    const now = await physicalPod();
    expect(now?.metadata.uid).not.toBe(old?.metadata.uid);
    expect(now?.metadata.annotations?.[annotations.virtualPodUid]).toBe((await virtualPod())?.metadata.uid);
    expect((await virtualPod())?.metadata.annotations?.[annotations.physicalPodUid]).toBe(now?.metadata.uid);
  });

  test('W2: a pod of P that has the name but no label survives that there is no pod in V', async () => {
    await start();
    await world.p.create(podKind, podOf({ metadata: copyOf(web) }));
    await seconds(600);
    expect(await physicalPod()).toBeDefined();
  });

  test('W1: a copy without a mark and without an original is reported and left alone', async () => {
    await start();
    const reference = {
      [annotations.virtualPodNamespace]: 'default',
      [annotations.virtualPodName]: 'web',
      [annotations.virtualPodUid]: 'of-another-cluster',
    };
    const marks = { labels: { [labels.managedBy]: 'kubeocean' }, annotations: reference };
    await world.p.create(podKind, podOf({ metadata: { ...copyOf(web), ...marks } }));
    await seconds(600);
    expect(await physicalPod()).toBeDefined();
    expect(await eventsOf(world.v, 'worker1')).toEqual([expect.stringMatching(/^UnmarkedOrphan: Pod mount\/web-/)]);
  });

  test('a copy whose pod went while nobody looked is deleted', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const first = await world.startSyncer();
    await world.v.create(podKind, podOf());
    await seconds(10);
    await first.stop();
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await seconds(10);
    expect(await physicalPod()).toBeDefined();
    await world.startSyncer();
    await seconds(60);
    expect(await physicalPod()).toBeUndefined();
  });
});
