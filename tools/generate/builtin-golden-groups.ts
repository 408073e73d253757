import type { GoldenInput } from './builtin-golden.ts';

const selector = { matchLabels: { app: 'web' } };

const networking: readonly GoldenInput[] = [
  {
    name: 'ingress-rich',
    path: 'apis/networking.k8s.io/v1',
    plural: 'ingresses',
    object: {
      kind: 'Ingress',
      spec: {
        ingressClassName: 'tunnel',
        tls: [{ hosts: ['a.example.com'], secretName: 'tls' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
            },
          },
          { host: 'b.example.com' },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }, { hostname: 'lb.example.com' }] } },
  },
  {
    name: 'ingress-minimal',
    path: 'apis/networking.k8s.io/v1',
    plural: 'ingresses',
    object: { kind: 'Ingress', spec: { defaultBackend: { service: { name: 'web', port: { name: 'http' } } } } },
  },
  {
    name: 'ingressclass-rich',
    path: 'apis/networking.k8s.io/v1',
    plural: 'ingressclasses',
    clusterWide: true,
    object: {
      kind: 'IngressClass',
      spec: {
        controller: 'example.com/controller',
        parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'x' },
      },
    },
  },
  {
    name: 'networkpolicy-rich',
    path: 'apis/networking.k8s.io/v1',
    plural: 'networkpolicies',
    object: {
      kind: 'NetworkPolicy',
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [{ to: [{ podSelector: selector }] }] },
    },
  },
];

const rbac: readonly GoldenInput[] = [
  {
    name: 'role-rich',
    path: 'apis/rbac.authorization.k8s.io/v1',
    plural: 'roles',
    object: { kind: 'Role', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
  {
    name: 'rolebinding-rich',
    path: 'apis/rbac.authorization.k8s.io/v1',
    plural: 'rolebindings',
    object: {
      kind: 'RoleBinding',
      roleRef: { kind: 'Role', name: 'role-rich', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { kind: 'User', name: 'ann' },
        { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
        { kind: 'Group', name: 'staff' },
      ],
    },
  },
  {
    name: 'clusterrole-minimal',
    path: 'apis/rbac.authorization.k8s.io/v1',
    plural: 'clusterroles',
    clusterWide: true,
    object: { kind: 'ClusterRole' },
  },
  {
    name: 'clusterrolebinding-rich',
    path: 'apis/rbac.authorization.k8s.io/v1',
    plural: 'clusterrolebindings',
    clusterWide: true,
    object: {
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    },
  },
];

const storage: readonly GoldenInput[] = [
  {
    name: 'storageclass-minimal',
    path: 'apis/storage.k8s.io/v1',
    plural: 'storageclasses',
    clusterWide: true,
    object: {
      kind: 'StorageClass',
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/disk',
    },
  },
  {
    name: 'csidriver-minimal',
    path: 'apis/storage.k8s.io/v1',
    plural: 'csidrivers',
    clusterWide: true,
    object: { kind: 'CSIDriver', spec: {} },
  },
  {
    name: 'csinode-rich',
    path: 'apis/storage.k8s.io/v1',
    plural: 'csinodes',
    clusterWide: true,
    object: { kind: 'CSINode', spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n' }] } },
  },
  {
    name: 'volumeattachment-rich',
    path: 'apis/storage.k8s.io/v1',
    plural: 'volumeattachments',
    clusterWide: true,
    object: {
      kind: 'VolumeAttachment',
      spec: { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
    },
  },
  {
    name: 'csistoragecapacity-rich',
    path: 'apis/storage.k8s.io/v1',
    plural: 'csistoragecapacities',
    object: { kind: 'CSIStorageCapacity', storageClassName: 'fast', capacity: '1024Mi' },
  },
];

const others: readonly GoldenInput[] = [
  {
    name: 'lease-rich',
    path: 'apis/coordination.k8s.io/v1',
    plural: 'leases',
    object: {
      kind: 'Lease',
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2026-01-01T02:00:00.500000+02:00',
        leaseTransitions: 0,
      },
    },
  },
  {
    name: 'endpointslice-rich',
    path: 'apis/discovery.k8s.io/v1',
    plural: 'endpointslices',
    object: {
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }, { addresses: ['192.0.2.2'], conditions: { ready: false } }],
      ports: [{ port: 80 }, { name: 'https', port: 443 }],
    },
  },
  {
    name: 'priorityclass-minimal',
    path: 'apis/scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    clusterWide: true,
    object: { kind: 'PriorityClass', value: 10, description: 'for tests' },
  },
  {
    name: 'poddisruptionbudget-minimal',
    path: 'apis/policy/v1',
    plural: 'poddisruptionbudgets',
    object: { kind: 'PodDisruptionBudget', spec: { selector, maxUnavailable: 1 } },
  },
  {
    name: 'events-minimal',
    path: 'apis/events.k8s.io/v1',
    plural: 'events',
    object: {
      kind: 'Event',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/controller',
      reportingInstance: 'controller-0',
      action: 'Binding',
      reason: 'Scheduled',
      type: 'Normal',
      note: 'bound',
      regarding: { kind: 'Pod', namespace: 'default', name: 'x' },
    },
  },
  {
    name: 'widgets.example.com',
    path: 'apis/apiextensions.k8s.io/v1',
    plural: 'customresourcedefinitions',
    clusterWide: true,
    object: {
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget', shortNames: [] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', minProperties: 0, nullable: false } },
              },
            },
            additionalPrinterColumns: [
              { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 },
            ],
          },
        ],
      },
    },
  },
];

/** Objects of the groups beside core, apps and batch as users write them. */
export const groupGoldenInputs: readonly GoldenInput[] = [...networking, ...rbac, ...storage, ...others];
