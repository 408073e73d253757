import type { Result } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../l4-state/sync-state.ts';
import { refusal } from './testing/toy-store.ts';
import { board, record, startToyWorld, thing } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import type { Process } from './testing/sync-process.ts';

let world: ToyWorld;
let process: Process;
let credentials: Result<{ kind: 'token'; token: string }>;
const present = { ok: true, value: { kind: 'token', token: 'toy' } } as const;
const missing = { ok: false, reason: 'NotFound', message: 'the Secret default/token is not there' } as const;
const www = record('www', '1');
const ready = (wish = www) => world.get(wish)?.status?.conditions?.find(({ type }) => type === 'Ready');

beforeEach(async () => {
  credentials = present;
  world = await startToyWorld({ credentialFor: async () => credentials });
  process = await world.start();
  await world.put(www);
  await world.synced(www);
});
afterEach(async () => world.stop());

describe('a deletion without credentials', () => {
  beforeEach(async () => {
    credentials = missing;
    await world.drop(www);
    await world.until(() => ready()?.reason === 'CredentialsMissing');
  });

  test('is shown and waits', async () => {
    expect(ready()?.message).toBe('it cannot be removed from Cloudflare: the Secret default/token is not there');
    const writes = world.kubeWrites.length;
    await world.clock.advance(600_000);
    expect(world.get(www)?.metadata.finalizers).toEqual(['dnsrecord.sync.cloudflare-operator.io/finalizer']);
    expect(world.toy.records.size).toBe(1);
    expect(world.kubeWrites.length).toBe(writes);
  });

  test('is done at once when they are back', async () => {
    credentials = present;
    process.credentialsChanged({ name: 'main' });
    const from = world.clock.now();
    await world.gone(www);
    expect(world.clock.now() - from).toBeLessThan(2000);
    expect(world.toy.records.size).toBe(0);
  });

  test('can be waived by an annotation that says true and nothing else, and the remote object stays', async () => {
    const waive = async (abandon: string): Promise<unknown> => {
      const body = { metadata: { annotations: { 'cloudflare-operator.io/abandon': abandon } } };
      const ref = { name: www.syncState.name };
      return world.run(world.connection.client.patch(syncStateKind, ref, { type: 'merge', body }));
    };
    await waive('false');
    await world.clock.advance(120_000);
    expect(world.get(www)).toBeDefined();
    await waive('true');
    await world.gone(www);
    expect(world.toy.records.size).toBe(1);
  });
});

describe('a wish that ends', () => {
  test('and is orphaned leaves the remote object as it is, without a call and without credentials', async () => {
    credentials = missing;
    const calls = world.toy.calls.length;
    await world.orphan(www);
    await world.gone(www);
    expect([world.toy.records.size, world.toy.calls.length - calls]).toEqual([1, 0]);
  });

  test('while another source lives on takes nothing away', async () => {
    await world.put(record('www', '2'), 'two');
    await world.synced(www);
    await world.orphan(www, 'one');
    await world.synced(www);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '1' }]);
  });

  test('and is wanted again before it is done is synced instead', async () => {
    world.toy.hooks.before = ({ verb }) => {
      if (verb === 'remove') throw refusal('in-use', 'something uses it');
    };
    await world.drop(www);
    await world.until(() => ready()?.reason === 'InUse');
    await world.put(record('www', '3'));
    await world.synced(www);
    expect([...world.toy.records.values()]).toMatchObject([{ id: 'id-00001', value: '3' }]);
  });

  test('and comes back in the very moment of the end is not lost', async () => {
    let back: Promise<void> | undefined;
    world.toy.hooks.after = ({ verb }) => {
      if (verb === 'remove') back = world.putNow(record('www', '4'));
    };
    await world.drop(www);
    await world.until(() => back !== undefined);
    await world.run(back ?? Promise.resolve());
    await world.synced(www);
    expect([...world.toy.records.values()]).toMatchObject([{ value: '4' }]);
  });

  test('whose remote object is gone already ends all the same', async () => {
    world.toy.records.clear();
    await world.drop(www);
    await world.gone(www);
    expect(world.toy.calls.at(-1)?.write).toBe(false);
  });

  test('whose remote object goes in the very moment ends without a complaint', async () => {
    world.toy.hooks.before = ({ verb }) => {
      if (verb === 'remove') world.toy.records.clear();
    };
    const writes = world.kubeWrites.length;
    await world.drop(www);
    await world.gone(www);
    expect(world.kubeWrites.slice(writes).map(({ method }) => method)).toEqual(['DELETE', 'PATCH']);
  });

  test('whose zone is gone went with it', async () => {
    world.toy.hooks.before = () => {
      throw refusal('not-found', 'there is no such zone');
    };
    await world.drop(www);
    await world.gone(www);
    expect(world.toy.writes().filter(({ verb }) => verb === 'remove')).toEqual([]);
  });

  test('goes after what people change, and before drift', async () => {
    const calls = world.toy.calls.length;
    await world.drop(www);
    await world.gone(www);
    expect(world.toy.calls.slice(calls).map(({ verb, priority }) => `${verb} ${priority}`)).toEqual([
      'get deletion',
      'remove deletion',
    ]);
  });

  test('is tried again even when it was refused for good', async () => {
    world.toy.hooks.before = ({ verb }) => {
      if (verb === 'remove') throw refusal('validation', 'not while it is locked');
    };
    await world.drop(www);
    await world.until(() => ready()?.reason === 'ValidationFailed');
    delete world.toy.hooks.before;
    await world.until(() => world.get(www) === undefined, 700_000);
    expect(world.toy.records.size).toBe(0);
  });

  test('keeps what was found rather than made, where the target says so', async () => {
    world.toy.things.set('old', { id: 'old', name: 't', size: 1, bornAt: '2020-01-01T00:00:00Z' });
    await world.put(thing('t', 1));
    await world.synced(thing('t', 1));
    expect(world.get(thing('t', 1))?.status).toMatchObject({ created: false, cloudflareID: 'old' });
    await world.drop(thing('t', 1));
    await world.gone(thing('t', 1));
    expect([...world.toy.things.keys()]).toEqual(['old']);
  });

  test('that never got anywhere needs no call', async () => {
    await world.put(board('one'));
    await world.until(() => ready(board())?.reason === 'NotFound');
    const calls = world.toy.calls.length;
    await world.drop(board());
    await world.gone(board());
    expect(world.toy.calls.length).toBe(calls);
  });
});

test('a SyncState that a person deletes goes without a touch of the remote object, which its source finds again', async () => {
  const calls = world.toy.writes().length;
  await world.run(world.connection.client.delete(syncStateKind, { name: www.syncState.name }));
  await world.gone(www);
  await world.put(www);
  await world.synced(www);
  expect(world.get(www)?.status?.cloudflareID).toBe('id-00001');
  expect(world.toy.writes().length).toBe(calls);
});
