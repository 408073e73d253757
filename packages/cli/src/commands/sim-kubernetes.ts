import { resolve } from 'node:path';
import { tunnelConverters } from '@tributary/cloudflare';
import {
  createDeploymentController,
  createKubelet,
  createNodeLifecycle,
  createReplicaSetController,
  createScheduler,
  startCluster,
} from '@tributary/sim-kubernetes';
import type { ClusterOptions } from '@tributary/sim-kubernetes';
import type { CommandShell } from '../command-shell.ts';

export type SimKubernetesOptions = {
  readonly port: number;
  readonly kubeconfig: string;
  readonly snapshot?: string;
  readonly auditLogPath?: string;
  readonly node: readonly string[];
  /** Absent: true. What is left out is for the real programs, or for nobody. */
  readonly workloads?: boolean;
  readonly scheduler?: boolean;
  readonly kubelet?: boolean;
};

export async function simKubernetes(options: SimKubernetesOptions, { say, until }: CommandShell): Promise<void> {
  const cluster = await startCluster({
    port: options.port,
    kubeconfigPath: options.kubeconfig,
    // The CRDs of tunnels have two versions, and this server calls no webhook of an operator that runs beside it.
    converters: tunnelConverters,
    ...(options.snapshot !== undefined && { snapshotPath: options.snapshot }),
    ...(options.auditLogPath !== undefined && { auditLogPath: options.auditLogPath }),
    actors: actorsOf(options),
  });
  say(`API server   ${cluster.url}`);
  say(`kubeconfig   export KUBECONFIG=${resolve(options.kubeconfig)}`);
  if (options.kubelet !== false) say(`nodes        ${options.node.join(', ')}`);
  say('Ctrl-C ends it.');
  await until();
  await cluster.stop();
}

function actorsOf({
  node,
  workloads,
  scheduler,
  kubelet,
}: SimKubernetesOptions): NonNullable<ClusterOptions['actors']> {
  return [
    ...(workloads === false ? [] : [createDeploymentController(), createReplicaSetController()]),
    // Nodes that somebody else brings, such as virtual ones, are open to pods too.
    ...(scheduler === false ? [] : [createScheduler(), createNodeLifecycle()]),
    ...(kubelet === false ? [] : [createKubelet({ nodes: node })]),
  ];
}
