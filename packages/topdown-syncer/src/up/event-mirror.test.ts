import { eventKind } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { createWorld } from '../testing/world.ts';
import type { RunningSyncer, World } from '../testing/world.ts';
import { createEventMirror } from './event-mirror.ts';
import { startCopy } from './testing/start-copy.ts';
import type { StartedCopy } from './testing/start-copy.ts';

let world: World;
afterEach(async () => world.end());

async function start(all = false): Promise<RunningSyncer> {
  world = await createWorld({ staticVnodes: true, parts: (sides) => [createEventMirror({ all }, sides)] });
  const syncer = await world.startSyncer();
  await world.clock.advance(0);
  return syncer;
}

async function happens({ physical, place }: StartedCopy, type: string, reason: string, more = {}): Promise<void> {
  const now = new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');
  await world.p.create(eventKind, {
    metadata: { namespace: place.namespace, name: `${place.name}.${reason.toLowerCase()}` },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      ...place,
      uid: physical.metadata.uid ?? '',
      fieldPath: 'spec.containers{main}',
    },
    type,
    reason,
    message: `it says ${reason}`,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: 'kubelet', host: 'node-1' },
    reportingComponent: 'kubelet',
    reportingInstance: 'node-1',
    ...more,
  });
  await world.clock.advance(100);
}

const shown = async () =>
  (await world.v.list(eventKind, { namespace: 'default' })).items.filter(
    ({ source }) => source.component === 'kubelet',
  );

test('a warning about a physical pod is seen at the virtual one (W10)', async () => {
  const { sides } = await start();
  const copy = await startCopy(world, sides);
  await happens(copy, 'Warning', 'FailedMount');
  expect(await shown()).toMatchObject([
    {
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'web', fieldPath: 'spec.containers{main}' },
      type: 'Warning',
      reason: 'FailedMount',
      message: 'it says FailedMount',
      source: { component: 'kubelet', host: 'node-1' },
      reportingComponent: 'kubeocean-syncer-worker1',
    },
  ]);
});

test('normal events stay below unless they are asked for', async () => {
  const { sides } = await start();
  await happens(await startCopy(world, sides), 'Normal', 'Pulled');
  expect(await shown()).toEqual([]);
});

test('all events are seen when they are asked for', async () => {
  const { sides } = await start(true);
  await happens(await startCopy(world, sides), 'Normal', 'Pulled');
  expect(await shown()).toMatchObject([{ type: 'Normal', reason: 'Pulled' }]);
});

test('an event that repeats is counted, not written again', async () => {
  const { sides } = await start();
  const copy = await startCopy(world, sides);
  await happens(copy, 'Warning', 'BackOff');
  const ref = { namespace: copy.place.namespace, name: `${copy.place.name}.backoff` };
  await world.p.patch(eventKind, ref, { type: 'merge', body: { count: 7 } });
  await world.clock.advance(100);
  expect(await shown()).toMatchObject([{ reason: 'BackOff', count: 7 }]);
});

test('a syncer that starts anew shows nothing twice, and nothing old', async () => {
  const syncer = await start();
  const copy = await startCopy(world, syncer.sides);
  await happens(copy, 'Warning', 'FailedMount');
  await syncer.stop();
  await happens(copy, 'Warning', 'Old', {
    lastTimestamp: '2026-01-05T11:00:00Z',
    firstTimestamp: '2026-01-05T11:00:00Z',
  });
  await world.startSyncer();
  await world.clock.advance(1000);
  expect((await shown()).map(({ reason }) => reason)).toEqual(['FailedMount']);
});

test('events of pods of another virtual cluster are not ours to show (W1)', async () => {
  const { sides } = await start();
  const foreign = { physicalAnnotations: { 'tributary.io/owner-cls-worker1': 'another' } };
  await happens(await startCopy(world, sides, foreign), 'Warning', 'FailedMount');
  expect(await shown()).toEqual([]);
});

test('what is said about a pod of P that had the name before is not said about this one', async () => {
  const { sides } = await start();
  const copy = await startCopy(world, sides);
  const before = { ...copy, physical: { ...copy.physical, metadata: { ...copy.physical.metadata, uid: 'before' } } };
  await happens(before, 'Warning', 'FailedMount');
  expect(await shown()).toEqual([]);
  await happens(copy, 'Warning', 'BackOff');
  expect(await shown()).toHaveLength(1);
});
