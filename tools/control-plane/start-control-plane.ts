import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/sim-kubernetes/src/outside/real/free-port.ts';
import { createProcessSet } from '../../packages/sim-kubernetes/src/outside/real/process-set.ts';
import type { ProcessSet } from '../../packages/sim-kubernetes/src/outside/real/process-set.ts';
import { etcdArgs } from '../../packages/sim-kubernetes/src/outside/real/server-arguments.ts';
import { untilReady } from '../../packages/sim-kubernetes/src/outside/real/until-ready.ts';
import { writeCredentials } from '../../packages/sim-kubernetes/src/outside/real/credentials.ts';
import { apiServerArgs, auditPolicy, extraArgs, schedulerConfig } from './arguments.ts';
import type { Component } from './components.ts';
import type { ControlPlaneOptions } from './control-plane-options.ts';
import { toKubeconfig } from './kubeconfig.ts';
import { kwokStages } from './kwok-stages.ts';
import { obtainBinaries } from './obtain-binaries.ts';

export type ControlPlane = {
  readonly url: string;
  readonly ca: string;
  /** Of an administrator. */
  readonly token: string;
  readonly kubeconfigPath: string;
  /** The token of each user in `options.users`, by name. */
  readonly userTokens: Readonly<Record<string, string>>;
  readonly kubectlPath: string;
  /** Where the store itself listens, without TLS: for tests that compact its history. */
  readonly etcdUrl: string;
  readonly auditLogPath: string;
  readonly folder: string;
  /** Process ids by component, to pause or to kill one. */
  readonly pids: () => Readonly<Partial<Record<Component, number>>>;
  /** Kills the API server without warning and starts it again on the same port and data. */
  readonly restartApiServer: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a real control plane with RBAC on in a temporary folder; it ends with `stop` or with this process. */
export async function startControlPlane(
  options: ControlPlaneOptions = {},
  env: NodeJS.ProcessEnv = process.env,
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<ControlPlane> {
  const components = options.components ?? [];
  const binaries = await obtainBinaries(['etcd', 'kube-apiserver', 'kubectl', ...components], env, say);
  const folder = mkdtempSync(join(tmpdir(), 'tributary-control-plane-'));
  const processes = createProcessSet(folder, binaries, env);
  try {
    const access = await startServers(folder, options, processes);
    for (const component of components) processes.start(component, extraArgs(component, folder));
    return {
      ...access,
      kubectlPath: binaries.kubectl,
      auditLogPath: join(folder, 'audit.log'),
      folder,
      pids: processes.pids,
      stop: processes.end,
    };
  } catch (error) {
    await processes.end();
    throw error;
  }
}

type Access = Pick<
  ControlPlane,
  'url' | 'ca' | 'token' | 'kubeconfigPath' | 'userTokens' | 'etcdUrl' | 'restartApiServer'
>;

async function startServers(
  folder: string,
  options: ControlPlaneOptions,
  processes: ProcessSet<Component>,
): Promise<Access> {
  const ports = { etcd: await freePort(), apiServer: await freePort() };
  const { token, userTokens } = writeCredentials(folder, options.users ?? []);
  writeFileSync(join(folder, 'audit-policy.yaml'), auditPolicy);
  processes.start('etcd', etcdArgs(folder, ports));
  const url = `https://127.0.0.1:${ports.apiServer}`;
  const startApiServer = async (): Promise<void> => {
    processes.start('kube-apiserver', apiServerArgs(folder, ports, options));
    if (await untilReady(url, token, () => processes.running('kube-apiserver'))) return;
    const log = readFileSync(join(folder, 'kube-apiserver.log'), 'utf8');
    throw new Error(`kube-apiserver did not become ready; the end of its log:\n${log.slice(-3000)}`);
  };
  await startApiServer();
  const ca = readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8');
  const kubeconfigPath = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigPath, toKubeconfig({ url, ca, token }));
  writeFileSync(join(folder, 'scheduler.yaml'), schedulerConfig(kubeconfigPath));
  writeFileSync(join(folder, 'kwok.yaml'), options.kwokConfig ?? kwokStages);
  const restartApiServer = async (): Promise<void> => {
    await processes.kill('kube-apiserver');
    await startApiServer();
  };
  const etcdUrl = `http://127.0.0.1:${ports.etcd}`;
  return { url, ca, token, userTokens, kubeconfigPath, etcdUrl, restartApiServer };
}
