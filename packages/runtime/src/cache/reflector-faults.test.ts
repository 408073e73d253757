import { expect, test } from 'vitest';
import { createChainChecker } from './testing/chain-checker.ts';
import { createWatchedStore } from './testing/watched-store.ts';
import type { WatchedStore } from './testing/watched-store.ts';

const events = 50_000;
const objects = 2_000;

/** Numbers that look random and are the same every time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Writes `events` changes in bursts of random size, and after each burst may do something bad to the stream. */
async function run(world: WatchedStore, random: () => number, harm: (roll: number) => void): Promise<void> {
  world.start();
  await world.clock.advance(5);
  let written = 0;
  while (written < events) {
    const burst = 1 + Math.floor(random() * 200);
    for (let at = 0; at < burst && written < events; at += 1) {
      const name = `w-${Math.floor(random() * objects)}`;
      if (random() < 0.1 && world.api.history.get(name)) world.api.history.remove(name);
      else world.api.history.write(name);
      written += 1;
      if (random() < 0.5) world.api.pump();
    }
    harm(random());
    await world.clock.advance(Math.floor(random() * 40_000));
  }
  world.api.heal();
  await world.clock.advance(300_000);
  world.api.pump();
}

test('50,000 events under random resets: none lost, none twice, none out of order', async () => {
  const world = createWatchedStore();
  const random = createRandom(7);
  const checker = createChainChecker(world.api.history.all);
  world.store.onChange(checker.listener);
  const seen: string[] = [];
  world.store.onChange(({ object, type }) => seen.push(`${type} ${object.metadata.resourceVersion ?? ''}`));
  await run(world, random, (roll) => {
    const [stream] = world.api.streams();
    if (roll < 0.3) stream?.reset();
    else if (roll < 0.4) stream?.close();
    else if (roll < 0.45) stream?.stall();
    else if (roll < 0.5) stream?.error({ code: 500 });
    else if (roll < 0.55) stream?.repeat(20);
    else if (roll < 0.6) stream?.bookmark();
    else if (roll < 0.65) world.api.failWatches('unreachable');
    else if (roll < 0.7) world.api.failWatches({ code: 503, details: { retryAfterSeconds: 1 } });
  });
  const types = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' };
  const expected = world.api.history.all().map(({ type, revision }) => `${types[type]} ${revision}`);
  expect(expected).toHaveLength(events);
  expect(seen).toEqual(expected);
  expect(checker.faults()).toEqual([]);
  expect(world.held()).toEqual(world.served());
  const restarts = world.told.filter((line) => line === 'unreachable').length;
  expect(restarts).toBeGreaterThan(50);
  // No event was made good by fetching everything: each one came by the watch.
  expect(world.told.filter((line) => line.startsWith('listed'))).toEqual(['listed 0 by watch-list']);
  await world.stop();
}, 60_000);

test('50,000 events under resets, garbage, expiry and lists: every object ends right and no chain is broken', async () => {
  const world = createWatchedStore({}, { pageSize: 300 });
  const random = createRandom(11);
  const checker = createChainChecker(world.api.history.all);
  world.store.onChange(checker.listener);
  await run(world, random, (roll) => {
    const [stream] = world.api.streams();
    if (roll < 0.2) stream?.reset();
    else if (roll < 0.3) stream?.garbage();
    else if (roll < 0.4) stream?.error({ code: 410, reason: 'Expired' });
    else if (roll < 0.5) world.api.history.compact();
    else if (roll < 0.55) stream?.stall();
    else if (roll < 0.6) world.api.failLists('unreachable', { code: 410, reason: 'Expired' });
    else if (roll < 0.65) world.api.failWatches({ code: 500 });
    else if (roll < 0.7) stream?.repeat(20);
  });
  expect(world.held()).toEqual(world.served());
  expect(checker.faults()).toEqual([]);
  expect(checker.versions()).toBeGreaterThan(events / 10);
  expect(world.told.filter((line) => line.startsWith('listed')).length).toBeGreaterThan(20);
  await world.stop();
}, 60_000);
