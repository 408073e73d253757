/** The group-versions of kube-apiserver that the embedded server serves, and which of their resources. */
export type BuiltinGroup = {
  readonly group: string;
  readonly version: string;
  /** Plural names without subresources. */
  readonly resources: readonly string[];
};

export const builtinGroups: readonly BuiltinGroup[] = [
  {
    group: '',
    version: 'v1',
    resources: [
      'bindings',
      'componentstatuses',
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'podtemplates',
      'replicationcontrollers',
      'resourcequotas',
      'secrets',
      'serviceaccounts',
      'services',
    ],
  },
  { group: 'apiregistration.k8s.io', version: 'v1', resources: ['apiservices'] },
  {
    group: 'apps',
    version: 'v1',
    resources: ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  },
  { group: 'events.k8s.io', version: 'v1', resources: ['events'] },
  { group: 'authentication.k8s.io', version: 'v1', resources: ['selfsubjectreviews', 'tokenreviews'] },
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    resources: [
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ],
  },
  { group: 'autoscaling', version: 'v2', resources: ['horizontalpodautoscalers'] },
  { group: 'batch', version: 'v1', resources: ['cronjobs', 'jobs'] },
  {
    group: 'networking.k8s.io',
    version: 'v1',
    resources: ['ingressclasses', 'ingresses', 'ipaddresses', 'networkpolicies', 'servicecidrs'],
  },
  { group: 'policy', version: 'v1', resources: ['poddisruptionbudgets'] },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resources: ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    resources: [
      'csidrivers',
      'csinodes',
      'csistoragecapacities',
      'storageclasses',
      'volumeattachments',
      'volumeattributesclasses',
    ],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resources: [
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ],
  },
  { group: 'apiextensions.k8s.io', version: 'v1', resources: ['customresourcedefinitions'] },
  { group: 'scheduling.k8s.io', version: 'v1', resources: ['priorityclasses'] },
  { group: 'coordination.k8s.io', version: 'v1', resources: ['leases'] },
  { group: 'node.k8s.io', version: 'v1', resources: ['runtimeclasses'] },
  { group: 'discovery.k8s.io', version: 'v1', resources: ['endpointslices'] },
  {
    group: 'resource.k8s.io',
    version: 'v1',
    resources: ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  },
];

/** As in `v1` and `apis/apps/v1`: the path below which the group-version is served, without the leading slash. */
export function servedUnder({ group, version }: Pick<BuiltinGroup, 'group' | 'version'>): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}
