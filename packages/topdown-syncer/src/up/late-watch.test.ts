import { expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import { createDownParts } from '../down-parts.ts';
import type { OpenSides } from '../open-sides.ts';
import { podOf, web } from '../testing/objects.ts';
import { createWorld } from '../testing/world.ts';
import { createPodStatusController } from './pod-status-controller.ts';
import { startCopy } from './testing/start-copy.ts';

test('a pod whose copy the watch does not show yet is not asked for: the answer to its creation is enough', async () => {
  const log = { requests: [] as string[] };
  const world = await createWorld({
    staticVnodes: true,
    parts: (sides, options) => [...createDownParts(sides, options), createPodStatusController({}, sides)],
  });
  world.physical.faults.add({ match: { verb: 'watch', resource: 'pods' }, fault: { kind: 'delay-events', ms: 3000 } });
  await world.startSyncer({ physicalLog: log });
  await world.clock.advance(5000);
  await world.v.create(podKind, podOf());
  await world.clock.advance(30_000);
  expect((await world.v.get(podKind, web)).status?.phase).toBe('Running');
  expect(log.requests.filter((request) => request === 'GET pods')).toEqual([]);
  await world.end();
});

test('a pod whose copy another syncer made, and our watch does not show yet, is lost only if P itself says so', async () => {
  const world = await createWorld({
    staticVnodes: true,
    parts: (sides, options) => [...createDownParts(sides, options), createPodStatusController({}, sides)],
  });
  const late = { kind: 'delay-events', ms: 20_000 } as const;
  world.physical.faults.add({ match: { verb: 'watch', resource: 'pods', userAgent: 'late' }, fault: late });
  const behind = await world.startSyncer({ userAgent: 'late' });
  await world.clock.advance(60_000);
  await world.startSyncer();
  await world.v.create(podKind, podOf());
  await world.clock.advance(15_000);
  expect((await world.v.get(podKind, web)).status?.phase).toBe('Running');
  await behind.stop();
  await world.end();
});

test('what became of a pod is not written into one that took its name before V told us', async () => {
  const parts = (sides: OpenSides) => [createPodStatusController({}, sides)];
  const match = { verb: 'watch', resource: 'pods', userAgent: 'syncer' };
  const late = { match, fault: { kind: 'delay-events', ms: 5000 } } as const;
  const world = await createWorld({ staticVnodes: true, parts, virtual: { faults: [late], actors: [] } });
  const { sides } = await world.startSyncer();
  await world.clock.advance(10_000);
  const copy = await startCopy(world, sides);
  await world.clock.advance(30_000);
  const { spec, status } = await world.v.get(podKind, copy.ref);
  expect(status?.phase).toBe('Running');
  await world.v.delete(podKind, copy.ref, { gracePeriodSeconds: 0 });
  await world.v.create(podKind, podOf({ metadata: copy.ref, spec: { nodeName: spec.nodeName ?? '' } }));
  const told = { podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }] };
  await world.p.patchStatus(podKind, copy.place, { type: 'merge', body: { status: told } });
  await world.clock.advance(60_000);
  expect((await world.v.get(podKind, copy.ref)).status).toMatchObject({ phase: 'Pending' });
  expect((await world.v.get(podKind, copy.ref)).status?.podIP).toBeUndefined();
  await world.end();
});
