export { startCluster } from './start-any-cluster.ts';
export type { Cluster } from './start-cluster.ts';
export type { Fault, FaultMatch, FaultRule } from './faults/fault-rule.ts';
export type { Faults } from './faults/create-faults.ts';
export type { AuditEvent } from './audit/audit-event.ts';
export type { StoreSnapshot } from './storage/store.ts';
export type { ClusterOptions } from './cluster-options.ts';
export type { AccountAccess, AccountRequest } from './auth/account-access.ts';
export { needsRight, rightsIn, withoutRight } from './auth/rbac/rights.ts';
export type { Right } from './auth/rbac/rights.ts';
export type { Manifest } from './install-objects.ts';
export { createDeploymentController } from './actors/workloads/deployment.ts';
export { createReplicaSetController } from './actors/workloads/replica-set.ts';
export { createKubelet } from './actors/kubelet.ts';
export { createNodeLifecycle } from './actors/node-lifecycle.ts';
export { createScheduler } from './actors/scheduler.ts';
export type {
  ControlPlane,
  OutsideCluster,
  OutsideOptions,
  RealCluster,
  RealOptions,
} from './outside/outside-options.ts';
export type { LocalWebhooks, WebhookOptions } from './local-webhooks/open-webhooks.ts';
export type { ReviewHandler, ReviewRequest, ReviewResponse } from './local-webhooks/review-handler.ts';
export type { WebhookPost, WebhookReply, WebhookTransport } from './webhook-client/webhook-transport.ts';
