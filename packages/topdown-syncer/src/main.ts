import {
  createEventLoopProbe,
  createKubeClient,
  createLogger,
  createUndiciTransport,
  isNotFound,
  loadClusterAccess,
  OperatorError,
  runMain,
  systemAccessDeps,
  systemClock,
} from '@tributary/runtime';
import type { AccessDeps, ClusterAccess, KubeClient, Log, Manager } from '@tributary/runtime';
import { cleanUp } from './cleanup.ts';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { usage } from './flag-definitions.ts';
import { readFlags, toSyncerFlags } from './flags.ts';
import type { RawFlags, SyncerFlags } from './flags.ts';
import { readStart } from './open-sides.ts';
import { readPhysicalKubeconfig, toPhysicalAccess } from './physical-access.ts';
import { createSyncerProcess } from './syncer-process.ts';

export type SyncerHost = {
  readonly env: AccessDeps['env'];
  readonly process: Parameters<typeof runMain>[1]['host'];
  readonly say: (line: string) => void;
};

/** The program: the flags of the original and ours, or `cleanup`. */
export async function runTopdownSyncer(argv: readonly string[], host: SyncerHost): Promise<void> {
  const [command, ...rest] = argv;
  const cleaning = command === 'cleanup';
  const raw = cleaning ? readFlags(rest, 'cleanup') : readFlags(argv);
  if (raw.has('help')) {
    host.say(usage);
    return;
  }
  if (cleaning) {
    await runCleanup(raw, host);
    return;
  }
  const flags = toSyncerFlags(raw);
  const log = createLogger({ level: flags.logLevel });
  await runMain(async (signal) => (await openProcess(flags, host.env, log)).run(signal), { host: host.process, log });
}

/** More would wait for the same API server, and each handshake costs as much as ten requests. */
const maxConnections = 24;

async function openProcess(flags: SyncerFlags, env: AccessDeps['env'], log: Log): Promise<Manager> {
  const deps = systemAccessDeps(env);
  const access = await loadClusterAccess({ kubeconfig: flags.kubeconfig }, deps);
  const virtual = createUndiciTransport({ access, maxConnections }, deps);
  const client = createKubeClient({ transport: virtual });
  const start = await readStart(client, flags.syncer.clusterBindingName);
  const kubeconfig = await readPhysicalKubeconfig(client, start.binding);
  const far = await toPhysicalAccess(kubeconfig, deps);
  const probe = createEventLoopProbe();
  log.info({ virtual: access.server, physical: far.server }, 'the syncer starts');
  return createSyncerProcess(flags, start, {
    virtual,
    lease: createUndiciTransport({ access }, deps),
    physical: createUndiciTransport({ access: far, maxConnections }, deps),
    kubeconfig,
    namespace: access.namespace,
    identity: env['POD_NAME'] ?? env['HOSTNAME'] ?? 'kubeocean-syncer',
    clock: systemClock,
    random: Math.random,
    log,
    loopDelayMs: () => probe.take().max,
  });
}

async function runCleanup(raw: RawFlags, { env, say }: SyncerHost): Promise<void> {
  const clusterBindingName = raw.get('cluster-binding-name') ?? '';
  if (clusterBindingName === '') {
    throw new OperatorError('syncer/bad-flag', '--cluster-binding-name is required', { kind: 'never' });
  }
  const deps = systemAccessDeps(env);
  const access: ClusterAccess = await loadClusterAccess({ kubeconfig: raw.get('kubeconfig') }, deps);
  const transport = createUndiciTransport({ access }, deps);
  try {
    const client = createKubeClient({ transport });
    const clusterId = raw.get('cluster-id') ?? (await clusterIdOf(client, clusterBindingName));
    const write = raw.get('yes') === 'true';
    const count = await cleanUp({ clusterBindingName, clusterId, write }, { client, say });
    say(write ? `${count} objects released` : `${count} objects would be released; --yes does it`);
    say(
      'The physical cluster is not asked: what the syncer made there stays, and so do the finalizers of its policies.',
    );
  } finally {
    await transport.close();
  }
}

async function clusterIdOf(client: Pick<KubeClient, 'get'>, name: string): Promise<string> {
  try {
    return (await client.get(clusterBindingKind, { name })).spec.clusterID;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `ClusterBinding ${name} is not there: where it is gone, --cluster-id says what its clusterID was`;
    throw new OperatorError('syncer/bad-binding', message, { kind: 'never' }, { cause: error });
  }
}
