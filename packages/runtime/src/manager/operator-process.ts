import type { ObjectCache } from '../cache/informer.ts';
import { createTrackedClient } from '../cache/tracked-client.ts';
import { createKubeClient } from '../client/create-kube-client.ts';
import type { Transport } from '../client/transport.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { connect } from '../connect.ts';
import type { Connection, ConnectOptions } from '../connect.ts';
import { createFencedTransport } from '../leader/fenced-transport.ts';
import { createOpenFence } from '../leader/fence.ts';
import type { Fence } from '../leader/fence.ts';
import { createLeaderElector } from '../leader/leader-elector.ts';
import type { LeaderElectorOptions } from '../leader/leader-elector.ts';
import { silentLog } from '../log.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { parseBindAddress } from './bind-address.ts';
import { createManager } from './create-manager.ts';
import type { Manager, ManagerDeps } from './create-manager.ts';
import { startHealthServer } from './health-server.ts';
import type { HealthChecks } from './health-report.ts';
import type { HttpHandler } from './health-server.ts';
import type { Runnable } from './runnable.ts';

export type OperatorProcessOptions = {
  /** Who this is in the server's audit log. */
  readonly name: string;
  readonly transport: Transport;
  /** For the lease alone: a renewal that waits behind a thousand other requests comes too late. */
  readonly leaseTransport?: Transport;
  /** Absent: this process has no rivals and leads at once. */
  readonly election?: LeaderElectorOptions;
  /** `0` for nowhere. */
  readonly metricsAddress: string;
  readonly healthAddress: string;
  /** Of other API servers, for an operator between two clusters. */
  readonly moreCaches?: readonly ObjectCache[];
  readonly readyChecks?: HealthChecks;
  /** What the cache keeps of an object; everything but managed fields when absent. */
  readonly transform?: ConnectOptions['transform'];
  readonly build: (parts: OperatorParts) => readonly Runnable[];
};

/** What an operator is made of. */
export type OperatorParts = {
  readonly connection: Connection;
  /** The same caches, but its writes pass the fence: for what runs on the leader. */
  readonly leader: Connection;
  readonly fence: Fence;
  readonly isLeader: () => boolean;
  readonly metrics: Metrics;
};

export type OperatorProcessDeps = {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly freeze?: boolean;
} & Pick<ManagerDeps, 'loopDelayMs'>;

/** An operator as a process runs it: connection, election, metrics and health around its controllers. */
export function createOperatorProcess(options: OperatorProcessOptions, deps: OperatorProcessDeps = {}): Manager {
  const { clock = systemClock, random = Math.random, log = silentLog, metrics = createMetrics() } = deps;
  const { name, transport } = options;
  const connection = connect({
    transport,
    userAgent: name,
    clock,
    random,
    log,
    metrics,
    transform: options.transform,
    ...(deps.freeze !== undefined && { freeze: deps.freeze }),
  });
  const { leaseTransport = transport } = options;
  const client = createKubeClient({ transport: leaseTransport, userAgent: name }, { clock });
  const electing = { client, clock, random, log };
  const elector = options.election && createLeaderElector(options.election, electing);
  if (elector) metrics.leader(elector.lease, elector.isLeaderNow);
  const fence = elector?.fence ?? createOpenFence(new AbortController().signal);
  const runnables = options.build({
    connection,
    leader: withFence(connection, options, fence),
    fence,
    isLeader: elector?.isLeaderNow ?? (() => true),
    metrics,
  });
  return createManager(
    {
      runnables: [...runnables, createMetricsServer(options.metricsAddress, metrics, log)],
      healthAddress: options.healthAddress,
      ...(options.readyChecks && { readyChecks: options.readyChecks }),
    },
    {
      caches: [connection.cache, ...(options.moreCaches ?? [])],
      clock,
      log,
      ...(elector && { elector }),
      ...(deps.loopDelayMs && { loopDelayMs: deps.loopDelayMs }),
    },
  );
}

function withFence(connection: Connection, { name, transport }: OperatorProcessOptions, fence: Fence): Connection {
  const fenced = createFencedTransport(transport, fence);
  const client = createKubeClient({ transport: fenced, userAgent: name }, { clock: connection.clock });
  return { ...connection, client: createTrackedClient(client, connection.cache) };
}

/** `/metrics` at an address of its own, as the operators we stand in for have it. */
function createMetricsServer(bindAddress: string, metrics: Metrics, log: Log): Runnable {
  const scrape: HttpHandler = async (_, response) => {
    const { contentType, body } = await metrics.scrape();
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };
  return {
    name: 'metrics-server',
    runs: 'always',
    run: async (signal) => {
      const address = parseBindAddress(bindAddress);
      const server = address && (await startHealthServer(address, { '/metrics': scrape }, log));
      if (server) log.info({ port: server.port }, 'metrics are served');
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await server?.close();
    },
  };
}
