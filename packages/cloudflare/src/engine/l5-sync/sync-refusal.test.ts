import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from './testing/toy-store.ts';
import { record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import type { Process } from './testing/sync-process.ts';

let world: ToyWorld;
let process: Process;
const www = record('www', '1');
const status = () => world.get(www)?.status;
const ready = () => status()?.conditions?.find(({ type }) => type === 'Ready');
const failed = async (): Promise<void> => world.until(() => status()?.syncStatus === 'Error');
const lookAgain = async (): Promise<void> => {
  process.credentialsChanged({ name: 'main' });
  await world.clock.advance(5000);
};

beforeEach(async () => {
  world = await startToyWorld();
  process = await world.start();
});
afterEach(async () => world.stop());

describe('what Cloudflare refuses for what it is', () => {
  beforeEach(async () => {
    await world.put(record('www', 'bad'));
    await failed();
  });

  test('is tried once, and told in its own words', async () => {
    expect(ready()).toMatchObject({ status: 'False', reason: 'ValidationFailed', message: 'bad is no value' });
    expect(status()).toMatchObject({ error: 'bad is no value', lastError: 'bad is no value', observedGeneration: 1 });
    await world.clock.advance(3_600_000);
    expect(world.toy.writes()).toHaveLength(1);
  });

  test('is not tried again after a restart, nor by a look that finds the same', async () => {
    process.kill();
    process = await world.start();
    await world.clock.advance(60_000);
    const writes = world.kubeWrites.length;
    await lookAgain();
    expect(world.toy.writes()).toHaveLength(1);
    expect(world.kubeWrites.length).toBe(writes);
  });

  test('is tried again when the wish is another', async () => {
    await world.put(record('www', '2'));
    await world.synced(www);
    expect(status()?.refused).toBeUndefined();
    expect(status()?.error).toBeUndefined();
  });

  test('is tried again with other credentials', async () => {
    const bad = record('www', 'bad');
    await world.put({ ...bad, syncState: { ...bad.syncState, credentialsRef: { name: 'other' } } });
    await world.clock.advance(5000);
    expect(world.toy.writes()).toHaveLength(2);
  });

  test('is tried again when the remote side is another', async () => {
    world.toy.post({ zone: 'z', name: 'www', value: '1', comment: '[managed-by:Toy/default/one]' });
    await lookAgain();
    expect(world.toy.writes()).toHaveLength(2);
  });
});

describe('what is there already', () => {
  const seed = (value: string, comment: string) => world.toy.post({ zone: 'z', name: 'www', value, comment });
  const all = () => [...world.toy.records.values()];

  test('unmarked and equal: taken over and marked', async () => {
    seed('1', '');
    await world.put(www);
    await world.synced(www);
    expect(all()).toMatchObject([{ id: 'id-00001', comment: '[managed-by:Toy/default/one]' }]);
    expect(status()).toMatchObject({ created: false, cloudflareID: 'id-00001' });
  });

  test('unmarked and different: left as it is, until the object says adopt', async () => {
    const stranger = seed('2', 'by hand');
    await world.put(www);
    await failed();
    expect(ready()).toMatchObject({ reason: 'NotOwned' });
    expect(ready()?.message).toContain('cloudflare-operator.io/adopt: "true"');
    await world.clock.advance(600_000);
    expect(all()).toEqual([stranger]);
    await world.put(record('www', '1', { adopt: true }));
    await world.synced(www);
    expect(all()).toMatchObject([{ id: 'id-00001', value: '1', comment: '[managed-by:Toy/default/one]' }]);
  });

  test('marked by another: left as it is even then, also when the wish ends', async () => {
    const rival = seed('2', '[managed-by:Toy/other/two]');
    await world.put(record('www', '1', { adopt: true }));
    await failed();
    expect(ready()).toMatchObject({ reason: 'OwnedByOther', message: "id-00001 is marked as Toy/other/two's" });
    await world.drop(www);
    await world.gone(www);
    expect(all()).toEqual([rival]);
  });

  test('with the mark of a former operator: ours', async () => {
    seed('2', '[managed:Toy/default/one]');
    await world.put(www);
    await world.synced(www);
    expect(all()).toMatchObject([{ value: '1', comment: '[managed-by:Toy/default/one]' }]);
  });

  test('ours, of before etcd was lost: found by its mark, and deleted with its wish', async () => {
    seed('2', '[managed-by:Toy/default/one]');
    await world.put(www);
    await world.synced(www);
    expect(all()).toMatchObject([{ id: 'id-00001', value: '1' }]);
    await world.drop(www);
    await world.gone(www);
    expect(all()).toEqual([]);
  });
});

describe('what fails and may pass', () => {
  test('is tried again with pauses, and told with its reason', async () => {
    let left = 3;
    world.toy.hooks.before = ({ write }) => {
      if (write && (left -= 1) >= 0) throw refusal('quota', 'no more than ten');
    };
    await world.put(www);
    await failed();
    expect(ready()).toMatchObject({ reason: 'QuotaExceeded', message: 'no more than ten' });
    const writes = world.kubeWrites.length;
    await world.synced(www);
    expect(world.toy.writes()).toHaveLength(4);
    expect(world.kubeWrites.length - writes).toBe(1);
  });

  test('a lost answer is followed by a look, never by the same call again', async () => {
    let lost = false;
    world.toy.hooks.after = ({ verb }) => {
      if (verb !== 'create' || lost) return;
      lost = true;
      throw refusal('transient', 'no answer came', 'unknown');
    };
    await world.put(www);
    await world.synced(www);
    expect(world.toy.calls.map(({ verb }) => verb)).toEqual(['find', 'create', 'find']);
    expect(status()).toMatchObject({ created: true });
  });

  test('somebody who was faster is found by a second look, before any complaint', async () => {
    world.toy.hooks.after = ({ verb }) => {
      delete world.toy.hooks.after;
      if (verb === 'find') queueMicrotask(() => world.toy.post({ zone: 'z', name: 'www', value: '1', comment: '' }));
    };
    await world.put(www);
    await world.synced(www);
    expect(world.toy.calls.map(({ verb }) => verb)).toEqual(['find', 'create', 'find', 'edit']);
    expect(world.kubeWrites).toHaveLength(1);
  });
});
