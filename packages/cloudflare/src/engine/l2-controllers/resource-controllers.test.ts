import { eventKind, silentLog } from '@tributary/runtime';
import type { KubeObject, Log } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { createToyWorld, pebble, toy } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { leafKind, pebbleKind, shelfKind } from './testing/toys.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const finalizer = 'pebble.cloudflare-operator.io/finalizer';
const ref = { namespace: 'default', name: 'a' };
const leaf = (name: string, colour = 'green') => toy('Leaf', name, { tree: 'oak', colour });

describe('an object', { timeout: 30_000 }, () => {
  test('gets its way with four writes', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    expect(world.room.pebbles.get('default.a')).toMatchObject({ value: 'one', shelf: '' });
    expect(world.pebble()?.metadata.finalizers).toEqual([finalizer]);
    expect(world.pebble()?.status).toMatchObject({ seen: 'one', observedGeneration: 1 });
    expect(world.writeCounts()).toEqual({
      pebbles: 1,
      cloudflaresyncstates: 1,
      'cloudflaresyncstates/status': 1,
      'pebbles/status': 1,
    });
  });

  test('that is changed is followed', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    await world.apply(pebble({ value: 'two' }));
    await world.waitFor(() => world.ready()?.observedGeneration === 2);
    expect(world.room.pebbles.get('default.a')?.value).toBe('two');
    expect(world.pebble()?.status?.seen).toBe('two');
  });

  test('does not say that it waits before it has waited long', async () => {
    world = await createToyWorld({
      operator: { pendingAfterMs: 30_000, debounce: { quietMs: 100_000, maxMs: 100_000 } },
    });
    await world.apply(pebble({ value: 'one' }));
    await world.clock.advance(29_000);
    expect(world.ready()).toBeUndefined();
    await world.clock.advance(2000);
    expect(world.ready()).toMatchObject({ status: 'False', reason: 'Pending', message: 'waiting for Cloudflare' });
    await world.waitFor(world.isReady, 100_000);
  });

  test('that our schema does not accept is told which field is wrong, and keeps what it had', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(world.isReady);
    // A server with an older CRD lets through what ours would not.
    const stored = world.cluster.store.get(pebbleKind, ref);
    const draft = structuredClone(stored) as never as { spec: object; metadata: { generation: number } } & Parameters<
      typeof world.cluster.store.update
    >[1];
    draft.spec = { value: 7 };
    draft.metadata.generation = 2;
    world.cluster.store.update(pebbleKind, draft, stored?.metadata.resourceVersion ?? '');
    await world.waitFor(() => world.ready()?.status === 'False');
    expect(world.ready()?.reason).toBe('InvalidConfig');
    expect(world.ready()?.message).toContain('spec.value');
    expect(world.room.pebbles.get('default.a')?.value).toBe('one');
  });
});

describe('a reference', { timeout: 30_000 }, () => {
  test('that is missing is told at once, and followed as soon as it is there', async () => {
    world = await createToyWorld();
    await world.apply(pebble({ value: 'one', shelf: 'high' }));
    await world.waitFor(() => world.ready() !== undefined, 100);
    expect(world.ready()).toMatchObject({ status: 'False', reason: 'DependencyError', message: 'no Shelf high' });
    expect(world.pebble()?.metadata.finalizers).toBeUndefined();
    await world.apply(toy('Shelf', 'high', { room: 'attic' }));
    await world.waitFor(world.isReady);
    expect(world.room.pebbles.get('default.a')?.shelf).toBe('attic');
  });

  test('that changes is followed', async () => {
    world = await createToyWorld();
    await world.apply([toy('Shelf', 'high', { room: 'attic' }), pebble({ value: 'one', shelf: 'high' })]);
    await world.waitFor(world.isReady);
    await world.apply(toy('Shelf', 'high', { room: 'cellar' }));
    await world.waitFor(() => world.room.pebbles.get('default.a')?.shelf === 'cellar');
    expect(world.writeCounts()['pebbles/status']).toBe(1);
  });

  test('that goes away takes nothing with it', async () => {
    world = await createToyWorld();
    await world.apply([toy('Shelf', 'high', { room: 'attic' }), pebble({ value: 'one', shelf: 'high' })]);
    await world.waitFor(world.isReady);
    await world.delete(shelfKind, { name: 'high' });
    await world.waitFor(() => world.ready()?.status === 'False');
    await world.clock.advance(60_000);
    expect(world.room.pebbles.get('default.a')).toMatchObject({ value: 'one', shelf: 'attic' });
  });
});

