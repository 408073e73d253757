import { getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject, ObjectRef } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../testing/world.ts';
import type { World, WorldOptions } from '../../../testing/world.ts';
import { sourceId } from '../../l4-state/source.ts';
import { syncStateKind } from '../../l4-state/sync-state.ts';

/**
 * What every kind must do, in a whole world: embedded API server, simulated Cloudflare, all layers. In
 * `kinds/<kind>/contribute.test.ts`:
 *
 *     describeKind('a virtual network', {
 *       kind: virtualNetworkKind,
 *       object: () => ({ apiVersion: …, kind: 'VirtualNetwork', metadata: { name: 'office' }, spec: { cloudflare: {} } }),
 *       change: () => ({ spec: { comment: 'changed' } }),
 *     });
 *
 * Default credentials are there. Further objects that it needs come from `prepare`.
 */
export type KindCase = {
  readonly kind: Kind<KubeObject>;
  readonly world?: WorldOptions;
  readonly prepare?: (world: World) => Promise<void>;
  readonly object: (world: World) => KubeObject;
  /** Fields to merge into the object, so that something else is wanted. */
  readonly change: (world: World) => object;
  /** What it refers to, as `prepare` made it. Its deletion must not need them. */
  readonly references?: readonly { readonly kind: Kind<KubeObject>; readonly ref: ObjectRef }[];
  /** True: nothing of it is ever written at Cloudflare, it is only looked at. */
  readonly readOnly?: boolean;
  /** Whether all is as the object says in this generation, for kinds without a Ready condition. */
  readonly isReady?: (world: World, generation: number) => boolean;
  /** Writes from its creation to Ready, of itself, its SyncStates and its children; four when absent. */
  readonly writes?: number;
};

export function describeKind(name: string, kit: KindCase): void {
  const writes = kit.writes ?? 4;
  describe(`kind: ${name}`, { timeout: 60_000 }, () => {
    test(`becomes ready with ${writes} writes, and then there is silence, also after a restart`, async () =>
      inWorld(kit, {}, async (world) => expectSilenceAfter(writes, kit, world)));

    test('three replicas write no more than one', async () =>
      inWorld(kit, { replicas: 3 }, async (world) => {
        await makeReady(kit, world);
        await world.clock.advance(10_000);
        expect(world.writes()).toHaveLength(writes);
      }));

    test('a change is followed, and said to be', async () =>
      inWorld(kit, {}, async (world) => expectChangeFollowed(kit, world)));

    test.each(['what it refers to', 'the object'] as const)(
      'goes, with all that it asked for, when %s is deleted first',
      async (first) => inWorld(kit, {}, async (world) => expectGone(first, kit, world)),
    );

    test('leaves the remote side alone when it is to be orphaned', async () =>
      inWorld(kit, {}, async (world) => expectOrphaned(kit, world)));
  });
}

async function expectSilenceAfter(writes: number, kit: KindCase, world: World): Promise<void> {
  await makeReady(kit, world);
  expect(world.writes()).toHaveLength(writes);
  await expectSilence(world, 10 * 60_000);
  await world.stopReplica('replica-1');
  world.clearCounts();
  world.start('replica-1');
  await world.waitFor(() => world.leader() === 'replica-1');
  await expectSilence(world, 60_000);
}

async function expectChangeFollowed(kit: KindCase, world: World): Promise<void> {
  await makeReady(kit, world);
  const before = world.sim.journal.count({ write: true });
  await world.apply({ ...kit.object(world), ...kit.change(world) });
  await world.waitFor(isReady(kit, world, 2));
  // Kinds without conditions have no place for it.
  expect(kit.isReady ? 2 : statusOf(kit, world)?.observedGeneration).toBe(2);
  expect(world.sim.journal.count({ write: true }) > before).toBe(!kit.readOnly);
}

async function expectGone(first: 'what it refers to' | 'the object', kit: KindCase, world: World): Promise<void> {
  await makeReady(kit, world);
  if (first === 'what it refers to') await deleteReferences(kit, world);
  await world.delete(kit.kind, refOf(kit, world));
  if (first === 'the object') await deleteReferences(kit, world);
  await world.waitFor(() => world.get(kit.kind, refOf(kit, world)) === undefined);
  expect(sourcesOf(kit, world)).toEqual([]);
}

async function expectOrphaned(kit: KindCase, world: World): Promise<void> {
  await makeReady(kit, world);
  const { metadata } = kit.object(world);
  const annotations = { 'cloudflare-operator.io/deletion-policy': 'Orphan' };
  await world.apply({ ...kit.object(world), metadata: { ...metadata, annotations } });
  world.sim.journal.clear();
  await world.delete(kit.kind, refOf(kit, world));
  await world.waitFor(() => world.get(kit.kind, refOf(kit, world)) === undefined);
  await world.clock.advance(60_000);
  expect(world.sim.journal.calls({ write: true })).toEqual([]);
  expect(sourcesOf(kit, world)).toEqual([]);
}

async function makeReady(kit: KindCase, world: World): Promise<void> {
  await world.apply(kit.object(world));
  await world.waitFor(isReady(kit, world));
  // What is seen at Cloudflare is not yet written down here.
  if (kit.isReady) await world.clock.advance(5000);
}

async function inWorld(kit: KindCase, options: WorldOptions, run: (world: World) => Promise<void>): Promise<void> {
  const world = await createWorld({ ...kit.world, ...options });
  try {
    await world.applyCredentials();
    await kit.prepare?.(world);
    // What was there before is in order before the counting begins.
    await world.waitFor(() => world.leader() !== undefined);
    await world.clock.advance(20_000);
    world.clearCounts();
    await run(world);
  } finally {
    await world.stop();
  }
}

async function expectSilence(world: World, ms: number): Promise<void> {
  world.clearCounts();
  await world.clock.advance(ms);
  expect(world.writes()).toEqual([]);
  expect(world.sim.journal.calls()).toEqual([]);
}

async function deleteReferences({ references = [] }: KindCase, world: World): Promise<void> {
  for (const { kind, ref } of references) await world.delete(kind, ref);
}

function refOf(kit: KindCase, world: World): ObjectRef {
  const { name = '', namespace } = kit.object(world).metadata;
  return kit.kind.scope === 'Namespaced' ? { namespace: namespace ?? 'default', name } : { name };
}

type WithStatus = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
};

function isReady(kit: KindCase, world: World, generation = 1): () => boolean {
  const { isReady: isAsWanted } = kit;
  if (isAsWanted) return () => isAsWanted(world, generation);
  return () => {
    const ready = getCondition(statusOf(kit, world)?.conditions, 'Ready');
    return ready?.status === 'True' && (ready.observedGeneration ?? 0) >= generation;
  };
}

function statusOf(kit: KindCase, world: World): WithStatus['status'] {
  const object: WithStatus | undefined = world.get(kit.kind, refOf(kit, world));
  return object?.status;
}

/** The SyncStates that still know the object, but for what it has left in one that others share. */
function sourcesOf(kit: KindCase, world: World): readonly string[] {
  const id = sourceId({ kind: kit.kind.kind, ...refOf(kit, world) });
  return world
    .list(syncStateKind)
    .filter(({ spec }) => (spec.sources ?? []).some(({ ref, orphaned }) => sourceId(ref) === id && !orphaned))
    .map(({ metadata }) => metadata.name ?? '');
}
