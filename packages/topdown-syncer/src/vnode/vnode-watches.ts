import { watch } from '@tributary/runtime';
import type { Change, Watch } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { nodeKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import { occupantScopes, toNode } from './occupancy.ts';
import { physicalNodeOf } from './physical-node-of.ts';

/** Everything that a virtual node depends on, as names of physical nodes. */
export function vnodeWatches(sides: Sides): readonly Watch[] {
  const { virtual, informers, identity } = sides;
  const scopes = toScopes(sides.binding());
  const nodes = sides.physical.cache.informer(nodeKind);
  const allNodes = (): readonly string[] => [
    ...new Set([
      ...nodes.list().map(({ metadata }) => metadata.name ?? ''),
      ...informers.virtual.vnodes.list().map(physicalNodeOf),
    ]),
  ];
  const toVnode = (pod: Pod): Node | undefined => informers.virtual.vnodes.get({ name: pod.spec.nodeName ?? '' });
  return [
    watch(nodeKind),
    watch(nodeKind, { cache: virtual.cache, scope: scopes.vnodes, toKeys: (vnode) => [physicalNodeOf(vnode)] }),
    ...occupantScopes(sides.binding().mountNamespace).map((scope) =>
      watch(podKind, { scope, when: changesRequests, toKeys: toNode }),
    ),
    watch(podKind, {
      scope: scopes.mounted,
      when: (change) => claimOf(change.object, identity).of !== 'us' && changesRequests(change),
      toKeys: toNode,
    }),
    watch(resourceLeasingPolicyKind, { when: asksForMore, toKeys: allNodes }),
    watch(clusterBindingKind, { cache: virtual.cache, scope: scopes.binding, when: asksForMore, toKeys: allNodes }),
    // A virtual node that is being emptied waits for its pods to go.
    watch(podKind, {
      cache: virtual.cache,
      when: ({ type, object }) =>
        (type === 'deleted' || isFinished(object)) && toVnode(object)?.metadata.deletionTimestamp !== undefined,
      toKeys: (pod) => {
        const vnode = toVnode(pod);
        return vnode ? [physicalNodeOf(vnode)] : [];
      },
    }),
  ];
}

/** A pod's status says nothing about what it takes of its node, but for its end. */
function changesRequests({ type, object, old }: Change<Pod>): boolean {
  if (type !== 'updated') return true;
  return (
    object.spec.nodeName !== old.spec.nodeName ||
    object.metadata.generation !== old.metadata.generation ||
    isFinished(object) !== isFinished(old)
  );
}

function asksForMore({ type, object, old }: Change): boolean {
  if (type !== 'updated') return true;
  const [next, before] = [object.metadata, old.metadata];
  return next.generation !== before.generation || next.deletionTimestamp !== before.deletionTimestamp;
}
