import { createOperatorProcess, silentLog } from '@tributary/runtime';
import type { Log, Transport } from '@tributary/runtime';
import { createConversionWebhook } from '../../conversion/conversion-webhook.ts';
import { createCloudflareOperator } from '../../operator.ts';
import type { CloudflareOperatorDeps, CloudflareOperatorOptions } from '../../operator.ts';
import { operatorNamespace } from './installed-cluster.ts';
import type { InstalledCluster } from './installed-cluster.ts';

export type RunningOptions = {
  readonly name?: string;
  /** The operator's own when absent. */
  readonly transport?: Transport;
  /** The same when absent; the program has another one for its lease. */
  readonly leaseTransport?: Transport;
  readonly fetch?: CloudflareOperatorDeps['fetch'];
  readonly leaseMs?: number;
  readonly operator?: Partial<CloudflareOperatorOptions>;
  /** Serves conversions, too; told of the port. */
  readonly onWebhook?: (port: number) => void;
  readonly log?: Log;
};

export type RunningOperator = {
  readonly isLeader: () => boolean;
  /** Why it ended by itself, as a process does that has lost its lease. */
  readonly failure: () => unknown;
  readonly stop: () => Promise<void>;
  /** Begins nothing new, without waiting for anything: what comes of the rest is for the transports to prevent. */
  readonly abandon: () => void;
};

/** The operator as the program runs it, in this process, so that its transports are within reach. */
export function runOperator(cluster: InstalledCluster, options: RunningOptions = {}): RunningOperator {
  const { name = 'replica-1', transport = cluster.ownTransport(), leaseMs = 15_000, onWebhook } = options;
  const { fetch = cluster.sim.fetch, log = silentLog } = options;
  let leads: (() => boolean) | undefined;
  const process = createOperatorProcess(
    {
      name,
      transport,
      leaseTransport: options.leaseTransport ?? transport,
      election: {
        lease: { namespace: operatorNamespace, name: '9f193cf8.cloudflare-operator.io' },
        identity: name,
        leaseDurationMs: leaseMs,
        renewDeadlineMs: (leaseMs * 2) / 3,
        retryPeriodMs: leaseMs / 8,
      },
      metricsAddress: '0',
      healthAddress: '0',
      build: (parts) => {
        leads = parts.isLeader;
        const webhook = { namespace: operatorNamespace, port: 0 };
        const place = { operatorNamespace, baseUrl: cluster.sim.url, identity: name };
        return [
          ...(onWebhook ? [createConversionWebhook(webhook, { ...parts.connection, onListening: onWebhook })] : []),
          ...createCloudflareOperator({ ...place, ...options.operator }, { ...parts, fetch }),
        ];
      },
    },
    { log },
  );
  const ended = new AbortController();
  let failure: unknown;
  const running = process.run(ended.signal);
  running.catch((error: unknown) => (failure = error));
  return {
    failure: () => failure,
    isLeader: () => leads?.() ?? false,
    abandon: () => ended.abort(),
    stop: async () => {
      ended.abort();
      if (failure === undefined) await running;
    },
  };
}
