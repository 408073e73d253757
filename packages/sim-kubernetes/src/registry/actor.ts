import type { Clock } from '@tributary/runtime/clock';
import type { HookContext } from './resource-type.ts';
import type { Registry } from './registry.ts';
import type { RestClient } from '../rest/rest-client.ts';
import type { Store } from '../storage/store.ts';

/** What runs beside the API server on the same clock: garbage collection, namespace deletion, scheduler, kubelet. */
export type Actor = {
  readonly name: string;
  /** The program that it stands for: the manager of the fields that it writes. Absent: kube-controller-manager. */
  readonly program?: string;
  /** Starts at once; the returned function stops it. All time goes through the clock, all writes through the client. */
  readonly start: (context: ActorContext) => () => void;
};

export type ActorContext = {
  readonly store: Store;
  readonly registry: Registry;
  readonly client: RestClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: HookContext;
};
