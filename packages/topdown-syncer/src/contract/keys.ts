// Every key that stands on an object of either cluster. Those that begin with kubeocean.io are Kubeocean's, letter by letter;
// those that begin with tributary.io are additions that the original neither reads nor minds.

export const managedByLabel = 'kubeocean.io/managed-by';
export const managedByValue = 'kubeocean';
/** The label selector of everything that a syncer made. */
export const managedSelector = `${managedByLabel}=${managedByValue}`;

export const labels = {
  managedBy: managedByLabel,
  usedByPv: 'kubeocean.io/used-by-pv',
  virtualNamespace: 'kubeocean.io/virtual-namespace',
  workloadType: 'kubeocean.io/workload-type',
  workloadName: 'kubeocean.io/workload-name',
  serviceAccountToken: 'kubeocean.io/service-account-token',
  clusterBinding: 'kubeocean.io/cluster-binding',
  physicalClusterId: 'kubeocean.io/physical-cluster-id',
  physicalNodeName: 'kubeocean.io/physical-node-name',
  physicalNodeUid: 'kubeocean.io/physical-node-uid',
  physicalNodeInnerIp: 'kubeocean.io/physical-node-innerip',
  proxierPort: 'kubeocean.io/proxier_port',
  policyApplied: 'kubeocean.io/policy-applied',
  hostPortFakePod: 'kubeocean.io/hostport-fake-pod',
  nodeType: 'type',
  instanceType: 'node.kubernetes.io/instance-type',
  betaInstanceType: 'beta.kubernetes.io/instance-type',
  hostname: 'kubernetes.io/hostname',
} as const;

export function syncedByLabel(clusterId: string): string {
  return `kubeocean.io/synced-by-${clusterId}`;
}

export const annotations = {
  physicalPodNamespace: 'kubeocean.io/physical-pod-namespace',
  physicalPodName: 'kubeocean.io/physical-pod-name',
  physicalPodUid: 'kubeocean.io/physical-pod-uid',
  lastSyncTime: 'kubeocean.io/last-sync-time',
  virtualPodNamespace: 'kubeocean.io/virtual-pod-namespace',
  virtualPodName: 'kubeocean.io/virtual-pod-name',
  virtualPodUid: 'kubeocean.io/virtual-pod-uid',
  virtualNodeName: 'kubeocean.io/virtual-node-name',
  expectedMetadata: 'kubeocean.io/expected-metadata',
  physicalName: 'kubeocean.io/physical-name',
  physicalNamespace: 'kubeocean.io/physical-namespace',
  virtualName: 'kubeocean.io/virtual-name',
  virtualNamespace: 'kubeocean.io/virtual-namespace',
  serviceAccount: 'kubeocean.io/service-account',
  runningDaemonset: 'kubeocean.io/running-daemonset',
  policiesApplied: 'kubeocean.io/policies-applied',
  policyDetails: 'kubeocean.io/policy-details',
  prometheusUrl: 'kubeocean.io/prometheus-url',
  deletionTaintTime: 'kubeocean.io/deletion-taint-time',
  physicalNodeName: 'kubeocean.io/physical-node-name',
  physicalNodeUid: 'kubeocean.io/physical-node-uid',
  physicalCsiNodeUid: 'kubeocean.io/physical-csinode-uid',
  physicalClusterName: 'kubeocean.io/physical-cluster-name',
} as const;

/** Everything below this prefix is ours alone: never copied from one cluster to the other. */
export const ownPrefix = 'tributary.io/';

export const ownAnnotations = {
  /** On a V pod: the UID of the pod that the mapping beside it was made for. A copied manifest carries another's. */
  mappedFor: 'tributary.io/mapped-for',
  /** On a P pod: the hash of those parts of the V pod's spec that may change while it runs. */
  expectedSpec: 'tributary.io/expected-spec',
} as const;

const ownerPrefix = 'tributary.io/owner-';

/** On everything in P: which virtual cluster (the UID of its kube-system) uses it, one key for each binding that does. */
export function ownerAnnotation(clusterId: string): string {
  return `${ownerPrefix}${clusterId}`;
}

export function isOwnerAnnotation(key: string): boolean {
  return key.startsWith(ownerPrefix);
}

/** Asks for the copy to be given up while the ClusterBinding is deleted; its value is the name of the binding. */
export function deletingAnnotation(clusterId: string): string {
  return `kubeocean.io/deleting-${clusterId}`;
}

const clusterFinalizerPrefix = 'kubeocean.io/finalizer-';

/** On V objects with copies: one for each cluster that has one. */
export function clusterFinalizer(clusterId: string): string {
  return `${clusterFinalizerPrefix}${clusterId}`;
}

export function isClusterFinalizer(finalizer: string): boolean {
  return finalizer.startsWith(clusterFinalizerPrefix);
}

export const finalizers = {
  vnode: 'kubeocean.io/vnode',
  bindingManager: 'kubeocean.io/clusterbinding-manager',
  bindingSyncer: 'kubeocean.io/clusterbinding-syncer',
  policy: 'policy.kubeocean.io/finalizer',
} as const;

export const taints = {
  vnode: 'kubeocean.io/vnode',
  physicalNodeUnschedulable: 'kubeocean.io/physical-node-unschedulable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  outOfTimeWindows: 'kubeocean.io/out-of-time-windows',
  vnodeDeleting: 'kubeocean.io/vnode-deleting',
} as const;

export const priorityClass = { name: 'kubeocean-default', value: -10_000 } as const;

/** Where the V API server and V's DNS are reached from P. */
export const intranetServices = {
  api: { namespace: 'default', name: 'kubernetes-intranet' },
  dns: { namespace: 'kube-system', name: 'kube-dns-intranet' },
} as const;

export const fakePodNamespace = 'kubeocean-fake';

export const ignoredNamespaces: readonly string[] = [
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'kubeocean-system',
  fakePodNamespace,
];

export const podLost = { reason: 'PhysicalPodLost', message: 'Physical pod was deleted unexpectedly' } as const;

export const kubeconfigKey = 'kubeconfig';
