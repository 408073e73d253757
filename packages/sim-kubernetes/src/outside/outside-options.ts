import type { Transport } from '@tributary/runtime/transport';
import type { ManifestOptions } from '../gather-manifests.ts';
import type { LocalWebhooks } from '../local-webhooks/open-webhooks.ts';

/** A real control plane that was started for the test: how to reach it, and how to end it. */
export type ControlPlane = {
  /** The path of a kubeconfig of an administrator. */
  readonly kubeconfigPath: string;
  readonly stop: () => Promise<void>;
};

export type OutsideOptions = ManifestOptions &
  (
    | {
        /** The cluster that the kubeconfig names is used as it is; nothing is started. */
        readonly existing: true;
        /** Instead of KUBECONFIG, the pod's own account and ~/.kube/config. */
        readonly kubeconfigPath?: string;
        readonly context?: string;
      }
    | {
        /** Starts a real control plane: etcd and kube-apiserver, kind, k3d, whatever you have. */
        readonly real: () => Promise<ControlPlane>;
      }
  );

/** A cluster that is not the embedded one, prepared in the same way. */
export type OutsideCluster = {
  readonly url: string;
  readonly transport: () => Transport;
  readonly webhooks?: LocalWebhooks;
  /** Takes the webhook configurations away again, and ends what was started for the test. CRDs stay. */
  readonly stop: () => Promise<void>;
};
