import { connect, isNotFound, secretKind } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../l4-state/sync-state.ts';
import { toySecret } from './testing/toy-provider.ts';
import { startToyWorld, thing } from './testing/toy-world.ts';
import { writeSecrets } from './write-secrets.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import type { Process } from './testing/sync-process.ts';

let world: ToyWorld;
let process: Process;
const ref = { namespace: 'default', name: 'toy-token' };
const wish = thing('t', 1, ref.name);
const read = async () =>
  world.run(world.connection.client.get(secretKind, ref)).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
const tokenOf = (data: Readonly<Record<string, string>> = {}): string =>
  Buffer.from(data['token'] ?? '', 'base64').toString();

beforeEach(async () => {
  world = await startToyWorld();
  process = await world.start();
});
afterEach(async () => world.stop());

describe('what must not stand in a SyncState', () => {
  test('is in a Secret before the SyncState says that it is synced', async () => {
    await world.put(wish);
    await world.synced(wish);
    const secret = await read();
    expect(tokenOf(secret?.data)).toBe(`${toySecret}-id-00001`);
    expect(secret).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'cloudflare-operator' } },
    });
  });

  test('is nowhere else: no object of the cluster but that Secret holds it', async () => {
    await world.put(wish);
    await world.synced(wish);
    const { client } = connect({ transport: world.cluster.transport(), clock: world.clock });
    const { items } = await world.run(client.list(syncStateKind));
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(toySecret);
    const everything = JSON.stringify(world.cluster.store.snapshot());
    expect(everything).not.toContain(toySecret);
    expect(everything.split(Buffer.from(`${toySecret}-id-00001`).toString('base64'))).toHaveLength(2);
  });

  test('is written again by a look when the Secret was lost or changed; what others added stays', async () => {
    await world.put(wish);
    await world.synced(wish);
    const body = {
      data: { token: Buffer.from('wrong').toString('base64'), more: Buffer.from('theirs').toString('base64') },
    };
    await world.run(world.connection.client.patch(secretKind, ref, { type: 'merge', body }));
    process.credentialsChanged({ name: 'main' });
    await world.clock.advance(5000);
    const mended = await read();
    expect([tokenOf(mended?.data), mended?.data?.['more']]).toEqual([`${toySecret}-id-00001`, body.data.more]);
    await world.run(world.connection.client.delete(secretKind, ref));
    process.credentialsChanged({ name: 'main' });
    await world.clock.advance(5000);
    expect(tokenOf((await read())?.data)).toBe(`${toySecret}-id-00001`);
  });

  test('is back at once when the Secret is deleted, without anybody asking', async () => {
    await world.put(wish);
    await world.synced(wish);
    await world.run(world.connection.client.delete(secretKind, ref));
    await world.clock.advance(3000);
    expect(tokenOf((await read())?.data)).toBe(`${toySecret}-id-00001`);
    expect(world.toy.writes()).toHaveLength(1);
  });

  test('never goes into a Secret that is somebody else’s', async () => {
    const theirs = { metadata: ref, data: { password: Buffer.from('theirs').toString('base64') } };
    await world.run(world.connection.client.create(secretKind, theirs));
    await world.put(wish);
    await world.until(() => world.get(wish)?.status?.syncStatus === 'Error');
    expect(world.get(wish)?.status?.error).toBe(
      'the Secret default/toy-token exists already and is not ours; rename it, or what needs that name',
    );
    expect((await read())?.data).toEqual(theirs.data);
    await world.run(world.connection.client.delete(secretKind, ref));
    await world.synced(wish);
    expect(world.toy.things.size).toBe(1);
  });
});

describe('a Secret that is written with care', () => {
  const write = async (more: object): Promise<void> =>
    world.run(writeSecrets([{ ...ref, data: { a: '1' }, ...more }], 'state', world.connection.client));

  test('loses the entries that it must not have, and no others', async () => {
    await write({ data: { a: '1', b: '2', c: '3' } });
    await write({ data: { a: '1' }, without: ['b'] });
    expect(Object.keys((await read())?.data ?? {})).toEqual(['a', 'c']);
  });

  test('is left out where it is a convenience and the name is somebody else’s', async () => {
    const theirs = { metadata: ref, data: { a: Buffer.from('theirs').toString('base64') } };
    await world.run(world.connection.client.create(secretKind, theirs));
    await write({ optional: true });
    expect((await read())?.data).toEqual(theirs.data);
  });

  test('takes the place of one with a former name, and of no copy that somebody made', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'it', uid: 'u1' };
    const { client } = world.connection;
    await write({ name: 'former', owner });
    await write({ name: 'of-another', owner: { ...owner, uid: 'u2' } });
    const { metadata, data = {} } = await world.run(client.get(secretKind, { ...ref, name: 'former' }));
    const { labels = {}, annotations = {} } = metadata;
    await world.run(client.create(secretKind, { metadata: { ...ref, name: 'copy', labels, annotations }, data }));
    await write({ owner });
    const names = async (): Promise<readonly unknown[]> =>
      (await world.run(client.list(secretKind, ref))).items.map((each) => each.metadata.name);
    expect(await names()).toEqual(['copy', 'former', 'of-another', 'toy-token']);
    await write({ owner, only: true });
    expect(await names()).toEqual(['copy', 'of-another', 'toy-token']);
  });

  test('cannot change its type, and says so', async () => {
    await write({});
    await expect(write({ type: 'kubernetes.io/tls' })).rejects.toMatchObject({ code: 'sync/secret-of-other-type' });
  });
});
