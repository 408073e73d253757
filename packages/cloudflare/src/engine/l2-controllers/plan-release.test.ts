import { configMapKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { createToyWorld, pebble, toy } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { pebbleContributor, pebbleKind, shelfKind } from './testing/toys.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const finalizer = 'pebble.cloudflare-operator.io/finalizer';
const ref = { namespace: 'default', name: 'a' };

describe('deletion', { timeout: 30_000 }, () => {
  test('waits for the remote side, and costs no write of its status', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    world.clearCounts();
    let held: unknown;
    world.room.onRemove = () => (held = world.pebble()?.metadata.finalizers);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble() === undefined);
    expect(held).toEqual([finalizer]);
    expect(world.states()).toEqual([]);
    expect(world.writeCounts()).toEqual({ cloudflaresyncstates: 3, pebbles: 1 });
  });

  test('needs no reference', async () => {
    world = await createToyWorld();
    await world.apply([toy('Shelf', 'high', { room: 'attic' }), pebble({ value: 'one', shelf: 'high' })]);
    await world.waitFor(world.isReady);
    await world.stopReplica('replica-1');
    await world.delete(shelfKind, { name: 'high' });
    await world.delete(pebbleKind, ref);
    world.start('replica-1');
    await world.waitFor(() => world.pebble() === undefined);
    expect(world.room.pebbles.size).toBe(0);
  });

  test('goes on after a restart in the middle: the finalizer stays until the remote side is done', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.states()[0]?.spec.sources?.length === 0);
    world.kill('replica-1');
    expect(world.room.pebbles.size).toBe(1);
    let held: unknown;
    world.room.onRemove = () => (held = world.pebble()?.metadata.finalizers);
    world.start('replica-2');
    await world.waitFor(() => world.pebble() === undefined && world.states().length === 0);
    expect(held).toEqual([finalizer]);
    expect(world.room.pebbles.size).toBe(0);
  });

  test('tells what it waits for when it cannot be done, and can be waived', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    const secret = { namespace: 'cloudflare-operator-system', name: 'main-token' };
    await world.delete({ ...configMapKind, kind: 'Secret', plural: 'secrets' }, secret);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.ready()?.reason === 'Deleting');
    expect(world.ready()?.message).toContain('Secret cloudflare-operator-system/main-token is not there');
    expect(world.pebble()?.status?.seen).toBe('on its way out');
    await world.clock.advance(10 * 60_000);
    expect(world.pebble()).toBeDefined();
    await world.apply(pebble({ value: 'one' }, { annotations: { 'cloudflare-operator.io/abandon': 'true' } }));
    await world.waitFor(() => world.pebble() === undefined && world.states().length === 0);
    expect(world.room.pebbles.size).toBe(1);
  });

  test('with the policy to orphan keeps the remote side', async () => {
    world = await createToyWorld();
    await world.apply(
      pebble({ value: 'one' }, { annotations: { 'cloudflare-operator.io/deletion-policy': 'Orphan' } }),
    );
    await world.waitFor(world.isReady);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble() === undefined && world.states().length === 0);
    expect(world.room.pebbles.get('default.a')?.value).toBe('one');
  });

  test('removes the finalizers of earlier operators with ours, and no others', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }, { finalizers: ['old.example.com/pebble', 'else.example.com/keeps'] }));
    await world.waitFor(world.isReady);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble()?.metadata.finalizers?.length === 1);
    expect(world.pebble()?.metadata.finalizers).toEqual(['else.example.com/keeps']);
    expect(world.room.pebbles.size).toBe(0);
  });

  test('takes the finalizer that an earlier operator left on a Secret, and no other one', async () => {
    const former = { namespace: 'default', name: 'a', finalizer: 'old.example.com/secret-a' };
    const contributor = { ...pebbleContributor, formerSecrets: () => [former] };
    world = await createToyWorld({ contributors: [contributor] });
    const secret = { namespace: 'default', name: 'a' };
    const finalizers = [former.finalizer, 'else.example.com/keeps'];
    await world.user.client.create(secretKind, { metadata: { ...secret, finalizers } });
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    expect(world.get(secretKind, secret)?.metadata.finalizers).toEqual(finalizers);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble() === undefined);
    expect(world.get(secretKind, secret)?.metadata.finalizers).toEqual(['else.example.com/keeps']);
  });

  test('an object made anew under the same name while the old one goes gets its way', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.delete(pebbleKind, ref);
    await world.waitFor(() => world.pebble() === undefined);
    await world.apply(pebble({ value: 'two' }));
    await world.waitFor(world.isReady);
    expect(world.room.pebbles.get('default.a')?.value).toBe('two');
  });
});

describe('what nobody wants any more', { timeout: 30_000 }, () => {
  test('is taken back when the object vanished without its finalizer', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.stopReplica('replica-1');
    await world.user.client.patch(pebbleKind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
    await world.delete(pebbleKind, ref);
    world.start('replica-1');
    await world.waitFor(() => world.room.pebbles.size === 0 && world.states().length === 0);
    expect(world.pebble()).toBeUndefined();
  });

  test('stays as long as a cache is not complete', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.stopReplica('replica-1');
    world.cluster.faults.add({
      match: { resource: 'pebbles', verb: ['list', 'watch'] },
      fault: { kind: 'error', status: 503 },
    });
    world.clearCounts();
    world.start('replica-1');
    await world.clock.advance(60_000);
    expect(world.writes()).toEqual([]);
    expect(world.room.pebbles.size).toBe(1);
    world.cluster.faults.clear();
    await world.clock.advance(60_000);
    expect(world.writes()).toEqual([]);
    expect(world.room.pebbles.size).toBe(1);
  });

  test('is taken back when the object is not ours any more, and the object is left alone', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.apply(pebble({ value: 'one' }, { labels: { mine: 'no' } }));
    await world.waitFor(() => world.pebble()?.metadata.finalizers === undefined);
    expect(world.room.pebbles.size).toBe(0);
    world.clearCounts();
    await world.apply(pebble({ value: 'x' }, { labels: { mine: 'no' } }, 'b'));
    await world.clock.advance(10_000);
    expect(world.writes()).toEqual([]);
  });
});
