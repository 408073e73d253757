import { describe, expect, test } from 'vitest';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { createSyncer } from '../syncer.ts';
import { find, podOf, web } from '../testing/objects.ts';
import { bindingName, createWorld, mountNamespace } from '../testing/world.ts';
import type { World, WorldOptions } from '../testing/world.ts';

// The syncer dies at every write that it makes for nodes, policies, statuses and the binding; another one takes over.

type CrashPoint = {
  readonly side: 'virtual' | 'physical';
  readonly at: 'before' | 'after' | 'answer-lost';
  readonly skip: number;
};

const points = (side: CrashPoint['side'], writes: number): readonly CrashPoint[] =>
  (['before', 'after', 'answer-lost'] as const).flatMap((at) =>
    Array.from({ length: writes }, (_, skip) => ({ side, at, skip })),
  );
const named = ({ side, at, skip }: CrashPoint): string =>
  `write ${skip + 1} in ${side === 'virtual' ? 'V' : 'P'} (${at})`;

/** Runs a syncer until it dies at that write, or until it has nothing left to write. */
async function dieAt(world: World, { side, at, skip }: CrashPoint, act: () => Promise<void>): Promise<void> {
  const userAgent = 'doomed';
  const doomed = await world.startSyncer({ userAgent });
  await world.clock.advance(0);
  world[side].faults.add({ match: { verb: 'write', userAgent }, fault: { kind: 'crash', at }, skip, times: 1 });
  await act();
  await world.clock.runUntil(() => world[side].faults.isCrashed(userAgent), 30_000).catch(() => undefined);
  for (const cluster of [world.virtual, world.physical]) cluster.faults.crash(userAgent);
  await doomed.stop();
}

const lend = async ({ p }: World): Promise<void> =>
  void (await p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: bindingName } }));

async function runPod({ v, clock }: World): Promise<void> {
  for (const { metadata } of (await v.list(nodeKind)).items) {
    const patch = { type: 'merge', body: { spec: { taints: [] } } } as const;
    await v.patch(nodeKind, { name: metadata.name ?? '' }, patch);
  }
  await v.create(podKind, podOf());
  await clock.advance(20_000);
}

async function expectClean({ v, p }: World): Promise<void> {
  expect(await find(v, clusterBindingKind, { name: bindingName })).toBeUndefined();
  expect((await v.list(nodeKind)).items).toEqual([]);
  expect((await v.list(podKind)).items).toEqual([]);
  expect((await p.list(podKind, { namespace: mountNamespace })).items).toEqual([]);
  expect((await p.get(resourceLeasingPolicyKind, { name: 'all' })).metadata.finalizers ?? []).toEqual([]);
  for (const { metadata } of (await p.list(nodeKind)).items) {
    expect(metadata.labels).not.toHaveProperty('kubeocean.io/policy-applied');
  }
}

const syncerParts: WorldOptions['parts'] = (sides, options, start) => createSyncer(options, start, sides).runnables;
const binding = { disableNodeDefaultTaint: true };

describe('a syncer that dies while nodes are made', () => {
  for (const point of [...points('virtual', 4), ...points('physical', 4)]) {
    test(`at ${named(point)}: the next one has one virtual node for each, and a pod runs`, async () => {
      const world = await createWorld({ parts: syncerParts, binding });
      await dieAt(world, point, async () => lend(world));
      await world.startSyncer({ userAgent: 'heir' });
      await world.clock.advance(20_000);
      expect((await world.v.list(nodeKind)).items.map(({ metadata }) => metadata.name)).toEqual([
        'vnode-cls-worker1-node-1',
        'vnode-cls-worker1-node-2',
      ]);
      await runPod(world);
      expect((await world.v.get(podKind, web)).status?.phase).toBe('Running');
      await world.end();
    });
  }
});

describe('a syncer that dies while its binding is deleted', () => {
  for (const point of [...points('virtual', 8), ...points('physical', 4)]) {
    test(`at ${named(point)}: the next one leaves both sides clean`, async () => {
      const world = await createWorld({ parts: syncerParts, binding });
      await lend(world);
      const first = await world.startSyncer({ userAgent: 'first' });
      await world.clock.advance(20_000);
      await runPod(world);
      await first.stop();
      await dieAt(world, point, async () => void (await world.v.delete(clusterBindingKind, { name: bindingName })));
      if (await find(world.v, clusterBindingKind, { name: bindingName })) {
        await world.startSyncer({ userAgent: 'heir' });
        await world.clock.advance(60_000);
      }
      await expectClean(world);
      await world.end();
    });
  }
});
