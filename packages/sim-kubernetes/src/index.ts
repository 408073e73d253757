export { startCluster } from './start-cluster.ts';
export type { Cluster } from './start-cluster.ts';
export type { Fault, FaultMatch, FaultRule } from './faults/fault-rule.ts';
export type { Faults } from './faults/create-faults.ts';
export type { ClusterOptions } from './cluster-options.ts';
export { createKubelet } from './actors/kubelet.ts';
export { createScheduler } from './actors/scheduler.ts';
