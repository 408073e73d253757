export { startCluster } from './start-cluster.ts';
export type { Cluster, ClusterOptions } from './start-cluster.ts';
