import type { Transport } from '@tributary/runtime/transport';
import type { NewUser } from '../auth/create-users.ts';
import type { ManifestOptions } from '../gather-manifests.ts';
import type { LocalWebhooks } from '../local-webhooks/open-webhooks.ts';

/** A real control plane that was started for the test: how to reach it, and how to end it. */
export type ControlPlane = {
  /** The path of a kubeconfig of an administrator. */
  readonly kubeconfigPath: string;
  readonly stop: () => Promise<void>;
};

/** etcd and kube-apiserver are started, from the programs that KUBEBUILDER_ASSETS names, and end with the cluster. */
export type RealOptions = ManifestOptions & {
  readonly real: true;
  /** Instead of KUBEBUILDER_ASSETS. */
  readonly assetsPath?: string;
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
        /** Starts a control plane of your own: kind, k3d, whatever you have. */
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

/** A real API server that was started for the test alone. */
export type RealCluster = OutsideCluster & {
  /** Of an administrator. */
  readonly kubeconfig: string;
  /** Somebody with a certificate, and with no rights but those that roles give. */
  readonly addUser: (user: NewUser) => { readonly kubeconfig: string };
};
