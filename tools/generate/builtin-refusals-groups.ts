import type { RefusalInput } from './builtin-golden-refusals.ts';

const container = { name: 'app', image: 'x' };
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const deployment = (spec: object, change?: object): Omit<RefusalInput, 'name'> => ({
  path: 'apis/apps/v1',
  plural: 'deployments',
  object: { kind: 'Deployment', spec: { selector: { matchLabels: labels }, template, ...spec } },
  ...(change === undefined ? {} : { change }),
});
const job = (spec: object, change?: object): Omit<RefusalInput, 'name'> => ({
  path: 'apis/batch/v1',
  plural: 'jobs',
  object: { kind: 'Job', spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } }, ...spec } },
  ...(change === undefined ? {} : { change }),
});
const ingress = (spec: object): Omit<RefusalInput, 'name'> => ({
  path: 'apis/networking.k8s.io/v1',
  plural: 'ingresses',
  object: { kind: 'Ingress', spec },
});
const rbac = (plural: string, kind: string, rest: object): Omit<RefusalInput, 'name'> => ({
  path: 'apis/rbac.authorization.k8s.io/v1',
  plural,
  object: { kind, ...rest },
});

/** Objects of the other groups with faults. */
export const groupRefusalInputs: readonly RefusalInput[] = [
  { name: 'deployment-mismatch', ...deployment({ selector: { matchLabels: { app: 'other' } } }) },
  { name: 'deployment-empty-selector', ...deployment({ selector: {} }) },
  {
    name: 'deployment-bad-expression',
    ...deployment({
      selector: {
        matchExpressions: [
          { key: 'app', operator: 'In' },
          { key: 'x', operator: 'Near' },
        ],
      },
    }),
  },
  { name: 'deployment-negative', ...deployment({ replicas: -1, minReadySeconds: 700, progressDeadlineSeconds: 600 }) },
  {
    name: 'deployment-standing-still',
    ...deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  },
  {
    name: 'deployment-restart-never',
    ...deployment({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
  },
  {
    name: 'deployment-other-selector',
    ...deployment(
      {},
      { spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } } },
    ),
  },
  { name: 'job-restart-always', ...job({ template: { spec: { containers: [container] } } }) },
  { name: 'job-negative', ...job({ parallelism: -1, backoffLimit: -2, completionMode: 'Indexed' }) },
  { name: 'job-other-completions', ...job({ completions: 1 }, { spec: { completions: 2 } }) },
  {
    name: 'cronjob-bad-schedule',
    path: 'apis/batch/v1',
    plural: 'cronjobs',
    object: {
      kind: 'CronJob',
      spec: {
        schedule: '* * *',
        concurrencyPolicy: 'Maybe',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    },
  },
  {
    name: 'ingress-bad-rules',
    ...ingress({
      rules: [
        {
          host: 'A_b',
          http: {
            paths: [
              { path: 'x', pathType: 'Prefix', backend: { service: { name: 'web' } } },
              { path: '/a/../b', pathType: 'Exact', backend: {} },
              { path: '/' },
            ],
          },
        },
      ],
    }),
  },
  {
    name: 'ingress-bad-host',
    ...ingress({ rules: [{ host: '192.0.2.1' }, { host: '*x.example.com' }], tls: [{ hosts: ['A'] }] }),
  },
  {
    name: 'ingress-both-ports',
    ...ingress({ defaultBackend: { service: { name: 'web', port: { name: 'http', number: 80 } } } }),
  },
  { name: 'role-empty-rule', ...rbac('roles', 'Role', { rules: [{}, { verbs: ['get'], nonResourceURLs: ['/x'] }] }) },
  {
    name: 'binding-bad-subjects',
    ...rbac('rolebindings', 'RoleBinding', {
      roleRef: { kind: 'Thing', name: '', apiGroup: 'other' },
      subjects: [
        { kind: 'Robot', name: 'x' },
        { kind: 'User', name: '' },
      ],
    }),
  },
  {
    name: 'lease-negative',
    path: 'apis/coordination.k8s.io/v1',
    plural: 'leases',
    object: { kind: 'Lease', spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
  },
  {
    name: 'priority-too-high',
    path: 'apis/scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    clusterWide: true,
    object: { kind: 'PriorityClass', value: 2_000_000_000 },
  },
  {
    name: 'priority-changed',
    path: 'apis/scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    clusterWide: true,
    object: { kind: 'PriorityClass', value: 1 },
    change: { value: 2 },
  },
  {
    name: 'storageclass-without-provisioner',
    path: 'apis/storage.k8s.io/v1',
    plural: 'storageclasses',
    clusterWide: true,
    object: { kind: 'StorageClass' },
  },
  {
    name: 'storageclass-changed',
    path: 'apis/storage.k8s.io/v1',
    plural: 'storageclasses',
    clusterWide: true,
    object: { kind: 'StorageClass', provisioner: 'example.com/a' },
    change: { provisioner: 'example.com/b' },
  },
  {
    name: 'statefulset-changed',
    path: 'apis/apps/v1',
    plural: 'statefulsets',
    object: { kind: 'StatefulSet', spec: { serviceName: 'a', selector: { matchLabels: labels }, template } },
    change: { spec: { serviceName: 'b' } },
  },
  {
    name: 'budget-both',
    path: 'apis/policy/v1',
    plural: 'poddisruptionbudgets',
    object: { kind: 'PodDisruptionBudget', spec: { minAvailable: 1, maxUnavailable: 1 } },
  },
];
