import { configMapKind } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorNamespace } from './testing/sync-process.ts';
import { board, record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
const all = Array.from({ length: 30 }, (_, index) => record(`r${index}`, '1'));
const held = (wish = all[0]!) =>
  world.get(wish)?.status?.conditions?.find(({ type }) => type === 'DeletionHeld')?.message;
const plans = async () =>
  (await world.run(world.connection.client.list(configMapKind, { namespace: operatorNamespace }))).items.filter(
    ({ metadata }) => metadata.labels?.['cloudflare-operator.io/deletion-plan'] === 'held',
  );
const approve = async (name: string, hash: string): Promise<void> => {
  const body = { metadata: { annotations: { 'cloudflare-operator.io/approve-deletion': hash } } };
  const ref = { namespace: operatorNamespace, name };
  await world.run(world.connection.client.patch(configMapKind, ref, { type: 'merge', body }));
};

beforeEach(async () => {
  world = await startToyWorld();
  await world.start();
  await world.putAll(all);
  await world.synced(...all);
});
afterEach(async () => world.stop());

describe('ordinary deletions', () => {
  test('of ten at once are never held', async () => {
    await world.dropAll(all.slice(0, 10));
    await world.gone(...all.slice(0, 10));
    expect(world.toy.records.size).toBe(20);
    expect(await plans()).toEqual([]);
  });

  test('that are many and long apart are never held', async () => {
    for (let at = 0; at < 30; at += 10) {
      await world.dropAll(all.slice(at, at + 10));
      await world.gone(...all.slice(at, at + 10));
      await world.clock.advance(601_000);
    }
    expect(world.toy.records.size).toBe(0);
  });
});

describe('too many deletions at once', () => {
  beforeEach(async () => {
    await world.dropAll(all.slice(0, 25));
    await world.until(() => all.slice(0, 25).every((wish) => held(wish) !== undefined));
  });

  test('are held, each with the plan, the number and the first names, and the whole list in a ConfigMap', async () => {
    expect(world.toy.records.size).toBe(30);
    const [plan] = await plans();
    const names = all
      .slice(0, 25)
      .map(({ syncState }) => syncState.name)
      .toSorted();
    expect(plan?.data).toMatchObject({ count: '25', names: names.join('\n'), scope: 'DNSRecord|z' });
    expect(held()).toBe(
      `25 deletions at once wait for a person, plan ${plan?.data?.['hash']}: ${names.slice(0, 20).join(', ')} and 5 more. ` +
        `The whole list is in ConfigMap ${operatorNamespace}/${plan?.metadata.name}; annotate it with ` +
        `cloudflare-operator.io/approve-deletion: "${plan?.data?.['hash']}" to approve it`,
    );
    expect(world.get(all[0]!)?.status).toMatchObject({ syncStatus: 'Pending', error: held() });
  });

  test('are shown in one write each, and then nothing happens', async () => {
    const [writes, calls] = [world.kubeWrites.length, world.toy.writes().length];
    await world.clock.advance(3_600_000);
    expect([world.kubeWrites.length - writes, world.toy.writes().length - calls]).toEqual([0, 0]);
    expect(world.kubeWrites.filter(({ path }) => path.endsWith('/status'))).toHaveLength(30 + 25);
  });

  test('stay held with another hash, and go with the right one; the ConfigMap goes when it is done', async () => {
    const [plan] = await plans();
    await approve(plan?.metadata.name ?? '', 'wrong');
    await world.clock.advance(10_000);
    expect(world.toy.records.size).toBe(30);
    await approve(plan?.metadata.name ?? '', plan?.data?.['hash'] ?? '');
    await world.gone(...all.slice(0, 25));
    expect(world.toy.records.size).toBe(5);
    await world.clock.advance(200_000);
    expect(await plans()).toEqual([]);
  });

  test('are not approved by a list that was edited', async () => {
    const [plan] = await plans();
    const { name = '' } = plan?.metadata ?? {};
    const body = { data: { names: all.map(({ syncState }) => syncState.name).join('\n') } };
    const ref = { namespace: operatorNamespace, name };
    await world.run(world.connection.client.patch(configMapKind, ref, { type: 'merge', body }));
    await approve(name, plan?.data?.['hash'] ?? '');
    await world.clock.advance(10_000);
    expect(world.toy.records.size).toBe(30);
  });

  test('are a new plan when they become more: the approval of the old one approves nothing new', async () => {
    const [old] = await plans();
    await world.dropAll(all.slice(25));
    await world.until(() => held(all[29]) !== undefined && held(all[0])?.startsWith('30 ') === true);
    const [plan, ...others] = await plans();
    expect(others).toEqual([]);
    expect(plan?.data?.['hash']).not.toBe(old?.data?.['hash']);
    expect(world.toy.records.size).toBe(30);
  });

  test('are held still after a restart', async () => {
    const calls = world.toy.writes().length;
    await world.start();
    await world.clock.advance(60_000);
    expect(world.toy.writes().length).toBe(calls);
    expect(await plans()).toHaveLength(1);
  });

  test('are called off when their sources come back', async () => {
    await world.putAll(all);
    await world.synced(...all);
    expect(held()).toBeUndefined();
    await world.clock.advance(200_000);
    expect(await plans()).toEqual([]);
    expect(world.toy.writes().filter(({ verb }) => verb !== 'batch')).toEqual([]);
  });
});

describe('entries of an object that many share', () => {
  const entries = Array.from({ length: 20 }, (_, index) => `e${String(index).padStart(2, '0')}`);

  test('count as deletions, and wait for approval', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
    await world.put(board(...entries));
    await world.synced(board());
    await world.put(board(...entries.slice(0, 5)));
    await world.until(() => held(board()) !== undefined);
    expect(world.toy.boards.get('b')?.entries).toHaveLength(21);
    const [plan] = await plans();
    expect(plan?.data).toMatchObject({ count: '15', names: entries.slice(5).join('\n') });
    await approve(plan?.metadata.name ?? '', plan?.data?.['hash'] ?? '');
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toEqual([...entries.slice(0, 5), 'foreign']);
    expect(held(board())).toBeUndefined();
  });

  test('that are held go on their own when the wish allows it, and nobody has to approve', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    await world.put(board(...entries));
    await world.synced(board());
    await world.put(board(...entries.slice(0, 5)));
    await world.until(() => held(board()) !== undefined);
    await world.put(board(...entries.slice(0, 15)));
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toHaveLength(15);
    expect(held(board())).toBeUndefined();
  });

  test('that are few go at once', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    await world.put(board(...entries));
    await world.synced(board());
    await world.put(board(...entries.slice(6)));
    await world.synced(board());
    expect(world.toy.boards.get('b')?.entries).toHaveLength(14);
  });

  test('are held when the whole object is given up', async () => {
    world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
    await world.put(board(...entries));
    await world.synced(board());
    await world.drop(board());
    await world.until(() => held(board()) !== undefined);
    expect(world.toy.boards.get('b')?.entries).toHaveLength(20);
  });
});
