import { resolve } from 'node:path';
import { createKubelet, createScheduler, startCluster } from '@tributary/sim-kubernetes';

export type SimKubernetesOptions = {
  readonly port: number;
  readonly kubeconfig: string;
  readonly snapshot?: string;
  readonly node: readonly string[];
};

/** What a command needs of its surroundings: somewhere to speak, and a word when to end. */
export type CommandShell = {
  readonly say: (line: string) => void;
  readonly until: () => Promise<void>;
};

export async function simKubernetes(options: SimKubernetesOptions, { say, until }: CommandShell): Promise<void> {
  const cluster = await startCluster({
    port: options.port,
    kubeconfigPath: options.kubeconfig,
    ...(options.snapshot !== undefined && { snapshotPath: options.snapshot }),
    actors: [createScheduler(), createKubelet({ nodes: options.node })],
  });
  say(`API server   ${cluster.url}`);
  say(`kubeconfig   export KUBECONFIG=${resolve(options.kubeconfig)}`);
  say(`nodes        ${options.node.join(', ')}`);
  say('Ctrl-C ends it.');
  await until();
  await cluster.stop();
}
