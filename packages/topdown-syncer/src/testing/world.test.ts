import { expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import { createWorld } from './world.ts';

test('a pod of V is bound to a virtual node, and nobody runs it there', async () => {
  const world = await createWorld({ parts: () => [], staticVnodes: true });
  const { sides } = await world.startSyncer();
  const ref = { namespace: 'default', name: 'web' };
  await world.v.create(podKind, { metadata: ref, spec: { containers: [{ name: 'main', image: 'nginx' }] } });
  await world.clock.runUntil(() => sides.informers.virtual.pods.get(ref)?.spec.nodeName !== undefined, 60_000);
  expect(sides.ready()).toBe(true);
  expect(sides.informers.virtual.vnodes.size()).toBe(2);
  expect((await world.v.get(podKind, ref)).status?.phase).toBe('Pending');
  await world.end();
});
