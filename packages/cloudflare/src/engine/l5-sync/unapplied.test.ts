import { getCondition } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const www = record('www', 'deaf');
const ready = () => getCondition(world.get(www)?.status?.conditions, 'Ready');
const verbs = (): readonly string[] => world.toy.calls.map(({ verb }) => verb);

describe('a change that Cloudflare takes and does not make', () => {
  test('is told, is not sent again, and does not hide what is known of the object', async () => {
    world = await startToyWorld();
    await world.start();
    await world.put(record('www', '1'));
    await world.synced(record('www', '1'));
    world.toy.calls.length = 0;
    await world.put(www);
    await world.until(() => ready()?.reason === 'NotApplied');
    expect(ready()?.message).toBe('Cloudflare took the change and shows other values of: value');
    expect(world.get(www)?.status).toMatchObject({ syncStatus: 'Error', cloudflareID: 'id-00001' });
    expect(verbs()).toEqual(['get', 'edit', 'get']);
    await world.clock.advance(4 * 3_600_000);
    expect(world.toy.writes()).toHaveLength(1);
  });

  test('is told of a new object, too, which is kept', async () => {
    world = await startToyWorld();
    await world.start();
    await world.put(www);
    await world.until(() => ready()?.reason === 'NotApplied');
    await world.clock.advance(4 * 3_600_000);
    expect(world.toy.writes().map(({ verb }) => verb)).toEqual(['create']);
    expect(world.get(www)?.status).toMatchObject({ cloudflareID: 'id-00001', created: true });
  });

  test('is forgotten when another value is wanted', async () => {
    world = await startToyWorld();
    await world.start();
    await world.put(www);
    await world.until(() => ready()?.reason === 'NotApplied');
    await world.put(record('www', '2'));
    await world.synced(record('www', '2'));
    expect(world.get(www)?.status?.error).toBeUndefined();
    expect([...world.toy.records.values()].map(({ value }) => value)).toEqual(['2']);
  });

  test('is in order as soon as the object shows it after all', async () => {
    world = await startToyWorld();
    await world.start();
    await world.put(www);
    await world.until(() => ready()?.reason === 'NotApplied');
    for (const [id, one] of world.toy.records) world.toy.records.set(id, { ...one, value: 'deaf' });
    await world.clock.advance(61_000);
    expect(ready()).toMatchObject({ status: 'True', reason: 'Synced' });
    expect(world.toy.writes()).toHaveLength(1);
  });
});
