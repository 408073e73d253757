import { expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import { createDownParts } from '../down-parts.ts';
import { podOf, web } from '../testing/objects.ts';
import { createWorld } from '../testing/world.ts';
import { createPodStatusController } from './pod-status-controller.ts';

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
