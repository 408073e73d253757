// One virtual node for each physical one that is lent out. Keys are names of physical nodes. Nothing is written while P does not answer or a
// cache is incomplete: what is known then may be old, and V must see that nobody knows.
import { createController, isAlreadyExists, recheck, settled, toTimestamp } from '@tributary/runtime';
import type { Informer, Outcome, ReconcileContext, Runnable } from '@tributary/runtime';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { nodeKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { labels, taints } from '../contract/keys.ts';
import { vnodeName } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import type { Sides } from '../sides.ts';
import { createRefusedWrites } from '../up/refused-writes.ts';
import type { RefusedWrites } from '../up/refused-writes.ts';
import { choosePolicy } from './choose-policy.ts';
import { deletePod, emptyVnode, isFakePod } from './empty-vnode.ts';
import { leasedResources, nodeOffer } from './leased-resources.ts';
import { requestsOf } from './occupancy.ts';
import type { Occupancy } from './occupancy.ts';
import { markPhysicalNode } from './policy-label.ts';
import { proxierPort } from './proxier-port.ts';
import { writeResources } from './resource-list.ts';
import { toNewVnode, vnodeChanges } from './vnode-changes.ts';
import { judgeVnode } from './vnode-fate.ts';
import { vnodeWatches } from './vnode-watches.ts';
import { toWantedVnode } from './wanted-vnode.ts';
import type { WantedVnode } from './wanted-vnode.ts';
import { judgeWindow } from './window-taint.ts';
import type { WindowVerdict } from './window-taint.ts';

export type VnodeOptions = {
  /** The zone that the windows of policies are in; UTC when absent. */
  readonly timeZone?: string;
  /** Where logs and shells of virtual nodes are served, if somebody serves them. */
  readonly nodeAddress?: string;
  readonly prometheusPort?: number;
  /** Pods come and go in crowds; their node is written once they have settled. */
  readonly debounce?: { readonly quietMs: number; readonly maxMs: number };
};

export type VnodeDeps = Sides & { readonly occupancy: Occupancy };

const defaults = { timeZone: 'UTC', prometheusPort: 9006, debounce: { quietMs: 250, maxMs: 5000 } };
const notReadyMs = 5000;
const podsByVnode = 'vnode/pods';

type World = VnodeDeps & {
  readonly settings: VnodeOptions & typeof defaults;
  readonly nodes: Informer<Node>;
  readonly policies: Informer<ResourceLeasingPolicy>;
  readonly refused: RefusedWrites;
};

export function createVnodeController(options: VnodeOptions, sides: VnodeDeps): Runnable {
  const settings = { ...defaults, ...options };
  const nodes = sides.physical.cache.informer(nodeKind);
  const policies = sides.physical.cache.informer(resourceLeasingPolicyKind);
  sides.informers.virtual.pods.addIndex(podsByVnode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  const world: World = { ...sides, settings, nodes, policies, refused: createRefusedWrites() };
  return createController(
    {
      name: 'vnode',
      watches: vnodeWatches(sides),
      reconcile: async (key, context) => reconcileNode(key, world, context),
      concurrency: 8,
      debounce: settings.debounce,
    },
    sides.physical,
  );
}

async function reconcileNode(key: string, world: World, { signal, log }: ReconcileContext): Promise<Outcome> {
  const { informers, virtual, clock } = world;
  const binding = world.binding();
  const name = vnodeName(binding.clusterId, key);
  await informers.virtual.vnodes.caughtUp(name, signal);
  if (!world.ready()) return recheck(notReadyMs);
  // A binding that vanished without its deletion having been seen through asks for nothing: neither for nodes nor for their end.
  if (!informers.virtual.bindings.get({ name: binding.name })) return settled;
  const node = world.nodes.get({ name: key });
  const vnode = informers.virtual.vnodes.get({ name });
  const policy = node && choosePolicy(world.policies.list(), node, binding.name);
  const fate = judgeVnode({ node, vnode, policy, binding });
  switch (fate.kind) {
    case 'none':
      world.refused.forget(key);
      return settled;
    case 'give-up': {
      log.info({ vnode: name, why: fate.why }, 'giving a virtual node up');
      if (node) await markPhysicalNode(node, undefined, world.policies.list(), world, signal);
      const graceMs = node ? (policy?.spec.gracefulReclaimPeriodSeconds ?? 0) * 1000 : 0;
      const pods = podsOn(name, world);
      return emptyVnode({ vnode: fate.vnode, pods, graceMs, nowMs: clock.now() }, virtual.client, signal);
    }
    case 'keep':
      return keepVnode(name, fate.node, fate.policy, vnode, { world, signal });
    default:
      return fate satisfies never;
  }
}

type Run = { readonly world: World; readonly signal: AbortSignal };

async function keepVnode(
  name: string,
  node: Node,
  policy: ResourceLeasingPolicy,
  vnode: Node | undefined,
  { world, signal }: Run,
): Promise<Outcome> {
  const { clock, settings } = world;
  const window = judgeWindow(policy, vnode?.spec?.taints ?? [], clock.now(), settings.timeZone);
  const wanted = wish(name, node, policy, vnode, window, world);
  if (!vnode) await createVnode(wanted, { world, signal });
  else await updateVnode(node.metadata.name ?? '', vnode, wanted, { world, signal });
  await markPhysicalNode(node, policy, world.policies.list(), world, signal);
  if (window.reclaim) {
    for (const pod of podsOn(name, world).filter(isReclaimed)) await deletePod(pod, world.virtual.client, signal);
  }
  return window.nextMs === undefined ? settled : recheck(Math.max(window.nextMs - clock.now(), 0));
}

function wish(
  name: string,
  node: Node,
  policy: ResourceLeasingPolicy,
  vnode: Node | undefined,
  window: WindowVerdict,
  world: World,
): WantedVnode {
  const { settings, occupancy, informers } = world;
  const taken = requestsOf(occupancy.othersOn(node.metadata.name ?? ''));
  const leased = leasedResources(nodeOffer(node.status ?? {}), taken, policy.spec.resourceLimits ?? []);
  const known = Number(vnode?.metadata.labels?.[labels.proxierPort] ?? 0);
  // Whoever serves a node already put its address there.
  const served = vnode?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  return toWantedVnode({
    name,
    node,
    policy,
    binding: world.binding(),
    resources: writeResources(leased),
    window: window.taint,
    port: known > 0 ? known : proxierPort(name, takenPorts(informers.virtual.vnodes.list())),
    address: settings.nodeAddress ?? served,
    prometheusPort: settings.prometheusPort,
  });
}

function takenPorts(vnodes: readonly Node[]): ReadonlySet<number> {
  return new Set(vnodes.map(({ metadata }) => Number(metadata.labels?.[labels.proxierPort])));
}

async function createVnode(wanted: WantedVnode, { world, signal }: Run): Promise<void> {
  const { virtual, clock, events, informers } = world;
  try {
    await virtual.client.create(nodeKind, toNewVnode(wanted, toTimestamp(clock.now())), { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // Not one of ours, or the cache would show it: it is left alone, and the binding says so.
    const binding = informers.virtual.bindings.get({ name: world.binding().name });
    const message = `a node ${wanted.name} that is no virtual node of this binding is in the way`;
    if (binding) events.record(clusterBindingKind, binding, { type: 'Warning', reason: 'NodeNameTaken', message });
    throw error;
  }
}

async function updateVnode(key: string, vnode: Node, wanted: WantedVnode, { world, signal }: Run): Promise<void> {
  const now = toTimestamp(world.clock.now());
  const changes = vnodeChanges(vnode, wanted, now);
  if (!changes || world.refused.isRefused(key, withoutTime(vnode, wanted))) return;
  const { client } = world.virtual;
  const ref = { name: wanted.name };
  let last = vnode;
  // Guarded by the version that was read: V's own controllers write taints and conditions, too.
  const guarded = (patch: Readonly<Record<string, unknown>>) => ({
    type: 'merge' as const,
    body: { ...patch, metadata: { ...(patch['metadata'] as object), resourceVersion: last.metadata.resourceVersion } },
  });
  if (changes.spec) last = await client.patch(nodeKind, ref, guarded(changes.spec), { signal });
  if (changes.status) last = await client.patchStatus(nodeKind, ref, guarded(changes.status), { signal });
  world.refused.learn(key, withoutTime(last, wanted));
}

/** The same changes at any time of the day. */
function withoutTime(vnode: Node, wanted: WantedVnode): unknown {
  return vnodeChanges(vnode, wanted, '');
}

function podsOn(vnode: string, { informers }: World): readonly Pod[] {
  return informers.virtual.pods.byIndex(podsByVnode, vnode);
}

/** Who tolerates the closed window stays, whatever else the toleration says. */
function isReclaimed(pod: Pod): boolean {
  return !isFakePod(pod) && !(pod.spec.tolerations ?? []).some(({ key }) => key === taints.outOfTimeWindows);
}
