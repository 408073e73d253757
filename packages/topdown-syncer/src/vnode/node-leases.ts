// Keeps virtual nodes alive in V, as kubelets do: one lease each. It is renewed while P answers and the node's kubelet is heard of there;
// otherwise it runs out, and V draws its own conclusions. Nothing is ever deleted for that.
import { isAlreadyExists, isNotFound, sleep } from '@tributary/runtime';
import type { Runnable } from '@tributary/runtime';
import { nodeKind, nodeLeaseKind } from '../contract/cluster-kinds.ts';
import type { Node, NodeLease } from '../contract/cluster-kinds.ts';
import type { Sides } from '../sides.ts';
import { physicalNodeOf } from './physical-node-of.ts';
import type { PhysicalPing } from './physical-ping.ts';

export type LeaseOptions = {
  /** From one renewal to the next; 10 s when absent. */
  readonly renewMs?: number;
  /** 40 s when absent. */
  readonly durationSeconds?: number;
  /** How many at once; 16 when absent. */
  readonly concurrency?: number;
};

export type LeaseDeps = Sides & { readonly ping: Pick<PhysicalPing, 'answers'> };

const leaseNamespace = 'kube-node-lease';
const defaults = { renewMs: 10_000, durationSeconds: 40, concurrency: 16 };
type Settings = typeof defaults;

export function createNodeLeases(options: LeaseOptions, sides: LeaseDeps): Runnable {
  const settings = { ...defaults, ...options };
  const physicalNodes = sides.physical.cache.informer(nodeKind);
  const isHeardOf = (vnode: Node): boolean => {
    const node = physicalNodes.get({ name: physicalNodeOf(vnode) });
    const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
    // A kubelet that says it is not ready is alive; one that nobody hears of is not.
    return ready !== undefined && ready.status !== 'Unknown';
  };
  return {
    name: 'node-leases',
    runs: 'leader',
    run: async (signal) => {
      while (!signal.aborted) {
        if (sides.ping.answers())
          await renewAll(sides.informers.virtual.vnodes.list().filter(isHeardOf), settings, sides, signal);
        await sleep(sides.clock, settings.renewMs, signal).catch(() => undefined);
      }
    },
  };
}

async function renewAll(
  vnodes: readonly Node[],
  settings: Settings,
  sides: LeaseDeps,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...vnodes];
  const work = async (): Promise<void> => {
    for (let vnode = waiting.pop(); vnode && !signal.aborted; vnode = waiting.pop()) {
      try {
        await renew(vnode, settings, sides, signal);
      } catch (error) {
        // The next renewal comes long before the lease runs out.
        if (!signal.aborted) sides.log.warn({ err: error, vnode: vnode.metadata.name }, 'a node lease was not renewed');
      }
    }
  };
  await Promise.all(Array.from({ length: settings.concurrency }, work));
}

async function renew(
  vnode: Node,
  settings: Settings,
  { virtual, clock }: LeaseDeps,
  signal: AbortSignal,
): Promise<void> {
  const { name = '', uid = '' } = vnode.metadata;
  const ref = { namespace: leaseNamespace, name };
  const options = { signal, timeoutMs: settings.renewMs };
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: settings.durationSeconds,
    renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
  };
  try {
    await virtual.client.patch(nodeLeaseKind, ref, { type: 'merge', body: { spec } }, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid };
    const lease: NodeLease = { metadata: { ...ref, ownerReferences: [owner] }, spec };
    await virtual.client.create(nodeLeaseKind, lease, options).catch((refusal: unknown) => {
      if (!isAlreadyExists(refusal)) throw refusal;
    });
  }
}
