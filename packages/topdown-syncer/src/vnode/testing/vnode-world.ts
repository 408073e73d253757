import type { Runnable } from '@tributary/runtime';
import { nodeKind, nodeLeaseKind } from '../../contract/cluster-kinds.ts';
import type { Node } from '../../contract/cluster-kinds.ts';
import { vnodeName } from '../../contract/names.ts';
import { resourceLeasingPolicyKind } from '../../contract/resource-leasing-policy.ts';
import type { ResourceLeasingPolicy } from '../../contract/resource-leasing-policy.ts';
import type { Sides } from '../../sides.ts';
import { bindingName, clusterId, createWorld } from '../../testing/world.ts';
import type { RunningSyncer, StartOptions, World, WorldOptions } from '../../testing/world.ts';
import { createVnodeParts } from '../create-vnode-parts.ts';
import { createPhysicalPing } from '../physical-ping.ts';
import type { VnodeOptions } from '../vnode-controller.ts';

export type VnodeWorld = World & {
  readonly syncer: RunningSyncer;
  /** Requests of the syncer, lists left out. */
  readonly virtualWrites: () => readonly string[];
  readonly physicalWrites: () => readonly string[];
  readonly forgetRequests: () => void;
  readonly lend: (name: string, spec?: Partial<ResourceLeasingPolicy['spec']>) => Promise<void>;
  /** The virtual node of a physical one, as the server has it. */
  readonly vnode: (physicalNode: string) => Node | undefined;
  readonly until: (condition: () => boolean) => Promise<void>;
};

export const vnodeOf = (physicalNode: string): string => vnodeName(clusterId, physicalNode);

/** The syncer's parts about virtual nodes, with a ping that counts for everything that may be deleted. */
export function vnodeRunnables(sides: Sides, options: VnodeOptions = {}): readonly Runnable[] {
  const ping = createPhysicalPing({}, sides);
  const gated = { ...sides, ping, ready: () => ping.answers() && sides.ready() };
  return [ping, ...createVnodeParts(options, gated).runnables];
}

export async function startVnodeWorld(
  options: Partial<WorldOptions> & { readonly vnode?: VnodeOptions; readonly start?: StartOptions } = {},
): Promise<VnodeWorld> {
  const world = await createWorld({ parts: (sides) => vnodeRunnables(sides, options.vnode), ...options });
  const logs = { virtual: { requests: [] as string[] }, physical: { requests: [] as string[] } };
  // Nodes must be there before the first look at them.
  await world.clock.advance(0);
  const syncer = await world.startSyncer({ virtualLog: logs.virtual, physicalLog: logs.physical, ...options.start });
  await world.clock.advance(0);
  return {
    ...world,
    syncer,
    virtualWrites: () => writesOf(logs.virtual),
    physicalWrites: () => writesOf(logs.physical),
    forgetRequests: () => {
      logs.virtual.requests.length = 0;
      logs.physical.requests.length = 0;
    },
    lend: async (name, spec = {}) => {
      await world.p.create(resourceLeasingPolicyKind, { metadata: { name }, spec: { cluster: bindingName, ...spec } });
    },
    vnode: (physicalNode) => world.virtual.store.get({ group: '', plural: 'nodes' }, { name: vnodeOf(physicalNode) }),
    until: async (condition) => world.clock.runUntil(condition, 120_000),
  };
}

/** What V's node lifecycle controller does with a node whose lease has run out. */
export async function judgeLeases({ v, clock }: Pick<World, 'v' | 'clock'>): Promise<void> {
  for (const { metadata, status } of (await v.list(nodeKind)).items) {
    const { name = '' } = metadata;
    const { items } = await v.list(nodeLeaseKind, { namespace: 'kube-node-lease' });
    const lease = items.find((found) => found.metadata.name === name);
    const ageMs = clock.now() - Date.parse(lease?.spec.renewTime ?? '1970-01-01T00:00:00Z');
    if (ageMs <= 40_000) continue;
    const conditions = (status?.conditions ?? []).map((one) => ({
      ...one,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    }));
    await v.patchStatus(nodeKind, { name }, { type: 'merge', body: { status: { conditions } } });
  }
}

function writesOf({ requests }: { readonly requests: readonly string[] }): readonly string[] {
  return requests.filter((request) => !request.startsWith('GET') && !request.endsWith(' leases'));
}
