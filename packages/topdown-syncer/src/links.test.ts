import { configMapKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, find, podOf, web } from './testing/objects.ts';
import { createWholeWorld } from './testing/whole-world.ts';
import { createWorld, mountNamespace } from './testing/world.ts';
import type { World } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const settings = { namespace: 'default', name: 'settings' };
const usesSettings = { volumes: [{ name: 'c', configMap: { name: 'settings' } }] };

describe('while one of the clusters cannot be reached', () => {
  for (const side of ['virtual', 'physical'] as const) {
    test(`nothing is deleted and nothing lost, and all of it is caught up with when ${side === 'virtual' ? 'V' : 'P'} is back`, async () => {
      const whole = await createWholeWorld();
      world = whole;
      const { sides } = await world.startSyncer();
      await whole.openNodes();
      await world.v.create(configMapKind, { metadata: settings });
      await world.v.create(podKind, podOf({ spec: usesSettings }));
      await world.v.create(podKind, podOf({ metadata: { name: 'stays' } }));
      await seconds(20);
      const before = (await world.p.list(podKind, { namespace: mountNamespace })).items.length;
      expect(before).toBe(2);
      expect(sides.ready()).toBe(true);
      world[side].faults.crash('syncer');
      await seconds(30);
      expect(sides.ready()).toBe(false);
      await world.v.delete(podKind, web, { gracePeriodSeconds: 5 });
      await seconds(240);
      expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toHaveLength(2);
      expect(await find(world.v, podKind, web)).toBeDefined();
      world[side].faults.revive('syncer');
      await seconds(120);
      expect(sides.ready()).toBe(true);
      expect(await find(world.v, podKind, web)).toBeUndefined();
      expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
      const stays = await world.v.get(podKind, { namespace: 'default', name: 'stays' });
      expect(stays.status?.phase).toBe('Running');
      expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toHaveLength(1);
    });
  }
});

describe('two syncers at once', () => {
  test('make one copy of each pod and take each away once', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    await world.startSyncer({ userAgent: 'one' });
    await world.startSyncer({ userAgent: 'two' });
    await world.v.create(configMapKind, { metadata: settings });
    const names = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    for (const name of names) await world.v.create(podKind, podOf({ metadata: { name }, spec: usesSettings }));
    await seconds(60);
    const copies = (await world.p.list(podKind, { namespace: mountNamespace })).items;
    expect(copies).toHaveLength(20);
    expect(copies.every(({ status }) => status?.phase === 'Running')).toBe(true);
    for (const name of names) {
      const pod = await world.v.get(podKind, { namespace: 'default', name });
      expect(pod.status?.phase).toBe('Pending');
      await world.v.delete(podKind, { namespace: 'default', name });
    }
    await seconds(120);
    expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toEqual([]);
    expect((await world.v.list(podKind, { namespace: 'default' })).items).toEqual([]);
  });
});
