import { afterEach, describe, expect, test } from 'vitest';
import { refusal } from './testing/toy-store.ts';
import { board, record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const many = (count: number, value = '1') => Array.from({ length: count }, (_, index) => record(`r${index}`, value));
const verbs = (): string[] => world.toy.calls.map(({ verb, size }) => (verb === 'batch' ? `batch of ${size}` : verb));
const errorsOf = () => world.all().flatMap(({ status }) => (status?.error === undefined ? [] : [status.error]));

describe('many of one scope at the same moment', () => {
  test('are seen by one list and written in batches, each with one status write', async () => {
    world = await startToyWorld();
    await world.putAll(many(500));
    await world.start();
    await world.synced(...many(500));
    expect(verbs()).toEqual(['list', 'batch of 200', 'batch of 200', 'batch of 100']);
    expect(world.toy.records.size).toBe(500);
    expect(world.kubeWrites).toHaveLength(500);
  });

  test('a bad one is blamed on its own object in the words of the provider, and all others land', async () => {
    world = await startToyWorld();
    await world.putAll([...many(150), record('r42', 'bad luck')]);
    await world.start();
    await world.until(() => world.all().every(({ status }) => status?.syncStatus !== undefined));
    expect(world.toy.records.size).toBe(149);
    expect(errorsOf()).toEqual(['bad luck is no value']);
    expect(world.get(record('r42', ''))?.status).toMatchObject({ syncStatus: 'Error', observedGeneration: 1 });
    expect(world.toy.calls.length).toBeLessThanOrEqual(2 + 8 + 2);
    const calls = world.toy.calls.length;
    await world.clock.advance(3_600_000);
    expect(world.toy.calls.length).toBe(calls);
  });

  test('after an answer that says nothing they are looked at again, and nothing is sent twice', async () => {
    world = await startToyWorld();
    world.toy.hooks.after = ({ verb }) => {
      if (verb !== 'batch') return;
      delete world.toy.hooks.after;
      throw refusal('conflict', 'perhaps', 'unknown');
    };
    await world.putAll(many(20));
    await world.start();
    await world.synced(...many(20));
    expect(verbs()).toEqual(['list', 'batch of 20', 'list']);
  });

  test('that come one after the other cost few calls, however long it takes', async () => {
    world = await startToyWorld({ latencyMs: 50 });
    await world.start();
    for (const wish of many(200)) {
      await world.put(wish);
      await world.clock.advance(10);
    }
    await world.synced(...many(200));
    expect(world.toy.records.size).toBe(200);
    expect(world.toy.calls.length).toBeLessThanOrEqual(16);
  });

  test('are deleted in batches, too', async () => {
    world = await startToyWorld({ breaker: { most: 1000 } });
    await world.start();
    await world.putAll(many(50));
    await world.synced(...many(50));
    const calls = world.toy.calls.length;
    await world.dropAll(many(50));
    await world.gone(...many(50));
    expect(verbs().slice(calls)).toEqual(['list', 'batch of 50']);
    expect(world.toy.records.size).toBe(0);
  });
});

test('one alone waits for nobody', async () => {
  world = await startToyWorld({ latencyMs: 50 });
  await world.start();
  const from = world.clock.now();
  await world.put(record('www', '1'));
  await world.synced(record('www', '1'));
  expect(world.clock.now() - from).toBe(500 + 50 + 50);
});

test('two look for themselves', async () => {
  world = await startToyWorld();
  await world.putAll(many(2));
  await world.start();
  await world.synced(...many(2));
  expect(verbs()).toEqual(['find', 'find', 'batch of 2']);
});

test('ten sources of one shared object cost one look and one write', async () => {
  world = await startToyWorld();
  world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
  await world.start();
  for (let index = 0; index < 10; index += 1) await world.put(board(`e${index}`), `s${index}`);
  await world.synced(board());
  expect(verbs()).toEqual(['get', 'put']);
  expect(world.toy.boards.get('b')?.entries).toHaveLength(10);
});
