import { crdKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../l4-state/sync-state.ts';
import { createToyWorld, pebble, toy } from './testing/toy-world.ts';
import type { AnyContributor } from './contributor.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { leafContributor, leafKind, pebbleContributor, pebbleKind, shelfKind } from './testing/toys.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const names = Array.from({ length: 10 }, (_, n) => `l${n}`);
const leaf = (name: string, colour: string) => toy('Leaf', name, { tree: 'oak', colour });
const isLeafReady = (name: string): boolean =>
  world.ready(world.get(leafKind, { namespace: 'default', name }))?.status === 'True';

describe('a target that outgrows its SyncState', { timeout: 30_000 }, () => {
  test('has all its sources whatever slice they are in, and leaves nothing behind', async () => {
    world = await createToyWorld({ operator: { commits: { maxBytes: 2000 } } });
    await world.apply(names.map((name) => leaf(name, 'green'.repeat(60))));
    await world.waitFor(() => names.every(isLeafReady));
    expect(world.room.trees.get('oak')).toHaveLength(10);
    expect(world.states().length).toBeGreaterThan(2);
    for (const name of names.slice(0, 9)) await world.delete(leafKind, { namespace: 'default', name });
    await world.waitFor(() => world.list(leafKind).length === 1);
    expect(world.room.trees.get('oak')).toEqual([`l9:${'green'.repeat(60)}`]);
    await world.delete(leafKind, { namespace: 'default', name: 'l9' });
    await world.waitFor(() => world.states().length === 0 && world.list(leafKind).length === 0);
    expect(world.room.trees.get('oak')).toEqual([]);
  });

  test('an object that asks for more than any SyncState holds is told', async () => {
    world = await createToyWorld({ operator: { commits: { maxBytes: 2000 } } });
    await world.apply(leaf('big', 'x'.repeat(3000)));
    const big = () => world.ready(world.get(leafKind, { namespace: 'default', name: 'big' }));
    await world.waitFor(() => big() !== undefined);
    expect(big()).toMatchObject({ status: 'False', reason: 'TooLarge' });
    expect(big()?.message).toContain('what Leaf/default/big asks for takes 3');
  });
});

describe('watched namespaces', { timeout: 30_000 }, () => {
  const inNamespace = (namespace: string) => toy('Pebble', 'a', { value: namespace }, { namespace });
  const elsewhere = {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'CloudflareSyncState',
    metadata: { name: 'of-another-operator' },
    spec: {
      resourceType: 'VirtualNetwork',
      cloudflareId: 'other.b',
      accountId: '',
      credentialsRef: { name: 'main' },
      key: { name: 'other.b' },
      sources: [{ ref: { kind: 'Pebble', namespace: 'other', name: 'b' }, config: { value: 'b', shelf: '' } }],
    },
  };

  test('are the only ones that are looked at, and what comes from elsewhere is not taken for gone', async () => {
    world = await createToyWorld({ operator: { watchNamespaces: ['apps', 'tools'] } });
    await world.apply(elsewhere);
    await world.apply(
      ['apps', 'tools', 'other'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    );
    await world.apply([inNamespace('apps'), inNamespace('tools'), inNamespace('other')]);
    await world.waitFor(() => world.room.pebbles.size === 3);
    await world.clock.advance(10_000);
    expect([...world.room.pebbles.keys()].toSorted()).toEqual(['apps.a', 'other.b', 'tools.a']);
    await world.delete(pebbleKind, { namespace: 'apps', name: 'a' });
    await world.waitFor(() => world.room.pebbles.size === 2);
    expect(world.get(syncStateKind, { name: 'of-another-operator' })?.spec.sources).toHaveLength(1);
  });
});

describe('a kind that may not be installed', { timeout: 30_000 }, () => {
  test('and is only read is missing, keeps nobody waiting, and is read as soon as it appears', async () => {
    const shelves = { ...leafContributor, kind: shelfKind, optional: true, contribute: () => [] } as AnyContributor;
    const { reads: _none, ...reader } = pebbleContributor;
    world = await createToyWorld({ contributors: [reader, shelves], kinds: [pebbleKind, leafKind] });
    await world.apply([pebble({ value: 'one', shelf: 's' }), pebble({ value: 'two' }, {}, 'b')]);
    await world.waitFor(() => world.ready(world.pebble('b'))?.status === 'True' && world.ready() !== undefined);
    expect(world.ready()).toMatchObject({ reason: 'DependencyError', message: 'no Shelf s' });
    await world.apply(pebble({ value: 'two' }, { labels: { mine: 'no' } }, 'b'));
    await world.waitFor(() => world.room.pebbles.size === 0);
    await world.user.client.create(crdKind, { ...shelfKind.toCrd() });
    await world.apply(toy('Shelf', 's', { room: 'attic' }));
    await world.waitFor(world.isReady);
    expect(world.room.pebbles.get('default.a')?.shelf).toBe('attic');
  });

  test('does not keep the others from working, and is picked up when it appears', async () => {
    const optional = { ...leafContributor, optional: true };
    world = await createToyWorld({ contributors: [pebbleContributor, optional], kinds: [pebbleKind, shelfKind] });
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.user.client.create(crdKind, { ...leafKind.toCrd() });
    await world.apply(leaf('a', 'green'));
    await world.waitFor(() => isLeafReady('a'));
    expect(world.room.trees.get('oak')).toEqual(['a:green']);
  });
});
