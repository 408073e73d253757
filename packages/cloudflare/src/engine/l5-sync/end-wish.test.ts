import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Process } from './testing/sync-process.ts';
import { refusal } from './testing/toy-store.ts';
import { board, record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
let process: Process;
const names = ['a', 'b', 'c'];
const few = names.map((name) => record(name, '1'));
const stays = record('stays', '1');
const idOf = (wish: typeof stays): string => world.get(wish)?.status?.cloudflareID ?? '';
const removals = (): readonly unknown[] => world.toy.writes().filter(({ verb }) => verb === 'remove');

beforeEach(async () => {
  world = await startToyWorld();
  process = await world.start();
});
afterEach(async () => world.stop());

describe('of an owner with several objects', () => {
  beforeEach(async () => {
    await world.putAll([...few, stays]);
    await world.synced(...few, stays);
  });

  test('one that is gone already is not mistaken for another that is wanted and not yet known', async () => {
    const mark = world.toy.records.get(idOf(stays))?.comment ?? '';
    process.kill();
    for (const wish of few) world.toy.records.delete(idOf(wish));
    world.toy.records.set('new', { id: 'new', zone: 'z', name: 'new', value: '1', comment: mark });
    await world.dropAll(few);
    await world.put(record('new', '1'));
    await world.start();
    // So many at once are looked at with one list, which shows all that carries the mark of their owner.
    await world.gone(...few);
    await world.synced(record('new', '1'));
    expect([...world.toy.records.keys()]).toEqual([idOf(stays), 'new']);
    expect(idOf(record('new', '1'))).toBe('new');
    expect(removals()).toEqual([]);
  });

  test('one that was made anew under another id goes too, whether it is looked at alone or with others', async () => {
    for (const wish of few) {
      const old = world.toy.records.get(idOf(wish));
      if (!old) throw new Error('it is not there');
      world.toy.records.delete(old.id);
      world.toy.records.set(`${old.id}-again`, { ...old, id: `${old.id}-again` });
    }
    await world.drop(record('a', '1'));
    await world.gone(record('a', '1'));
    await world.dropAll(few.slice(1));
    await world.gone(...few);
    expect([...world.toy.records.values()]).toMatchObject([{ name: 'stays' }]);
  });
});

describe('a wish that comes back as it was', () => {
  test('in the very moment of its end is made anew', async () => {
    const www = record('www', '1');
    await world.put(www);
    await world.synced(www);
    let back: Promise<void> | undefined;
    world.toy.hooks.after = ({ verb }) => {
      if (verb === 'remove') back ??= world.putNow(www);
    };
    await world.drop(www);
    await world.until(() => back !== undefined);
    await world.run(back ?? Promise.resolve());
    await world.synced(www);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '1', id: idOf(www) }]);
  });

  test.each(['before', 'after'] as const)('after a crash %s the removal is there', async (at) => {
    const www = record('www', '1');
    await world.put(www);
    await world.synced(www);
    world.crashAt({ side: 'provider', at, nth: 0 });
    await world.drop(www);
    await world.clock.advance(5000);
    await world.put(www);
    await world.start();
    await world.synced(www);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '1', id: idOf(www) }]);
  });

  test.each([
    ['changed and changed back', record('www', '2')],
    ['changed to something refused and back', record('www', 'bad')],
  ])('%s, with a crash in between, is what Cloudflare has', async (_name, other) => {
    const www = record('www', '1');
    await world.put(www);
    await world.synced(www);
    world.crashAt({ side: 'provider', at: 'after', nth: 0 });
    await world.put(other);
    await world.clock.advance(5000);
    await world.put(www);
    await world.start();
    await world.synced(www);
    await world.clock.advance(5000);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '1', id: idOf(www) }]);
  });

  test('changed back before the status could be written is what Cloudflare has', async () => {
    const www = record('www', '1');
    await world.put(www);
    await world.synced(www);
    const match = { verb: 'write', resource: 'cloudflaresyncstates/status' };
    const mend = world.cluster.faults.add({ match, fault: { kind: 'error', status: 500 } });
    await world.put(record('www', '2'));
    await world.clock.advance(3000);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '2' }]);
    await world.put(www);
    mend();
    await world.synced(www);
    await world.clock.advance(60_000);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '1' }]);
  });

  test('has its entries again on what it shares with others', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
    await world.put(board('one'));
    await world.synced(board('one'));
    world.crashAt({ side: 'provider', at: 'after', nth: 0 });
    await world.drop(board('one'));
    await world.clock.advance(5000);
    expect(world.toy.boards.get('b')?.entries).toEqual(['foreign']);
    await world.put(board('one'));
    await world.start();
    await world.synced(board('one'));
    expect(world.toy.boards.get('b')?.entries.toSorted()).toEqual(['foreign', 'one']);
  });
});

test('a removal that is refused again and again is told once', async () => {
  const www = record('www', '1');
  await world.put(www);
  await world.synced(www);
  world.toy.hooks.before = ({ verb }) => {
    if (verb === 'remove') throw refusal('in-use', 'something uses it');
  };
  await world.drop(www);
  await world.until(() => world.get(www)?.status?.error !== undefined);
  const writes = world.kubeWrites.length;
  await world.clock.advance(60 * 60_000);
  expect(world.kubeWrites.length).toBe(writes);
  expect(world.toy.calls.filter(({ verb }) => verb === 'remove').length).toBeGreaterThan(3);
});
