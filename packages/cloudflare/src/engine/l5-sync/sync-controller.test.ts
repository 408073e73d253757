import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { board, record, startToyWorld, thing } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
const verbs = (): string[] => world.toy.calls.map(({ verb }) => verb);
const status = (wish = record('www', '')) => world.get(wish)?.status;
const ready = (wish = record('www', '')) => status(wish)?.conditions?.find(({ type }) => type === 'Ready');

beforeEach(async () => {
  world = await startToyWorld();
});
afterEach(async () => world.stop());

describe('one object of one source', () => {
  test('is created, changed and deleted, with one status write for each', async () => {
    await world.start();
    await world.put(record('www', '1'));
    await world.synced(record('www', '1'));
    expect([...world.toy.records.values()]).toMatchObject([
      { name: 'www', value: '1', comment: '[managed-by:Toy/default/one]' },
    ]);
    expect(status()).toMatchObject({
      syncStatus: 'Synced',
      cloudflareID: 'id-00001',
      resultData: { recordId: 'id-00001', value: '1' },
      created: true,
      observedGeneration: 1,
      lastSyncTime: '2026-01-05T12:00:00Z',
    });
    expect(ready()).toMatchObject({ status: 'True', reason: 'Synced' });
    expect(world.kubeWrites).toHaveLength(1);
    await world.put(record('www', '2'));
    await world.synced(record('www', '2'));
    expect([...world.toy.records.values()]).toMatchObject([{ id: 'id-00001', value: '2' }]);
    expect(world.kubeWrites).toHaveLength(2);
    await world.drop(record('www', '2'));
    await world.gone(record('www', '2'));
    expect(world.toy.records.size).toBe(0);
    expect(verbs()).toEqual(['find', 'create', 'get', 'edit', 'get', 'remove']);
  });

  test('is written once for a burst of changes, after a quiet moment', async () => {
    await world.start();
    for (let value = 1; value <= 8; value += 1) {
      await world.put(record('www', String(value)));
      await world.clock.advance(200);
    }
    expect(world.toy.writes()).toHaveLength(0);
    await world.synced(record('www', ''));
    expect(world.toy.writes()).toHaveLength(1);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '8' }]);
  });

  test('is written after two seconds at the latest, though changes never pause', async () => {
    await world.start();
    for (let value = 1; value <= 12; value += 1) {
      await world.put(record('www', String(value)));
      await world.clock.advance(200);
    }
    expect(world.toy.writes()).toHaveLength(1);
  });

  test('passes to the next source when the first one leaves, with its mark', async () => {
    await world.start();
    await world.put(record('www', '1'), 'one');
    await world.put(record('www', '2'), 'two');
    await world.synced(record('www', ''));
    expect(status()?.losers).toMatchObject([{ ref: { name: 'two' }, winner: { name: 'one' } }]);
    await world.drop(record('www', ''), 'one');
    await world.synced(record('www', ''));
    expect([...world.toy.records.values()]).toMatchObject([
      { id: 'id-00001', value: '2', comment: '[managed-by:Toy/default/two]' },
    ]);
    expect(status()?.losers).toBeUndefined();
  });

  test('that its sources cannot have is told so and nothing is asked of the provider', async () => {
    await world.start();
    await world.put(record('www', '1', { comment: 'x'.repeat(90) }));
    await world.until(() => status()?.syncStatus === 'Error');
    expect(ready()).toMatchObject({ reason: 'ValidationFailed', message: 'the comment is 19 too long' });
    expect(verbs()).toEqual([]);
  });
});

describe('an object that many share', () => {
  test('keeps what others wrote, and clears no more than was ours', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
    await world.start();
    await world.put(board('one'), 'one');
    await world.put(board('two'), 'two');
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toEqual(['foreign', 'one', 'two']);
    expect(status(board())).toMatchObject({ configVersion: 2, aggregatedConfig: { entries: ['one', 'two'] } });
    await world.drop(board(), 'one');
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toEqual(['foreign', 'two']);
    await world.drop(board(), 'two');
    await world.gone(board());
    expect(world.toy.boards.get('b')?.entries).toEqual(['foreign']);
  });

  test('has its new entries recorded before they are written', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    let recorded: unknown;
    world.toy.hooks.before = ({ verb }) => {
      if (verb === 'put') recorded = status(board())?.recorded;
    };
    await world.start();
    await world.put(board('one'));
    await world.synced(board());
    expect(recorded).toEqual({ entries: ['one'] });
  });

  test('that is not there is missing, and found when it comes', async () => {
    await world.start();
    await world.put(board('one'));
    await world.until(() => status(board())?.syncStatus === 'Error');
    expect(ready(board())).toMatchObject({ reason: 'NotFound' });
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toEqual(['one']);
  });
});

describe('when nothing changes', () => {
  const settle = async (): Promise<void> => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    await world.start();
    for (const wish of [record('www', '1'), thing('t', 1), board('one')]) await world.put(wish);
    await world.synced(record('www', '1'), thing('t', 1), board('one'));
  };

  test('nothing is asked and nothing is written for an hour', async () => {
    await settle();
    const [calls, writes] = [world.toy.calls.length, world.kubeWrites.length];
    await world.clock.advance(3_600_000);
    expect([world.toy.calls.length - calls, world.kubeWrites.length - writes]).toEqual([0, 0]);
  });

  test('a restart asks and writes nothing', async () => {
    await settle();
    const [calls, writes] = [world.toy.calls.length, world.kubeWrites.length];
    const next = await world.start();
    await world.clock.advance(60_000);
    expect(next.connection.cache.hasSynced()).toBe(true);
    expect([world.toy.calls.length - calls, world.kubeWrites.length - writes]).toEqual([0, 0]);
  });

  test('a generation that wants the same is seen, and that is all', async () => {
    await settle();
    const [calls, writes] = [world.toy.calls.length, world.kubeWrites.length];
    await world.put(record('www', 'other'), 'two');
    await world.synced(record('www', ''));
    expect(status()?.losers).toHaveLength(1);
    expect([world.toy.calls.length - calls, world.kubeWrites.length - writes]).toEqual([0, 1]);
  });
});

describe('an apply that takes long', () => {
  test('is shown as Syncing after two seconds', async () => {
    await world.stop();
    world = await startToyWorld({ latencyMs: 5000 });
    await world.start();
    await world.put(record('www', '1'));
    await world.until(() => status()?.syncStatus === 'Syncing');
    expect(world.toy.records.size).toBe(0);
    await world.synced(record('www', '1'));
    expect(world.kubeWrites).toHaveLength(2);
  });

  test('is not shown as Syncing when it takes less', async () => {
    await world.stop();
    world = await startToyWorld({ latencyMs: 1900 });
    await world.start();
    await world.put(record('www', '1'));
    await world.synced(record('www', '1'));
    expect(world.kubeWrites).toHaveLength(1);
  });

  test('is never shown as Syncing after it was done, however slow that notice was', async () => {
    await world.stop();
    world = await startToyWorld({ latencyMs: 5000 });
    const { userAgent } = await world.start();
    const match = { verb: 'patch', userAgent };
    world.cluster.faults.add({ match, fault: { kind: 'latency', ms: 10_000 }, times: 1 });
    await world.put(record('www', '1'));
    await world.synced(record('www', '1'));
    await world.clock.advance(60_000);
    expect(status()?.syncStatus).toBe('Synced');
  });
});
