import type { ClusterOptions } from './cluster-options.ts';
import type { OutsideCluster, OutsideOptions } from './outside/outside-options.ts';
import { startCluster as startEmbedded } from './start-cluster.ts';
import type { Cluster } from './start-cluster.ts';

/** The embedded cluster; with `existing` or `real` another one, prepared in the same way. Ready when the promise is. */
export function startCluster(options: OutsideOptions): Promise<OutsideCluster>;
export function startCluster(options?: ClusterOptions): Promise<Cluster>;
export async function startCluster(options: ClusterOptions | OutsideOptions = {}): Promise<Cluster | OutsideCluster> {
  if (!('existing' in options) && !('real' in options)) return startEmbedded(options);
  const { attachCluster } = await import('./outside/attach-cluster.ts');
  return attachCluster(options, process.env);
}
