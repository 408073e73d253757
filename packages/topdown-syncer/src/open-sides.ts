import { createEventRecorder, isNotFound, namespaceKind, OperatorError } from '@tributary/runtime';
import type { Connection, EventRecorder, KubeClient } from '@tributary/runtime';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import type { ClusterBinding } from './contract/cluster-binding.ts';
import { priorityClass } from './contract/keys.ts';
import { createPhysicalName } from './contract/names.ts';
import { openInformers, toScopes } from './informers.ts';
import type { BindingFacts, PodCounters, Sides } from './sides.ts';
import type { SyncerOptions } from './syncer-options.ts';

export type SidesDeps = {
  readonly virtual: Connection;
  readonly physical: Connection;
  readonly counters?: PodCounters;
  /** Whether P answers at this moment; taken for granted when absent. */
  readonly physicalAnswers?: () => boolean;
  /** Which process this is, for events. */
  readonly instance?: string;
};

/** What is read before anything starts, and never changes. */
export type SyncerStart = { readonly binding: ClusterBinding; readonly virtualCluster: string };

export type OpenSides = Sides & { readonly events: EventRecorder };

const noCounters: PodCounters = {
  createPod: () => undefined,
  createPodError: () => undefined,
  podCreated: () => undefined,
  podLost: () => undefined,
};

/** The binding, and the UID of kube-system, by which a cluster is known. */
export async function readStart(client: Pick<KubeClient, 'get'>, bindingName: string): Promise<SyncerStart> {
  const binding = await client.get(clusterBindingKind, { name: bindingName }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    const message = `ClusterBinding ${bindingName} is not there: --cluster-binding-name names another, or its CRD is not installed`;
    throw new OperatorError('syncer/bad-binding', message, { kind: 'never' }, { cause: error });
  });
  checkFacts(toBindingFacts(binding));
  const { metadata } = await client.get(namespaceKind, { name: 'kube-system' });
  return { binding, virtualCluster: metadata.uid ?? '' };
}

/** Opens the caches that all parts share. */
export function openSides(options: SyncerOptions, start: SyncerStart, deps: SidesDeps): OpenSides {
  const { virtual, physical, counters = noCounters, physicalAnswers = () => true } = deps;
  const name = options.clusterBindingName;
  const facts = toBindingFacts(start.binding);
  const informers = openInformers(toScopes(facts), { virtual, physical });
  const { clock, random, log } = virtual;
  return {
    virtual,
    physical,
    informers,
    binding: () => {
      const { clusterId, mountNamespace } = facts;
      const now = informers.virtual.bindings.get({ name });
      // What names and marks are made of stays as it was read: an edited binding must not strand what is there.
      return now ? { ...toBindingFacts(now), clusterId, mountNamespace } : facts;
    },
    identity: { clusterId: facts.clusterId, virtualCluster: start.virtualCluster },
    physicalName: createPhysicalName(options.nameSalt),
    events: createEventRecorder(
      { component: `kubeocean-syncer-${name}`, instance: deps.instance ?? `kubeocean-syncer-${name}` },
      { client: virtual.client, clock, random, log },
    ),
    counters,
    clock,
    random,
    log,
    ready: () => physicalAnswers() && isComplete(virtual) && isComplete(physical),
  };
}

function isComplete({ cache }: Pick<Connection, 'cache'>): boolean {
  return cache.hasSynced() && cache.unhealthy().length === 0;
}

function toBindingFacts({ metadata, spec }: ClusterBinding): BindingFacts {
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    clusterId: spec.clusterID,
    mountNamespace: spec.mountNamespace ?? '',
    nodeSelector: spec.nodeSelector,
    disableNodeDefaultTaint: spec.disableNodeDefaultTaint ?? false,
    podPriorityClassName: spec.podPriorityClassName || priorityClass.name,
    runningDaemonsetByDefault: spec.runningDaemonsetByDefault ?? false,
    directScheduling: spec.directScheduling ?? false,
    deleting: metadata.deletionTimestamp !== undefined,
  };
}

function checkFacts({ name, clusterId, mountNamespace }: BindingFacts): void {
  if (clusterId !== '' && mountNamespace !== '') return;
  const missing = clusterId === '' ? 'spec.clusterID' : 'spec.mountNamespace';
  throw new OperatorError('syncer/bad-binding', `ClusterBinding ${name} has no ${missing}`, { kind: 'never' });
}
