import { configMapKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { ownerLabel, ownerLabelOf, planChildren } from './children.ts';
import { createToyWorld, pebble } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { pebbleKind } from './testing/toys.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const ref = { namespace: 'default', name: 'a' };

describe('children', { timeout: 30_000 }, () => {
  const child = (name = 'box') => world.get(configMapKind, { namespace: 'default', name });

  test('come with their owner, follow it in the fields given, and keep what others add', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one', child: 'box' }));
    await world.waitFor(world.isReady);
    expect(child()?.data).toEqual({ value: 'one' });
    expect(child()?.metadata.ownerReferences).toMatchObject([{ kind: 'Pebble', name: 'a', controller: true }]);
    await world.user.client.patch(
      configMapKind,
      { namespace: 'default', name: 'box' },
      { type: 'merge', body: { data: { other: 'x' } } },
    );
    await world.apply(pebble({ value: 'two', child: 'box' }));
    await world.waitFor(() => child()?.data?.['value'] === 'two');
    expect(child()?.data).toEqual({ value: 'two', other: 'x' });
  });

  test('that somebody changes or deletes are put right', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one', child: 'box' }));
    await world.waitFor(world.isReady);
    await world.user.client.patch(
      configMapKind,
      { namespace: 'default', name: 'box' },
      { type: 'merge', body: { data: { value: 'x' } } },
    );
    await world.waitFor(() => child()?.data?.['value'] === 'one');
    await world.delete(configMapKind, { namespace: 'default', name: 'box' });
    await world.waitFor(() => child() !== undefined);
    expect(child()?.data).toEqual({ value: 'one' });
  });

  test('that are not wanted any more go, and those of a deleted owner too', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one', child: 'box' }));
    await world.waitFor(world.isReady);
    await world.apply(pebble({ value: 'one', child: 'crate' }));
    await world.waitFor(() => child('crate') !== undefined && child() === undefined);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble() === undefined && child('crate') === undefined);
    expect(world.room.pebbles.size).toBe(0);
  });

  test("somebody else's object of that name is left alone, and told", async () => {
    world = await createToyWorld();
    await world.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'box', namespace: 'default' },
      data: { value: 'theirs' },
    } as KubeObject);
    await world.apply(pebble({ value: 'one', child: 'box' }));
    await world.waitFor(() => world.ready() !== undefined);
    expect(world.ready()).toMatchObject({
      status: 'False',
      reason: 'ChildConflict',
      message: 'ConfigMap default/box exists already and is not ours: rename or remove it',
    });
    await world.clock.advance(10_000);
    world.clearCounts();
    await world.clock.advance(30 * 60_000);
    expect(world.writes()).toEqual([]);
    expect(child()?.data).toEqual({ value: 'theirs' });
    await world.delete(configMapKind, { namespace: 'default', name: 'box' });
    await world.waitFor(world.isReady, 120_000);
    expect(child()?.data).toEqual({ value: 'one' });
  });
});

describe('a map that is all ours', () => {
  const owner = {
    kind: pebbleKind,
    object: { metadata: { ...ref, uid: 'u1' } } as KubeObject,
    ref: { kind: 'Pebble', ...ref },
  };
  const box = (data: object): KubeObject => ({ metadata: { namespace: 'default', name: 'box' }, data }) as KubeObject;
  const there = (data: object): KubeObject => {
    const ownerReferences = [{ apiVersion: 'x/v1', kind: 'Pebble', name: 'a', uid: 'u1' }];
    const labels = { [ownerLabel]: ownerLabelOf(owner.ref) };
    return { ...box(data), metadata: { ...box(data).metadata, labels, ownerReferences, resourceVersion: '7' } };
  };
  const rows = [
    { now: { a: '1', b: '2' }, wanted: { b: '2' }, patch: { data: { a: null } } },
    { now: { a: '1' }, wanted: { b: '2' }, patch: { data: { a: null, b: '2' } } },
    { now: { a: '1' }, wanted: { a: '1' }, patch: undefined },
  ];
  for (const { now, wanted, patch } of rows) {
    test(`${JSON.stringify(now)} becomes ${JSON.stringify(wanted)}, and nothing else stays`, () => {
      const child = { kind: configMapKind, object: box(wanted), whole: ['data'] };
      const steps = planChildren(owner, [child], [{ kind: configMapKind, object: there(now) }]);
      const body = { ...patch, metadata: { resourceVersion: '7' } };
      expect(steps).toEqual(
        patch ? [{ do: 'patch-child', kind: configMapKind, ref: { namespace: 'default', name: 'box' }, body }] : [],
      );
    });
  }
});
