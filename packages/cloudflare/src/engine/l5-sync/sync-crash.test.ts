import { expect, test } from 'vitest';
import { crashEverywhere } from './testing/crash-everywhere.ts';
import { board, record, startToyWorld, thing } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

/** One world for each crash, and there are some twenty. */
const patience = 120_000;

/** Plays it with a crash at every write of either side; returns how many that were. */
async function everywhere(play: (world: ToyWorld) => Promise<void>): Promise<number> {
  return crashEverywhere(async (point) => {
    const world = await startToyWorld();
    try {
      await world.start();
      world.keepRunning();
      const hit = world.crashAt(point);
      await play(world);
      return hit();
    } finally {
      await world.stop();
    }
  });
}

test(
  'an object with a mark: made, changed and deleted once, wherever the process dies',
  async () => {
    const crashes = await everywhere(async (world) => {
      await world.put(record('www', '1'));
      await world.synced(record('www', '1'));
      expect([...world.toy.records.values()]).toMatchObject([{ value: '1' }]);
      await world.put(record('www', '2'));
      await world.synced(record('www', '2'));
      expect([...world.toy.records.values()]).toMatchObject([{ value: '2' }]);
      await world.drop(record('www', '2'));
      await world.gone(record('www', '2'));
      expect(world.toy.records.size).toBe(0);
    });
    // Status of create and of change, deletion and finalizer; create, change and delete at the provider.
    expect(crashes).toBe(3 * 4 + 2 * 3);
  },
  patience,
);

test(
  'an object without a mark that the provider would make twice',
  async () => {
    const crashes = await everywhere(async (world) => {
      await world.put(thing('t', 1, 'secret'));
      await world.synced(thing('t', 1, 'secret'));
      expect([...world.toy.things.values()]).toMatchObject([{ name: 't', size: 1 }]);
      expect(world.get(thing('t', 1))?.status).toMatchObject({ created: true });
      expect(world.get(thing('t', 1))?.status?.intent).toBeUndefined();
      await world.put(thing('t', 2, 'secret'));
      await world.synced(thing('t', 2, 'secret'));
      expect([...world.toy.things.values()]).toMatchObject([{ size: 2 }]);
      await world.drop(thing('t', 2));
      await world.gone(thing('t', 2));
      expect(world.toy.things.size).toBe(0);
    });
    expect(crashes).toBeGreaterThanOrEqual(3 * 6 + 2 * 3);
  },
  patience,
);

test(
  'an object that many share: no entry of ours is ever taken for a foreign one',
  async () => {
    await everywhere(async (world) => {
      world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
      await world.put(board('one', 'shared'), 'one');
      await world.synced(board());
      await world.put(board('two', 'shared'), 'two');
      await world.synced(board());
      expect(world.toy.boards.get('b')?.entries).toEqual(['foreign', 'one', 'shared', 'two']);
      await world.put(board('three'), 'one');
      await world.synced(board());
      expect(world.toy.boards.get('b')?.entries).toEqual(['foreign', 'shared', 'three', 'two']);
      await world.drop(board(), 'one');
      await world.drop(board(), 'two');
      await world.gone(board());
      expect(world.toy.boards.get('b')?.entries).toEqual(['foreign']);
    });
  },
  patience,
);

test(
  'a wish that is taken back before the create was heard of leaves nothing behind',
  async () => {
    await everywhere(async (world) => {
      await world.put(record('www', '1'));
      await world.put(thing('t', 1));
      await world.until(() => world.toy.records.size > 0 && world.toy.things.size > 0);
      await world.drop(record('www', '1'));
      await world.drop(thing('t', 1));
      await world.gone(record('www', '1'), thing('t', 1));
      expect([world.toy.records.size, world.toy.things.size]).toEqual([0, 0]);
    });
  },
  patience,
);

test(
  'a record whose create was not heard of is found by the mark of who has left',
  async () => {
    const crashes = await everywhere(async (world) => {
      await world.put(record('www', '1'));
      await world.until(() => world.toy.records.size > 0);
      await world.drop(record('www', '1'));
      await world.gone(record('www', '1'));
      expect(world.toy.records.size).toBe(0);
    });
    expect(crashes).toBeGreaterThan(0);
  },
  patience,
);

test(
  'many at once, in batches',
  async () => {
    const wishes = Array.from({ length: 12 }, (_, index) => record(`r${index}`, '1'));
    await everywhere(async (world) => {
      await world.putAll(wishes);
      await world.synced(...wishes);
      expect(world.toy.records.size).toBe(12);
      expect(new Set([...world.toy.records.values()].map(({ name }) => name)).size).toBe(12);
    });
  },
  patience,
);
