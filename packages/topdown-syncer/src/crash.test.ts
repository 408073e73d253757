import { configMapKind, secretKind } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { annotations, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, find, podOf, web } from './testing/objects.ts';
import { createWorld, mountNamespace } from './testing/world.ts';
import type { World } from './testing/world.ts';

// The syncer dies at every single write it makes, before it, after it, and with the answer lost; another one takes over.

const settings = { namespace: 'default', name: 'settings' };
const token = { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } };

function richPod(): Pod {
  return podOf({
    spec: {
      volumes: [
        { name: 'c', configMap: { name: 'settings' } },
        { name: 't', projected: { sources: [token] } },
      ],
    },
  });
}

type CrashPoint = {
  readonly side: 'virtual' | 'physical';
  readonly at: 'before' | 'after' | 'answer-lost';
  readonly skip: number;
};

/** Runs a syncer while the user acts, until it dies at that write. */
async function dieAt(world: World, { side, at, skip }: CrashPoint, act: () => Promise<void>): Promise<void> {
  const userAgent = 'doomed';
  world[side].faults.add({ match: { verb: 'write', userAgent }, fault: { kind: 'crash', at }, skip, times: 1 });
  const doomed = await world.startSyncer({ userAgent });
  await act();
  await world.clock.runUntil(() => world[side].faults.isCrashed(userAgent), 120_000);
  for (const cluster of [world.virtual, world.physical]) cluster.faults.crash(userAgent);
  await doomed.stop();
}

async function createAll({ v }: World): Promise<void> {
  await v.create(configMapKind, { metadata: settings, data: { a: '1' } });
  await v.create(podKind, richPod());
}

async function deleteAll({ v }: World): Promise<void> {
  await v.delete(podKind, web);
  await v.delete(configMapKind, settings);
}

async function expectRunning(world: World): Promise<void> {
  const [virtual, physical] = [await world.v.get(podKind, web), await world.p.get(podKind, copyOf(web))];
  expect(virtual.metadata.annotations?.[annotations.physicalPodUid]).toBe(physical.metadata.uid);
  expect(virtual.status?.phase).toBe('Pending');
  expect(physical.status?.phase).toBe('Running');
  expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toHaveLength(1);
}

async function expectClean(world: World): Promise<void> {
  expect(await find(world.v, podKind, web)).toBeUndefined();
  expect(await find(world.v, configMapKind, settings)).toBeUndefined();
  const labelSelector = `${labels.managedBy}=kubeocean`;
  for (const kind of [podKind, configMapKind, secretKind]) {
    expect((await world.p.list(kind, { namespace: mountNamespace, labelSelector })).items).toEqual([]);
  }
}

const crashPoints = (side: CrashPoint['side'], writes: number): readonly CrashPoint[] =>
  (['before', 'after', 'answer-lost'] as const).flatMap((at) =>
    Array.from({ length: writes }, (_, skip) => ({ side, at, skip })),
  );

const describePoint = ({ side, at, skip }: CrashPoint): string =>
  `number ${skip + 1} in ${side === 'virtual' ? 'V' : 'P'} (${at})`;

describe('a syncer that dies at a write', () => {
  for (const point of [...crashPoints('virtual', 4), ...crashPoints('physical', 4)]) {
    test(`${describePoint(point)}: one pod runs, and everything goes in the end`, async () => {
      const world = await createWorld({ parts: createDownParts, staticVnodes: true });
      await dieAt(world, point, async () => createAll(world));
      await world.startSyncer({ userAgent: 'heir' });
      await world.clock.advance(30_000);
      await expectRunning(world);
      await deleteAll(world);
      await world.clock.advance(90_000);
      await expectClean(world);
      await world.end();
    });
  }

  for (const point of [...crashPoints('virtual', 2), ...crashPoints('physical', 3)]) {
    test(`${describePoint(point)} of a deletion: both clusters are clean in the end`, async () => {
      const world = await createWorld({ parts: createDownParts, staticVnodes: true });
      const first = await world.startSyncer({ userAgent: 'first' });
      await createAll(world);
      await world.clock.advance(10_000);
      await first.stop();
      await dieAt(world, point, async () => deleteAll(world));
      await world.startSyncer({ userAgent: 'heir' });
      await world.clock.advance(120_000);
      await expectClean(world);
      await world.end();
    });
  }
});
