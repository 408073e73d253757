import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenFence } from '@tributary/runtime';
import { isReady } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { TestWorld } from './testing/start-test-world.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await startTestWorld();
});
afterEach(async () => world.end());

const settle = async (names: readonly string[]): Promise<void> => {
  for (const name of names) await world.until(name, isReady);
  await world.clock.advance(60_000);
};

test('an idle hour writes nothing anywhere and reads one page a period', async () => {
  world.start();
  const names = Array.from({ length: 30 }, (_, index) => `web-${index}`);
  for (const name of names) await world.create(name, { bandwidth: '5', tags: { team: 'edge' } });
  await settle(names);
  const revision = world.cluster.store.revision();
  const seq = world.sim.journal.calls().at(-1)?.seq ?? 0;
  await world.clock.advance(3_600_000);
  expect(world.cluster.store.revision()).toBe(revision);
  const calls = world.sim.journal.calls({ afterSeq: seq });
  expect(new Set(calls.map(({ action }) => action))).toEqual(new Set(['DescribeEipAddresses']));
  expect(calls.length).toBeGreaterThanOrEqual(10);
  expect(calls.length).toBeLessThanOrEqual(14);
});

test('a restart with everything in sync reads one sweep and writes nothing', async () => {
  const first = world.start();
  const names = ['a', 'b', 'c'];
  for (const name of names) await world.create(name);
  await settle(names);
  await first.stop();
  const revision = world.cluster.store.revision();
  const seq = world.sim.journal.calls().at(-1)?.seq ?? 0;
  world.start();
  await world.clock.advance(10_000);
  expect(world.cluster.store.revision()).toBe(revision);
  expect(world.sim.journal.count({ afterSeq: seq })).toBe(1);
});

test('two that both believe to lead make one address of each object, and agree on it', async () => {
  const free = new AbortController();
  world.start({ fence: createOpenFence(free.signal) });
  world.start({ fence: createOpenFence(free.signal) });
  const names = Array.from({ length: 12 }, (_, index) => `web-${index}`);
  await Promise.all(names.map(async (name) => world.create(name, { bandwidth: '5', tags: { empty: '' } })));
  await settle(names);
  const ids = names.map((name) => world.get(name)?.status?.allocationID ?? '');
  expect(new Set(ids).size).toBe(12);
  expect(
    world.sim.state
      .eips()
      .map(({ allocationId }) => allocationId)
      .toSorted(),
  ).toEqual([...ids].toSorted());
  for (const name of names) await world.remove(name);
  for (const name of names) await world.untilGone(name);
  expect(world.sim.state.eips()).toEqual([]);
  // Each meets the other's writes as conflicts, which are nobody's failure.
  const reasons = new Set(world.events().map(({ reason }) => reason));
  expect([...reasons].filter((reason) => reason.endsWith('Failed'))).toEqual([]);
});

test('a leader whose fence is shut writes nothing to the provider', async () => {
  const lost = new Error('lost');
  const shut = {
    check: () => {
      throw lost;
    },
    guard: async () => Promise.reject(lost),
  };
  world.start({ fence: shut });
  await world.create('web');
  await world.clock.advance(600_000);
  expect(world.sim.journal.count({ write: true })).toBe(0);
  expect(world.sim.state.eips()).toEqual([]);
});
