import { connect, crdKind } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contribution, defineContract } from '../l4-state/contract.ts';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState } from '../l4-state/sync-state.ts';
import { createCommitter } from './committer.ts';
import type { Committer } from './committer.ts';

const tunnel = defineContract({
  type: 'TunnelConfiguration',
  finalizer: 'tunnelconfig',
  sources: 'many',
  config: z.object({ rules: z.array(z.string()) }),
  readable: ({ tunnelId }: { accountId: string; tunnelId: string }) => tunnelId,
  cloudflareId: ({ tunnelId }) => tunnelId,
});
const wish = (rules: string[], tunnelId = 't1') =>
  contribution(tunnel, { accountId: 'a1', tunnelId }, { rules }, { credentials: { name: 'main' } });
const owner = (name: string) => ({
  ref: { kind: 'Ingress', namespace: 'default', name },
  createdAt: '2026-01-01T00:00:00Z',
});
const { name } = wish([]).syncState;

let cluster: Cluster;
let stop: AbortController;
let writes: SyncState[];

/** One operator process: its own cache, its own committer. */
async function replica(minIntervalMs = 50): Promise<Committer & { readonly connection: Connection }> {
  const connection = connect({ transport: cluster.transport(), freeze: true });
  const committer = createCommitter({ minIntervalMs }, connection);
  connection.cache.start(stop.signal);
  await connection.cache.waitForSync();
  return { ...committer, connection };
}

beforeEach(async () => {
  cluster = await startCluster({ listen: false });
  stop = new AbortController();
  writes = [];
  const { client, cache } = connect({ transport: cluster.transport() });
  await client.create(crdKind, { ...syncStateKind.toCrd() });
  cache.informer(syncStateKind).onChange(({ type, object, old }) => {
    if (type === 'added' || (type === 'updated' && object.metadata.generation !== old.metadata.generation))
      writes.push(object);
  });
  cache.start(stop.signal);
  await cache.waitForSync();
});
afterEach(async () => {
  stop.abort();
  await cluster.stop();
});

const stored = async ({ connection }: { connection: Connection }): Promise<SyncState> =>
  connection.client.get(syncStateKind, { name });
const sourceNames = (state: SyncState): string[] => (state.spec.sources ?? []).map(({ ref }) => ref.name);

describe('registering', () => {
  test('one write creates the SyncState with its finalizer and first source', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatchObject({
      metadata: {
        finalizers: ['tunnelconfig.sync.cloudflare-operator.io/finalizer'],
        labels: { 'cloudflare-operator.io/resource-type': 'TunnelConfiguration' },
      },
      spec: { cloudflareId: 't1', sources: [{ ref: { kind: 'Ingress', namespace: 'default', name: 'a' } }] },
    });
  });

  test('what is registered already is not written again', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    await one.register(wish(['a']), owner('a'));
    await one.unregister(name, owner('nobody').ref);
    expect((await stored(one)).metadata.generation).toBe(1);
  });

  test('a hundred at once go in two writes', async () => {
    const one = await replica();
    await Promise.all(Array.from({ length: 100 }, async (_, n) => one.register(wish([`${n}`]), owner(`${n}`))));
    expect(sourceNames(await stored(one))).toHaveLength(100);
    expect((await stored(one)).metadata.generation).toBeLessThanOrEqual(2);
  });

  test('three replicas with the same hundred lose none and write little', async () => {
    const replicas = await Promise.all([replica(), replica(), replica()]);
    const all = Array.from({ length: 100 }, (_, n) => `${n}`);
    await Promise.all(
      replicas.flatMap((each, index) => {
        const mine = index % 2 === 0 ? all : all.toReversed();
        return mine.map(async (of) => each.register(wish([of]), owner(of)));
      }),
    );
    const [first] = replicas;
    expect(sourceNames(await stored(first)).toSorted()).toEqual(all.toSorted());
    expect((await stored(first)).metadata.generation).toBeLessThanOrEqual(6);
  });
});

