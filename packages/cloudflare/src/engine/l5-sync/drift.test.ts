import { afterEach, describe, expect, test } from 'vitest';
import { refusal } from './testing/toy-store.ts';
import { board, record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const hourMs = 3_600_000;
const all = Array.from({ length: 5 }, (_, index) => record(`r${index}`, '1'));

async function settled(driftMs: number): Promise<void> {
  world = await startToyWorld({ driftMs });
  world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
  await world.start();
  await world.putAll(all);
  await world.put(board('one'));
  await world.synced(...all, board());
  world.toy.calls.length = 0;
  world.kubeWrites.length = 0;
}

describe('every hour', () => {
  test('each scope is looked at by one list, after everybody else’s calls, and nothing is written when all is equal', async () => {
    await settled(hourMs);
    await world.clock.advance(4 * hourMs);
    const looks = world.toy.calls.filter(({ verb }) => verb === 'list');
    expect(looks.length).toBeGreaterThanOrEqual(3);
    expect(looks.length).toBeLessThanOrEqual(5);
    expect(new Set(world.toy.calls.map(({ verb, priority }) => `${verb} ${priority}`))).toEqual(
      new Set(['list drift', 'get drift']),
    );
    expect(world.kubeWrites).toEqual([]);
  });

  test('what a person changed is set back, what a person deleted is made again, what is foreign stays', async () => {
    await settled(hourMs);
    const [first, second] = world.toy.records.values();
    world.toy.records.set(first!.id, { ...first!, value: 'by hand' });
    world.toy.records.delete(second!.id);
    world.toy.boards.set('b', { id: 'b', version: 7, entries: ['foreign', 'more'] });
    await world.clock.advance(1.2 * hourMs);
    expect([...world.toy.records.values()].map(({ name, value }) => `${name}=${value}`).toSorted()).toEqual(
      all.map((_, index) => `r${index}=1`),
    );
    expect(world.toy.boards.get('b')?.entries).toEqual(['foreign', 'more', 'one']);
    expect(world.kubeWrites.map(({ path }) => path.split('/').at(-2))).toHaveLength(3);
  });

  test('a look that fails in passing is repeated in silence', async () => {
    await settled(hourMs);
    let left = 2;
    world.toy.hooks.before = ({ verb }) => {
      if (verb === 'list' && (left -= 1) >= 0) throw refusal('transient', 'try later');
    };
    await world.clock.advance(1.2 * hourMs);
    expect(left).toBeLessThan(0);
    expect(world.kubeWrites).toEqual([]);
  });
});

test('zero means never', async () => {
  await settled(0);
  await world.clock.advance(48 * hourMs);
  expect([world.toy.calls, world.kubeWrites]).toEqual([[], []]);
});
