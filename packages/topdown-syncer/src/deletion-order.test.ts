import { expect, test } from 'vitest';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { leftIn, objectsOf, parts, permutations } from './testing/deletion-orders.ts';
import { createWorld, mountNamespace } from './testing/world.ts';

test('a pod and all that it names may be deleted in any of 120 orders: nothing is left, nothing gets stuck', async () => {
  const world = await createWorld({ parts: createDownParts, staticVnodes: true });
  await world.startSyncer();
  const orders = permutations(parts).map((order, index) => ({ order, objects: objectsOf(`order-${index}`) }));
  for (const { objects } of orders) {
    for (const part of ['volume', 'claim', 'configMap', 'secret', 'pod'] as const) {
      await world.v.create(objects[part].kind, objects[part].object);
    }
  }
  await world.clock.advance(60_000);
  const running = (await world.p.list(podKind, { namespace: mountNamespace })).items;
  expect(running.filter(({ status }) => status?.phase === 'Running')).toHaveLength(120);
  for (const step of parts.keys()) {
    for (const { order, objects } of orders) {
      const { kind, ref } = objects[order[step] ?? 'pod'];
      await world.v.delete(kind, ref);
    }
    await world.clock.advance(3000);
  }
  await world.clock.advance(120_000);
  expect(await leftIn(world.v, world.p, mountNamespace)).toEqual([]);
  await world.end();
}, 60_000);
