import { createController, createEventRecorder } from '@tributary/runtime';
import type { Connection, Fence, Metrics, Runnable } from '@tributary/runtime';
import { idOf } from './eip/eip-world.ts';
import { byAllocationId, byUid, createEipReconcile } from './eip/reconcile-eip.ts';
import { eipKind } from './eip/resource.ts';
import type { EipObject } from './eip/resource.ts';
import { eipWatches } from './eip/wake.ts';
import { createEipCalls } from './provider/eip-calls.ts';
import { createVpcApi } from './provider/create-vpc-api.ts';
import { createEipObserver } from './provider/observer.ts';
import type { VpcLimits } from './provider/pace.ts';
import { createVpcMetrics } from './provider/vpc-metrics.ts';
import type { VpcSend } from './provider/vpc-send.ts';

export type EipOperatorOptions = {
  readonly regionId: string;
  /** Marks the addresses of this cluster; no two clusters of one account may share it. */
  readonly clusterId: string;
  /** How often every address is looked at; 5 min when absent. */
  readonly syncPeriodMs?: number;
  /** Objects at once; 8 when absent. */
  readonly maxConcurrentReconciles?: number;
  /** Write the id of an allocated address into `spec.allocationID` too; true when absent. */
  readonly writeSpecAllocationID?: boolean;
  /** Who reports events: the pod's name. */
  readonly instance?: string;
  /** Calls a minute that this account may make, where it may make more or fewer than usual. */
  readonly limits?: Partial<VpcLimits>;
};

export type EipOperatorDeps = {
  readonly connection: Connection;
  /** How requests get to the provider: the SDK, or a simulator in process. */
  readonly send: VpcSend;
  /** Of the leader, where there may be two; writes to the provider pass it too. */
  readonly fence?: Fence;
  readonly metrics?: Metrics;
};

/** From half a minute, doubling, to a quarter of an hour; spread a little. */
const backoff = { baseMs: 30_000, maxMs: 900_000, jitter: 0.2 };

/** The whole operator, as parts for a manager. */
export function createEipOperator(options: EipOperatorOptions, deps: EipOperatorDeps): readonly Runnable[] {
  const { connection, send, fence, metrics } = deps;
  const { regionId, clusterId, syncPeriodMs = 300_000, maxConcurrentReconciles = 8 } = options;
  const { client, cache, clock, random } = connection;
  const log = connection.log.child({ operator: 'alibaba-eip' });
  const onCall = metrics && createVpcMetrics(metrics.registry);
  const api = createVpcApi(
    { ...(options.limits && { limits: options.limits }) },
    { send, clock, random, fence, onCall },
  );
  const calls = createEipCalls({ regionId }, api);
  const informer = cache.informer<EipObject>(eipKind);
  informer.addIndex(byAllocationId, (object) => [idOf(object) ?? ''].filter((id) => id !== ''));
  informer.addIndex(byUid, ({ metadata }) => [metadata.uid ?? '']);
  const wantedIds = (): ReadonlySet<string> => new Set(informer.list().flatMap((object) => idOf(object) ?? []));
  const isAlive = (uid: string): boolean => informer.byIndex(byUid, uid).length > 0;
  const observer = createEipObserver(
    { clusterId, periodMs: syncPeriodMs },
    { calls, clock, random, log, wantedIds, isAlive },
  );
  const events = createEventRecorder(
    { component: 'eip-controller', instance: options.instance ?? 'eip-operator' },
    { client, clock, random, log },
  );
  const settings = { regionId, clusterId, writeSpecAllocationID: options.writeSpecAllocationID ?? true };
  const reconcile = createEipReconcile({ client, calls, observer, events, clock, random, informer, settings });
  const watches = eipWatches(informer, observer);
  const controller = createController(
    { name: 'eip', watches, reconcile, concurrency: maxConcurrentReconciles, backoff },
    { cache, clock, random, log, ...(metrics && { metrics: metrics.controller('eip') }) },
  );
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      await controller.run(signal);
    } finally {
      await events.stop();
    }
  };
  return [observer.runnable, { ...controller, run }];
}
