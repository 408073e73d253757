import type { User } from '../../packages/sim-kubernetes/src/outside/real/credentials.ts';

export type ExtraComponent = 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

export type ControlPlaneOptions = {
  /** Beside etcd, kube-apiserver and kubectl. */
  readonly components?: readonly ExtraComponent[];
  /** Further users, each with a token of its own, under RBAC. */
  readonly users?: readonly User[];
  /** Pods get their ServiceAccount and its token volume; wants the controller manager, which makes the accounts. */
  readonly serviceAccountAdmission?: boolean;
  /** Write every request (level Metadata) to `auditLogPath`. */
  readonly audit?: boolean;
  readonly extraApiServerArgs?: readonly string[];
  /** Stages and other configuration of kwok; when absent nodes become ready and pods run at once. */
  readonly kwokConfig?: string;
};
