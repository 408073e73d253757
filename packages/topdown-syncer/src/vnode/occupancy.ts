// What of each physical node is taken by pods that are not ours: of P's own workloads, and of other virtual clusters.
import type { Informer, InformerScope } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { managedByLabel, managedByValue } from '../contract/keys.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';
import { podRequests } from './pod-requests.ts';
import { sumResources } from './resource-list.ts';
import type { Resources } from './resource-list.ts';

export type Occupancy = {
  /** Pods of others on a node, those that have ended left out. */
  readonly othersOn: (node: string) => readonly Pod[];
  /** Our pods on a node, those that have ended left out. */
  readonly oursOn: (node: string) => readonly Pod[];
};

/** Two caches for the pods of others, so that our own pods are not held twice. */
export function occupantScopes(mountNamespace: string): readonly [InformerScope, InformerScope] {
  const alive = 'status.phase!=Succeeded,status.phase!=Failed';
  return [
    { labelSelector: `${managedByLabel}!=${managedByValue}`, fieldSelector: alive },
    {
      labelSelector: `${managedByLabel}=${managedByValue}`,
      fieldSelector: `metadata.namespace!=${mountNamespace},${alive}`,
    },
  ];
}

const byNode = 'vnode/node';

export function openOccupancy(sides: Sides): Occupancy {
  const scopes = occupantScopes(sides.binding().mountNamespace);
  const others = scopes.map((scope) => sides.physical.cache.informer(podKind, scope));
  const mounted = sides.informers.physical.pods;
  for (const informer of [...others, mounted]) informer.addIndex(byNode, toNode);
  const isOurs = (pod: Pod): boolean => claimOf(pod, sides.identity).of === 'us';
  return {
    othersOn: (node) => [
      ...others.flatMap((informer) => aliveOn(informer, node)),
      ...aliveOn(mounted, node).filter((pod) => !isOurs(pod)),
    ],
    oursOn: (node) => aliveOn(mounted, node).filter(isOurs),
  };
}

export function requestsOf(pods: readonly Pod[]): Resources {
  return sumResources(pods.map(({ spec }) => podRequests(spec)));
}

function aliveOn(informer: Informer<Pod>, node: string): readonly Pod[] {
  return informer.byIndex(byNode, node).filter((pod) => !isFinished(pod));
}

/** The node of a pod, as a key; none before it has one. */
export function toNode({ spec }: Pod): readonly string[] {
  return spec.nodeName ? [spec.nodeName] : [];
}