describe('three replicas', { timeout: 30_000 }, () => {
  test('write what one would', async () => {
    world = await createToyWorld({ replicas: 3 });
    await world.apply(Array.from({ length: 20 }, (_, n) => pebble({ value: 'one' }, {}, `p${n}`)));
    await world.waitFor(() => world.list(pebbleKind).every((each) => world.ready(each)?.status === 'True'));
    await world.clock.advance(10_000);
    expect(world.writeCounts()).toEqual({
      pebbles: 20,
      cloudflaresyncstates: 20,
      'cloudflaresyncstates/status': 20,
      'pebbles/status': 20,
    });
    const busy = new Set(world.writes({ refused: true }).map(({ replica }) => replica));
    expect([...busy]).toEqual([world.leader()]);
  });

  test('that get in each other’s way try again in silence', async () => {
    const lines: unknown[] = [];
    const note = (...line: unknown[]): void => void lines.push(line);
    const log = { ...silentLog, warn: note, error: note, child: () => log } as Log;
    world = await createToyWorld({ replicas: 3, log, operator: { followerDelayMs: 0 } });
    await world.apply(Array.from({ length: 5 }, (_, n) => pebble({ value: 'one' }, {}, `p${n}`)));
    await world.waitFor(() => world.list(pebbleKind).every((each) => world.ready(each)?.status === 'True'));
    expect(world.writes({ refused: true }).length).toBeGreaterThan(world.writes().length);
    expect(lines).toEqual([]);
  });

  test('do what waited for a leader as soon as one of them leads', async () => {
    world = await createToyWorld({ replicas: 3, operator: { followerDelayMs: 600_000 } });
    world.kill(world.leader() ?? '');
    await world.apply(pebble({ value: 'one' }));
    await world.waitFor(() => world.ready()?.status === 'True', 60_000);
    expect(world.room.pebbles.size).toBe(1);
  });

  test('go on when the leader dies', async () => {
    world = await createToyWorld({ replicas: 3 });
    await world.apply(Array.from({ length: 10 }, (_, n) => pebble({ value: 'one' }, {}, `p${n}`)));
    await world.clock.advance(200);
    world.kill(world.leader() ?? '');
    await world.waitFor(() => world.list(pebbleKind).every((each) => world.ready(each)?.status === 'True'));
    expect(world.room.pebbles.size).toBe(10);
    expect(world.states()).toHaveLength(10);
  });
});

test('only the leader tells, and once', async () => {
  world = await createToyWorld({ replicas: 3 });
  await world.apply(pebble({ value: 'one', shelf: 'high' }));
  await world.waitFor(() => world.ready() !== undefined);
  await world.clock.advance(60_000);
  const events = world.list(eventKind) as readonly (KubeObject & {
    readonly reason?: string;
    readonly count?: number;
  })[];
  expect(events.map(({ reason, count }) => [reason, count])).toEqual([['DependencyError', 1]]);
});

describe('many objects of one remote thing', { timeout: 30_000 }, () => {
  const colours = (): readonly string[] => world.room.trees.get('oak') ?? [];
  const leafReady = (name: string) =>
    world.ready(world.get(leafKind, { namespace: 'default', name }))?.status === 'True';

  test('go together, and who leaves is let go when the remote side shows the rest alone', async () => {
    world = await createToyWorld();
    await world.apply(['a', 'b', 'c'].map((name) => leaf(name)));
    await world.waitFor(() => ['a', 'b', 'c'].every(leafReady));
    expect(colours()).toEqual(['a:green', 'b:green', 'c:green']);
    await world.delete(leafKind, { namespace: 'default', name: 'b' });
    await world.waitFor(() => world.get(leafKind, { namespace: 'default', name: 'b' }) === undefined);
    expect(colours()).toEqual(['a:green', 'c:green']);
    expect(world.states()).toHaveLength(1);
  });

  test("a change of one does not touch the others' status", async () => {
    world = await createToyWorld();
    await world.apply(['a', 'b', 'c'].map((name) => leaf(name)));
    await world.waitFor(() => ['a', 'b', 'c'].every(leafReady));
    await world.clock.advance(5000);
    world.clearCounts();
    await world.apply(leaf('b', 'red'));
    await world.waitFor(() => colours().includes('b:red'));
    await world.clock.advance(60_000);
    expect(world.writes({ resource: 'leaves/status' }).map(({ name }) => name)).toEqual(['b']);
  });
});
