import type { Clock, Connection, EventRecorder, Log } from '@tributary/runtime';
import type { Identity } from './contract/claim.ts';
import type { PhysicalName } from './contract/names.ts';
import type { NodeSelector } from './contract/node-selector.ts';
import type { Informers } from './informers.ts';

/** What the ClusterBinding says now. `clusterId` and `mountNamespace` never change while a process lives. */
export type BindingFacts = {
  readonly name: string;
  readonly uid: string;
  readonly clusterId: string;
  readonly mountNamespace: string;
  readonly nodeSelector: NodeSelector | undefined;
  readonly disableNodeDefaultTaint: boolean;
  readonly podPriorityClassName: string;
  readonly runningDaemonsetByDefault: boolean;
  readonly directScheduling: boolean;
  readonly deleting: boolean;
};

/** What the syncer counts about pods; the names are those of the original. */
export type PodCounters = {
  /** kubeocean_syncer_create_pod_total */
  readonly createPod: () => void;
  /** kubeocean_syncer_create_pod_errors_total */
  readonly createPodError: () => void;
  /** kubeocean_syncer_pod_created_total */
  readonly podCreated: () => void;
  /** kubeocean_syncer_pod_created_failed_total: once for each pod that was lost in P. */
  readonly podLost: () => void;
};

/**
 * The two clusters and what ties them together: what every part of the syncer is built on. Objects in P are created,
 * changed and deleted by `engine/` and `down/` alone, so that whose they are is asked in one place; V's pod status, virtual
 * nodes and the binding belong to `up/`, `vnode/` and `binding/`.
 */
export type Sides = {
  readonly virtual: Connection;
  readonly physical: Connection;
  readonly informers: Informers;
  readonly binding: () => BindingFacts;
  /** Whose objects are ours: the binding's cluster id and the UID of V's kube-system namespace. */
  readonly identity: Identity;
  readonly physicalName: PhysicalName;
  /** Events go to V, about V's objects. */
  readonly events: Pick<EventRecorder, 'record'>;
  readonly counters: PodCounters;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** All caches of both sides are complete and their watches live, and P answers: only then may anything be deleted. */
  readonly ready: () => boolean;
};