test('replicas that write different sources at the same moment lose none of them', async () => {
  // Their caches run behind, so each writes on what is already old.
  cluster.faults.add({ match: { verb: 'watch' }, fault: { kind: 'delay-events', ms: 20 } });
  const replicas = await Promise.all([replica(1), replica(1), replica(1)]);
  const names = replicas.map((_, index) => Array.from({ length: 10 }, (_unused, n) => `r${index}-${n}`));
  await Promise.all(
    replicas.map(async (each, index) => {
      for (const of of names[index] ?? []) await each.register(wish([of]), owner(of));
    }),
  );
  const [first] = replicas;
  expect(sourceNames(await stored(first)).toSorted()).toEqual(names.flat().toSorted());
});

describe('unregistering', () => {
  test('the last source leaves an empty list and does not delete the SyncState', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.unregister(name, owner('a').ref);
    expect((await stored(one)).spec.sources).toEqual([]);
    expect((await stored(one)).metadata.deletionTimestamp).toBeUndefined();
  });

  test('a source that comes while the SyncState is being deleted goes into a new one', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    const { client } = one.connection;
    const old = await stored(one);
    await client.delete(syncStateKind, { name });
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    const registered = one.register(wish(['b']), owner('b'));
    await client.patch(syncStateKind, { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
    await registered;
    const next = await stored(one);
    expect(next.metadata.uid).not.toBe(old.metadata.uid);
    expect(sourceNames(next)).toEqual(['b']);
  });
});

describe('orphaning', () => {
  const source = async (one: { connection: Connection }) => (await stored(one)).spec.sources?.[0];

  test('keeps the source and says that the remote side stays; registering again takes that back', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.orphan(name, owner('a').ref);
    expect(await source(one)).toMatchObject({ ref: owner('a').ref, config: { rules: ['a'] }, orphaned: true });
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    await one.register(wish(['a']), owner('a'));
    expect((await source(one))?.orphaned).toBeUndefined();
  });

  test('of a source that is gone already waives the deletion that is under way', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.unregister(name, owner('a').ref);
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    await one.orphan(name, owner('a').ref);
    expect(await source(one)).toMatchObject({ ref: owner('a').ref, orphaned: true });
  });

  test('of a source that is gone changes nothing where others live on, nor where there is no SyncState', async () => {
    const one = await replica();
    await one.orphan(name, owner('a').ref);
    await one.register(wish(['b']), owner('b'));
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    await one.orphan(name, owner('a').ref);
    expect(sourceNames(await stored(one))).toEqual(['b']);
  });
});

test('who leaves is noted in the same write, until the remote side is known to be without it', async () => {
  const one = await replica(1);
  const leftBy = async () => (await stored(one)).metadata.annotations?.['cloudflare-operator.io/left-by'];
  const { client, cache } = one.connection;
  await Promise.all(['a', 'b', 'c'].map(async (of) => one.register(wish([of]), owner(of))));
  await one.unregister(name, owner('a').ref);
  expect(await leftBy()).toBe('Ingress/default/a');
  await one.unregister(name, owner('b').ref);
  expect(await leftBy()).toBe('Ingress/default/a,Ingress/default/b');
  const { generation } = (await stored(one)).metadata;
  const status = { syncStatus: 'Synced', observedGeneration: generation };
  await client.patchStatus(syncStateKind, { name }, { type: 'merge', body: { status } });
  await cache.informer(syncStateKind).caughtUp(name);
  await one.register(wish(['b2']), owner('b'));
  expect(await leftBy()).toBeUndefined();
});

describe('changed heads', () => {
  test('other credentials take the place of a Secret as a whole', async () => {
    const one = await replica();
    const secret = { namespace: 'default', name: 's', tokenKey: 't', apiKeyKey: 'k' };
    const by = (credentials: { name: string; secret?: typeof secret }) =>
      contribution(tunnel, { accountId: 'a1', tunnelId: 't1' }, { rules: ['a'] }, { credentials });
    await one.register(by({ name: '', secret }), owner('a'));
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    await one.register(by({ name: 'other' }), owner('a'));
    expect((await stored(one)).spec.credentialsRef).toEqual({ name: 'other' });
  });
});

