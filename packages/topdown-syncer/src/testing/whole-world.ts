import type { Runnable } from '@tributary/runtime';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import type { OpenSides, SyncerStart } from '../open-sides.ts';
import type { SyncerOptions } from '../syncer-options.ts';
import { createSyncer } from '../syncer.ts';
import { bindingName, createWorld } from './world.ts';
import type { World, WorldOptions } from './world.ts';

export type WholeWorld = World & {
  /** Waits for the virtual nodes and opens them to pods, as V's node lifecycle controller does. */
  readonly openNodes: () => Promise<void>;
};

/** A world whose syncers have all their parts, and whose physical cluster lends out everything. */
export async function createWholeWorld(options: Partial<WorldOptions> = {}): Promise<WholeWorld> {
  const world = await createWorld({
    parts: allParts,
    ...options,
    binding: { disableNodeDefaultTaint: true, ...options.binding },
  });
  await world.p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: bindingName } });
  return {
    ...world,
    openNodes: async () => {
      await world.clock.advance(10_000);
      for (const { metadata, spec } of (await world.v.list(nodeKind)).items) {
        const taints = (spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/not-ready');
        await world.v.patch(nodeKind, { name: metadata.name ?? '' }, { type: 'merge', body: { spec: { taints } } });
      }
    },
  };
}

function allParts(sides: OpenSides, options: SyncerOptions, start: SyncerStart): readonly Runnable[] {
  return createSyncer(options, start, sides).runnables;
}
