export { startCluster } from './start-cluster.ts';
export type { Cluster } from './start-cluster.ts';
export type { ClusterOptions } from './cluster-options.ts';
export { createKubelet } from './actors/kubelet.ts';
export { createScheduler } from './actors/scheduler.ts';