describe('a target with more sources than one object holds', () => {
  const large = (of: string) => wish([of.repeat(600)]);
  const place = ({ connection }: { connection: Connection }) => {
    const all = connection.cache.informer(syncStateKind).list();
    return Object.fromEntries(
      all.map((state) => [state.metadata.name?.slice(name.length) ?? '', sourceNames(state).join()]),
    );
  };
  async function small(): Promise<Committer & { readonly connection: Connection }> {
    const connection = connect({ transport: cluster.transport(), freeze: true });
    const committer = createCommitter({ minIntervalMs: 1, maxBytes: 2000 }, connection);
    connection.cache.start(stop.signal);
    await connection.cache.waitForSync();
    return { ...committer, connection };
  }
  const shown = async ({ connection }: { connection: Connection }) => {
    const informer = connection.cache.informer(syncStateKind);
    await Promise.all([name, `${name}-s1`, `${name}-s2`].map(async (each) => informer.caughtUp(each)));
  };

  test('is spread over slices, one after the other or all at once', async () => {
    const one = await small();
    for (const letter of ['a', 'b', 'c', 'd', 'e']) await one.register(large(letter), owner(letter));
    await shown(one);
    expect(place(one)).toEqual({ '': 'a,b', '-s1': 'c,d', '-s2': 'e' });
    const other = wish([], 't2').syncState.name;
    await Promise.all(['a', 'b', 'c'].map(async (of) => one.register(wish([of.repeat(600)], 't2'), owner(of))));
    const counts = await Promise.all(
      [other, `${other}-s1`].map(async (each) => {
        const state = await one.connection.client.get(syncStateKind, { name: each });
        return [
          state.spec.slice ?? 0,
          state.spec.sources?.length,
          state.metadata.labels?.['cloudflare-operator.io/slice-of'],
        ];
      }),
    );
    expect(counts).toEqual([
      [0, 2, undefined],
      [1, 1, other],
    ]);
  });

  test('keeps every source where it is, also when there is room again', async () => {
    const one = await small();
    for (const letter of ['a', 'b', 'c']) await one.register(large(letter), owner(letter));
    await shown(one);
    await one.unregister(name, owner('a').ref);
    await one.register(large('C'), owner('c'));
    await shown(one);
    expect(place(one)).toEqual({ '': 'b', '-s1': 'c' });
    await one.register(large('d'), owner('d'));
    await shown(one);
    expect(place(one)).toEqual({ '': 'b,d', '-s1': 'c' });
  });

  test('a source that no object can hold is refused, and no other that comes with it', async () => {
    const one = await small();
    const [tooLarge, fits] = [wish(['x'.repeat(3000)]), wish(['b'])];
    const outcomes = await Promise.allSettled([one.register(tooLarge, owner('a')), one.register(fits, owner('b'))]);
    const reason = expect.objectContaining({ code: 'syncstate/source-too-large' });
    expect(outcomes).toEqual([{ status: 'rejected', reason }, expect.objectContaining({ status: 'fulfilled' })]);
    await expect(one.register(tooLarge, owner('b'))).rejects.toMatchObject({ code: 'syncstate/source-too-large' });
  });
});

describe('the end', () => {
  test('whoever waits for a SyncState to go is told, and nothing is written after it', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.connection.client.delete(syncStateKind, { name });
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    const registered = one.register(wish(['b']), owner('b'));
    one.stop();
    await expect(registered).rejects.toMatchObject({ code: 'syncstate/stopping' });
    await expect(one.register(wish(['c'], 't3'), owner('c'))).rejects.toMatchObject({ code: 'syncstate/stopping' });
  });

  test('a caller that gives up does not wait any longer', async () => {
    const one = await replica();
    await one.register(wish(['a']), owner('a'));
    await one.connection.client.delete(syncStateKind, { name });
    await one.connection.cache.informer(syncStateKind).caughtUp(name);
    const caller = new AbortController();
    const registered = one.register(wish(['b']), owner('b'), caller.signal);
    caller.abort(new Error('enough'));
    await expect(registered).rejects.toThrow('enough');
  });
});
