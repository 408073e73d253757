import { createUndiciTransport } from '../client/undici-transport.ts';
import { loadClusterAccess } from '../kubeconfig/load-cluster-access.ts';
import { systemAccessDeps } from '../kubeconfig/system-access-deps.ts';
import type { AccessDeps } from '../kubeconfig/cluster-access.ts';
import { createEventLoopProbe } from '../telemetry/event-loop-delay.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { LogLevel } from '../telemetry/logger.ts';
import { createOperatorProcess } from './operator-process.ts';
import type { OperatorParts } from './operator-process.ts';
import { runMain } from './run-main.ts';
import type { HostProcess } from './run-main.ts';
import type { Runnable } from './runnable.ts';

/** What every operator can be told on its command line. */
export type OperatorFlags = {
  readonly kubeconfig?: string | undefined;
  readonly leaderElect: boolean;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly logLevel?: LogLevel | undefined;
};

export type RunOperatorOptions = {
  readonly name: string;
  readonly flags: OperatorFlags;
  /** No namespace: the one that the kubeconfig or the pod is in. */
  readonly lease: { readonly namespace?: string | undefined; readonly name: string };
  readonly build: (parts: OperatorParts) => readonly Runnable[];
};

export type OperatorHost = { readonly process: HostProcess; readonly env: AccessDeps['env'] };

/** Runs an operator as a program: finds the cluster as kubectl does, and ends the process when it is done. */
export async function runOperator(options: RunOperatorOptions, host: OperatorHost): Promise<void> {
  const { name, flags, lease, build } = options;
  const log = createLogger({ level: flags.logLevel ?? 'info' });
  await runMain(
    async (signal) => {
      const accessDeps = systemAccessDeps(host.env);
      const access = await loadClusterAccess({ kubeconfig: flags.kubeconfig }, accessDeps);
      const probe = createEventLoopProbe();
      const election = {
        lease: { namespace: lease.namespace ?? access.namespace, name: lease.name },
        identity: host.env['POD_NAME'] ?? host.env['HOSTNAME'] ?? name,
      };
      const operator = createOperatorProcess(
        {
          name,
          transport: createUndiciTransport({ access }, accessDeps),
          ...(flags.leaderElect && { election, leaseTransport: createUndiciTransport({ access }, accessDeps) }),
          metricsAddress: flags.metricsBindAddress,
          healthAddress: flags.healthProbeBindAddress,
          build,
        },
        { log, loopDelayMs: () => probe.take().max },
      );
      log.info({ server: access.server }, `${name} starts`);
      await operator.run(signal);
    },
    { host: host.process, log },
  );
}
