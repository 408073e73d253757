import {
  createEventLoopProbe,
  createKubeClient,
  createLogger,
  createMetrics,
  createOperatorProcess,
  createUndiciTransport,
  loadClusterAccess,
  namespaceKind,
  runMain,
  systemAccessDeps,
  withTokenBucket,
} from '@tributary/runtime';
import type { AccessDeps, KubeClient, Log } from '@tributary/runtime';
import { createCredentials } from './credentials/create-credentials.ts';
import { createEipOperator } from './create-eip-operator.ts';
import type { EipOperatorOptions } from './create-eip-operator.ts';
import { parseEipConfig } from './eip-config.ts';
import type { EipConfig } from './eip-config.ts';
import { parseEipFlags } from './eip-flags.ts';
import type { EipFlags } from './eip-flags.ts';
import { endpointOf } from './provider/endpoint.ts';
import { createSdkSend } from './provider/sdk-send.ts';

/** The original's. */
export const leaseName = 'alibabacloud-eip-operator.alibabacloud.com';

export type RunEipDeps = { readonly files: AccessDeps; readonly log: Log; readonly random?: () => number };

/** The operator as a program: flags in, exit code out. */
export async function runAlibabaEip(argv: readonly string[], env: AccessDeps['env']): Promise<void> {
  const flags = parseEipFlags(argv);
  const log = createLogger({ level: flags.logLevel });
  const files = systemAccessDeps(env);
  await runMain(async (signal) => runEipOperator(flags, { files, log }, signal), { host: process, log });
}

/** Wires the parts to a real cluster and a real account, and runs them until the signal. */
export async function runEipOperator(flags: EipFlags, deps: RunEipDeps, signal: AbortSignal): Promise<void> {
  const { files, log } = deps;
  const { clock } = files;
  const config = await readConfig(flags, files);
  const access = await loadClusterAccess({ kubeconfig: flags.kubeconfig }, files);
  const plain = createUndiciTransport({ access }, files);
  const probe = createEventLoopProbe();
  const metrics = createMetrics({ processMetrics: true }, { eventLoop: probe });
  try {
    const options = await toOptions(flags, config, createKubeClient({ transport: plain, userAgent }), files);
    const lease = { namespace: flags.namespace ?? access.namespace, name: leaseName };
    const election = { lease, identity: options.instance ?? 'eip-operator' };
    const limit = { perSecond: config.kubeClientQps, burst: config.kubeClientBurst };
    log.info({ regionId: options.regionId, clusterId: options.clusterId }, 'starting');
    const send = createSend(flags, config, files);
    const operator = createOperatorProcess(
      {
        name: userAgent,
        transport: withTokenBucket(plain, limit, clock),
        // A renewal must wait for nothing.
        leaseTransport: plain,
        ...(flags.leaderElect && { election }),
        metricsAddress: flags.metricsBindAddress,
        healthAddress: flags.healthProbeBindAddress,
        build: ({ leader, fence }) => createEipOperator(options, { connection: leader, fence, metrics, send }),
      },
      { clock, log, metrics, loopDelayMs: () => probe.take().max, ...(deps.random && { random: deps.random }) },
    );
    await operator.run(signal);
  } finally {
    probe.stop();
    await plain.close();
  }
}

const userAgent = 'tributary-alibaba-eip';

async function readConfig(flags: EipFlags, files: AccessDeps): Promise<EipConfig> {
  const text = await files.readFile(flags.configPath).catch((error: unknown) => {
    if (flags.regionId !== undefined) return '';
    throw error;
  });
  return parseEipConfig(text, flags.configPath, flags);
}

async function toOptions(
  flags: EipFlags,
  config: EipConfig,
  client: KubeClient,
  files: AccessDeps,
): Promise<EipOperatorOptions> {
  const { syncPeriodMs, maxConcurrentReconciles, writeSpecAllocationID } = flags;
  const instance = files.env['POD_NAME'] ?? files.env['HOSTNAME'];
  const clusterId = flags.clusterId ?? (await client.get(namespaceKind, { name: 'kube-system' })).metadata.uid ?? '';
  return {
    regionId: config.regionId,
    clusterId,
    syncPeriodMs,
    maxConcurrentReconciles,
    writeSpecAllocationID,
    limits: config.callsPerMinute,
    ...(instance && { instance }),
  };
}

function createSend(flags: EipFlags, { regionId }: EipConfig, files: AccessDeps): ReturnType<typeof createSdkSend> {
  const { credentialMode: mode, credentialPath: path, stsEndpoint, ecsMetadataEndpoint, endpoint, network } = flags;
  const credentials = createCredentials(
    { mode, path, env: files.env, stsEndpoint, ecsMetadataEndpoint },
    { files, fetch: globalThis.fetch, clock: files.clock },
  );
  return createSdkSend({ regionId, endpoint: endpointOf(regionId, endpoint, network), userAgent }, { credentials });
}
