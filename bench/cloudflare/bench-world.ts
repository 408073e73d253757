import { spawn } from 'node:child_process';
import { connect, createUndiciTransport, staticAuth, systemClock } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { startControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import { openAuditLog, writesOf } from '../audit-log.ts';
import type { AuditLog } from '../audit-log.ts';
import { installOperator } from './install-operator.ts';
import { until } from '../until.ts';

/** A real API server, the simulated Cloudflare API 50 ms away with its real rate limit, and the operator as users run it. */
export type BenchWorld = {
  readonly client: KubeClient;
  readonly sim: SimCloudflare;
  readonly audit: AuditLog;
  /** Resolves when for so long the operator has neither called the API nor written to the cluster. */
  readonly quiet: (forMs: number) => Promise<void>;
  /** Starts so many replicas; the returned function ends them. */
  readonly startReplicas: (count: number) => () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** The name under which the operator's requests are in the audit log. */
export const operatorAgent = 'tributary-cloudflare';

export async function startBenchWorld(say: (line: string) => void): Promise<BenchWorld> {
  say('starting a control plane and the simulated API');
  const plane = await startControlPlane({ audit: true });
  const sim = await startSimCloudflare({ latencyMs: 50, rateLimit: 'real' });
  const auth = staticAuth({ authorization: `Bearer ${plane.token}` });
  const transport = createUndiciTransport(
    { access: { server: plane.url, tls: { ca: { data: plane.ca } }, auth } },
    { readFile: async () => '', modifiedMs: async () => 0, clock: systemClock },
  );
  const { client } = connect({ transport, userAgent: 'bench-driver' });
  await installOperator(client, sim);
  const startReplicas = (count: number): (() => Promise<void>) => {
    const ends = Array.from({ length: count }, (_, index) => startReplica(plane.kubeconfigPath, sim.url, index));
    return async () => void (await Promise.all(ends.map(async (end) => end())));
  };
  const stop = async (): Promise<void> => {
    await transport.close();
    await sim.stop();
    await plane.stop();
  };
  const watched = openAuditLog(plane.auditLogPath);
  const quiet = async (forMs: number): Promise<void> => {
    let seen = -1;
    let sinceMs = performance.now();
    await until(
      `${forMs / 1000} s of silence`,
      () => {
        const calls = sim.journal.count();
        if (calls !== seen || writesOf(operatorAgent, watched.take()).length > 0) sinceMs = performance.now();
        seen = calls;
        return performance.now() - sinceMs > forMs;
      },
      300_000,
    );
  };
  return { client, sim, audit: openAuditLog(plane.auditLogPath), quiet, startReplicas, stop };
}

function startReplica(kubeconfig: string, baseUrl: string, index: number): () => Promise<void> {
  const args = ['packages/cli/bin/tributary.mjs', 'run', 'cloudflare', '--kubeconfig', kubeconfig];
  const addresses = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
  const child = spawn(process.execPath, [...args, ...addresses, '--log-level=warn'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CLOUDFLARE_API_BASE_URL: baseUrl, POD_NAME: `replica-${index}` },
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return async () => {
    // One that has died writes nothing, and would pass for one that is at rest.
    const died = child.exitCode !== null || child.signalCode !== null;
    child.kill('SIGTERM');
    await ended;
    if (died) throw new Error(`replica-${index} ended by itself: what was measured says nothing`);
  };
}
