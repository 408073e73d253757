import type { ClusterOptions } from './cluster-options.ts';
import type { OutsideCluster, OutsideOptions, RealCluster, RealOptions } from './outside/outside-options.ts';
import { startCluster as startEmbedded } from './start-cluster.ts';
import type { Cluster } from './start-cluster.ts';

/** The embedded cluster; with `existing` or `real` another one, prepared in the same way. Ready when the promise is. */
export function startCluster(options: RealOptions): Promise<RealCluster>;
export function startCluster(options: OutsideOptions): Promise<OutsideCluster>;
export function startCluster(options?: ClusterOptions): Promise<Cluster>;
export async function startCluster(
  options: ClusterOptions | OutsideOptions | RealOptions = {},
): Promise<Cluster | OutsideCluster | RealCluster> {
  if (!('existing' in options) && !('real' in options)) return startEmbedded(options);
  const { attachCluster } = await import('./outside/attach-cluster.ts');
  if (!isReal(options)) return attachCluster(options, process.env);
  const { findAssets } = await import('./outside/real/find-assets.ts');
  const { startRealServer } = await import('./outside/real/start-real-server.ts');
  const server = await startRealServer(findAssets(options.assetsPath, process.env), process.env);
  const { kubeconfig, addUser } = server;
  const cluster = await attachCluster({ ...options, real: async () => server }, process.env);
  return { ...cluster, kubeconfig, addUser };
}

function isReal(options: OutsideOptions | RealOptions): options is RealOptions {
  return 'real' in options && options.real === true;
}
