import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';

// The parts of a pod that the syncer reads or rewrites. Everything else passes through: the index signature keeps it.

type Rest = Readonly<Record<string, unknown>>;

export type KeyRef = Rest & { readonly name?: string; readonly key?: string; readonly optional?: boolean };
export type FieldRef = Rest & { readonly fieldPath?: string };

export type EnvVar = Rest & {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: Rest & {
    readonly configMapKeyRef?: KeyRef;
    readonly secretKeyRef?: KeyRef;
    readonly fieldRef?: FieldRef;
  };
};

export type EnvSource = Rest & { readonly configMapRef?: KeyRef; readonly secretRef?: KeyRef };

export type ContainerPort = Rest & { readonly containerPort: number; readonly hostPort?: number };

export type ResourceRequests = Readonly<Record<string, string | number>>;

export type Container = Rest & {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvSource[];
  readonly ports?: readonly ContainerPort[];
  readonly restartPolicy?: string;
  readonly resources?: Rest & { readonly requests?: ResourceRequests; readonly limits?: ResourceRequests };
};

export type DownwardItem = Rest & { readonly path: string; readonly fieldRef?: FieldRef };

export type TokenProjection = Rest & {
  readonly path: string;
  readonly audience?: string;
  readonly expirationSeconds?: number;
};

export type Projection = Rest & {
  readonly configMap?: KeyRef;
  readonly secret?: KeyRef;
  readonly downwardAPI?: Rest & { readonly items?: readonly DownwardItem[] };
  readonly serviceAccountToken?: TokenProjection;
};

export type Volume = Rest & {
  readonly name: string;
  readonly configMap?: KeyRef;
  readonly secret?: Rest & { readonly secretName?: string; readonly optional?: boolean };
  readonly persistentVolumeClaim?: Rest & { readonly claimName: string };
  readonly projected?: Rest & { readonly sources?: readonly Projection[] };
  readonly downwardAPI?: Rest & { readonly items?: readonly DownwardItem[] };
  readonly ephemeral?: Rest;
  readonly csi?: Rest & { readonly nodePublishSecretRef?: { readonly name?: string } };
};

export type Toleration = Rest & { readonly key?: string; readonly effect?: string };

export type PodSpec = Rest & {
  readonly nodeName?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly serviceAccountName?: string;
  readonly hostname?: string;
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly dnsConfig?: DnsConfig;
  readonly hostAliases?: readonly Rest[];
  readonly tolerations?: readonly Toleration[];
  readonly activeDeadlineSeconds?: number;
  readonly overhead?: ResourceRequests;
};

export type DnsConfig = Rest & {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly { readonly name: string; readonly value?: string }[];
};

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

/** Pod conditions may lack a reason and a message, other than metav1.Condition. */
export type PodCondition = Rest & {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
};

export type ContainerStatus = Rest & { readonly name: string };

export type PodStatus = Rest & {
  readonly phase?: PodPhase;
  readonly conditions?: readonly PodCondition[];
  readonly reason?: string;
  readonly message?: string;
  readonly startTime?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
};

export type Pod = KubeObject & { readonly spec: PodSpec; readonly status?: PodStatus };

export const podKind = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}
