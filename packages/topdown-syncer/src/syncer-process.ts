import {
  connect,
  createFencedTransport,
  createKubeClient,
  createMetrics,
  createOperatorProcess,
  createTrackedClient,
  withTokenBucket,
} from '@tributary/runtime';
import type { Clock, Connection, Fence, Log, Manager, Metrics, Transport } from '@tributary/runtime';
import { createVirtualContents, physicalContents } from './cache-contents.ts';
import type { ClientLimits, SyncerFlags } from './flags.ts';
import { createSyncerMetrics } from './metrics.ts';
import type { SyncerStart } from './open-sides.ts';
import { createKubeconfigWatch } from './physical-access.ts';
import { createSyncer } from './syncer.ts';
import type { Syncer } from './syncer.ts';

export type SyncerProcessDeps = {
  readonly virtual: Transport;
  /** For the election alone: behind a thousand pods a renewal would come too late. */
  readonly lease?: Transport;
  readonly physical: Transport;
  /** The kubeconfig that `physical` was made of. */
  readonly kubeconfig: string;
  /** Where the lease is, and who asks for it. */
  readonly namespace: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly loopDelayMs?: () => number;
  readonly metrics?: Metrics;
};

/** A syncer as a process: elected in V, its writes to both clusters behind one fence. */
export function createSyncerProcess(flags: SyncerFlags, start: SyncerStart, deps: SyncerProcessDeps): Manager {
  const { clock, random, log } = deps;
  const name = `kubeocean-syncer-${flags.syncer.clusterBindingName}`;
  const { metrics = createMetrics({ processMetrics: true }) } = deps;
  const virtual = limited(deps.virtual, flags.virtualClient, clock);
  const physical = limited(deps.physical, flags.physicalClient, clock);
  const shared = { userAgent: name, clock, random, log, metrics };
  const far = connect({ ...shared, transport: physical, host: 'physical', transform: physicalContents });
  let syncer: Syncer | undefined;
  const lease = { namespace: flags.leaderElectionNamespace ?? deps.namespace, name: flags.leaderElectionId };
  return createOperatorProcess(
    {
      name,
      transport: virtual,
      ...(flags.leaderElect && { election: { lease, identity: deps.identity } }),
      ...(deps.lease && { leaseTransport: deps.lease }),
      metricsAddress: flags.metricsBindAddress,
      healthAddress: flags.healthProbeBindAddress,
      moreCaches: [far.cache],
      transform: contentsFor(start),
      readyChecks: { 'physical-cluster': () => (syncer?.physicalAnswers() ? undefined : 'does not answer') },
      build: ({ leader, fence }) => {
        syncer = createSyncer(flags.syncer, start, {
          virtual: leader,
          physical: fenced(far, physical, name, fence),
          instance: deps.identity,
          metrics: createSyncerMetrics(flags.syncer.clusterBindingName, metrics.registry),
        });
        const { secrets } = syncer.sides.informers.virtual;
        return [...syncer.runnables, createKubeconfigWatch(start.binding, deps.kubeconfig, secrets)];
      },
    },
    { clock, random, log, metrics, ...(deps.loopDelayMs && { loopDelayMs: deps.loopDelayMs }) },
  );
}

function contentsFor({ binding }: SyncerStart): ReturnType<typeof createVirtualContents> {
  return createVirtualContents({ clusterId: binding.spec.clusterID, kubeconfig: binding.spec.secretRef });
}

function limited(transport: Transport, { qps, burst }: ClientLimits, clock: Clock): Transport {
  return qps > 0 ? withTokenBucket(transport, { perSecond: qps, burst: Math.max(burst, 1) }, clock) : transport;
}

function fenced(connection: Connection, transport: Transport, userAgent: string, fence: Fence): Connection {
  const client = createKubeClient({ transport: createFencedTransport(transport, fence), userAgent }, connection);
  return { ...connection, client: createTrackedClient(client, connection.cache) };
}
