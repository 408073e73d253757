// Pods of P that are not ours may hold ports of their node. V's scheduler must not give them away once more, so a guard holds them there: a pod
// that is bound to the virtual node and never runs. Keys are names of physical nodes.
import {
  createController,
  isAlreadyExists,
  isNotFound,
  namespaceKind,
  recheck,
  settled,
  toTimestamp,
  watch,
} from '@tributary/runtime';
import type { Change, Outcome, Runnable } from '@tributary/runtime';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { fakePodNamespace, labels, managedByValue } from '../contract/keys.ts';
import { vnodeName } from '../contract/names.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import { deletePod, isFakePod } from './empty-vnode.ts';
import { guards, takenPorts, toGuardPod } from './host-ports.ts';
import type { TakenPort } from './host-ports.ts';
import { occupantScopes, toNode } from './occupancy.ts';
import type { Occupancy } from './occupancy.ts';
import { physicalNodeOf } from './physical-node-of.ts';

export type HostPortDeps = Sides & { readonly occupancy: Occupancy };

const notReadyMs = 5000;
const debounce = { quietMs: 250, maxMs: 5000 };
const guardsByVnode = 'vnode/guards';

export function createHostPortController(sides: HostPortDeps): Runnable {
  const { virtual, physical, informers, occupancy } = sides;
  const { vnodes: scope, mounted } = toScopes(sides.binding());
  informers.virtual.pods.addIndex(guardsByVnode, (pod) => (isFakePod(pod) ? [pod.spec.nodeName ?? ''] : []));
  const reconcile = async (key: string, { signal }: { readonly signal: AbortSignal }): Promise<Outcome> => {
    if (!sides.ready()) return recheck(notReadyMs);
    const name = vnodeName(sides.binding().clusterId, key);
    const vnode = informers.virtual.vnodes.get({ name });
    const present = informers.virtual.pods.byIndex(guardsByVnode, name);
    const lent = vnode !== undefined && vnode.metadata.deletionTimestamp === undefined;
    const ports = lent ? takenPorts(occupancy.othersOn(key)) : [];
    const right = ports.length === 0 ? undefined : present.find((pod) => isAlive(pod) && guards(pod, ports));
    if (ports.length > 0 && !right) await createGuard(name, ports, sides, signal);
    for (const pod of present) if (pod !== right) await deletePod(pod, virtual.client, signal);
    return settled;
  };
  const toVnodeKeys = ({ spec }: Pod): readonly string[] => {
    const vnode = informers.virtual.vnodes.get({ name: spec.nodeName ?? '' });
    return vnode ? [physicalNodeOf(vnode)] : [];
  };
  const watches = [
    ...[...occupantScopes(sides.binding().mountNamespace), mounted].map((held) =>
      watch(podKind, { scope: held, when: takesPorts, toKeys: toNode }),
    ),
    watch(podKind, {
      cache: virtual.cache,
      when: ({ type, object }) => type === 'deleted' && isFakePod(object),
      toKeys: toVnodeKeys,
    }),
    watch(nodeKind, { cache: virtual.cache, scope, when: changesLife, toKeys: (vnode) => [physicalNodeOf(vnode)] }),
  ];
  return createController({ name: 'host-port', watches, reconcile, debounce }, physical);
}

async function createGuard(
  vnode: string,
  ports: readonly TakenPort[],
  { virtual, informers, clock }: Sides,
  signal: AbortSignal,
): Promise<void> {
  const { client } = virtual;
  const guard = toGuardPod(vnode, ports);
  const create = async (): Promise<Pod> => client.create(podKind, guard, { signal });
  const made = await create().catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    await ensureNamespace(virtual.client, signal);
    return create();
  });
  // The server chose the name, so only the cache can say that it is there: a second guard would be made otherwise.
  const { name = '', namespace } = made.metadata;
  await informers.virtual.pods.caughtUp(`${namespace}/${name}`, signal);
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: toTimestamp(clock.now()) };
  const patch = { type: 'strategic', body: { status: { conditions: [scheduled] } } } as const;
  await client.patchStatus(podKind, { namespace, name }, patch, { signal });
}

async function ensureNamespace(client: Sides['virtual']['client'], signal: AbortSignal): Promise<void> {
  const metadata = { name: fakePodNamespace, labels: { [labels.managedBy]: managedByValue } };
  try {
    await client.create(namespaceKind, { metadata }, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function isAlive({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}

function takesPorts({ type, object, old }: Change<Pod>): boolean {
  return (type !== 'updated' || object.spec.nodeName !== old.spec.nodeName) && takenPorts([object]).length > 0;
}

function changesLife({ type, object, old }: Change): boolean {
  return type !== 'updated' || object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
}
