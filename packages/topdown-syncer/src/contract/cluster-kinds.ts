import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import type { PodCondition, ResourceRequests } from './pod.ts';

// The built-in kinds beside Pod, ConfigMap and Secret, as far as the syncer looks into them.

type Rest = Readonly<Record<string, unknown>>;
const core = { group: '', version: 'v1' } as const;

export type Taint = {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
};

export type NodeAddress = { readonly type: string; readonly address: string };

export type Node = KubeObject & {
  readonly spec?: Rest & { readonly taints?: readonly Taint[]; readonly unschedulable?: boolean };
  readonly status?: Rest & {
    readonly capacity?: ResourceRequests;
    readonly allocatable?: ResourceRequests;
    readonly conditions?: readonly PodCondition[];
    readonly addresses?: readonly NodeAddress[];
    readonly phase?: string;
  };
};
export const nodeKind = defineKind<Node>({ ...core, kind: 'Node', plural: 'nodes', scope: 'Cluster' });

export type PersistentVolumeClaim = KubeObject & {
  readonly spec?: Rest & {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly resources?: Rest & { readonly requests?: ResourceRequests };
  };
  readonly status?: Rest & { readonly phase?: string };
};
export const claimKind = defineKind<PersistentVolumeClaim>({
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
});

export type SecretRef = { readonly name?: string; readonly namespace?: string };

export type PersistentVolume = KubeObject & {
  readonly spec?: Rest & {
    readonly capacity?: ResourceRequests;
    readonly csi?: Rest;
    readonly claimRef?: Rest & SecretRef;
  };
};
export const volumeKind = defineKind<PersistentVolume>({
  ...core,
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  scope: 'Cluster',
});

export type Service = KubeObject & {
  readonly spec?: Rest & {
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[];
  };
  readonly status?: Rest & {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
};
export const serviceKind = defineKind<Service>({
  ...core,
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
});

export const serviceAccountKind = defineKind({
  ...core,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
});

export const replicaSetKind = defineKind<KubeObject>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
});

export type PriorityClass = KubeObject & {
  readonly value: number;
  readonly preemptionPolicy?: string;
  readonly globalDefault?: boolean;
  readonly description?: string;
};
export const priorityClassKind = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  scope: 'Cluster',
});

export type NodeLease = KubeObject & {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
};
export const nodeLeaseKind = defineKind<NodeLease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
});

export type CsiNode = KubeObject & { readonly spec: Rest };
export const csiNodeKind = defineKind<CsiNode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  scope: 'Cluster',
});
