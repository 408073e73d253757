import type { GoldenInput } from './builtin-golden.ts';

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] } };
const jobTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1' }] } };

const apps: readonly GoldenInput[] = [
  {
    name: 'deployment-minimal',
    path: 'apis/apps/v1',
    plural: 'deployments',
    object: { kind: 'Deployment', spec: { selector, template } },
    status: { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 },
  },
  {
    name: 'deployment-recreate',
    path: 'apis/apps/v1',
    plural: 'deployments',
    object: { kind: 'Deployment', spec: { replicas: 0, strategy: { type: 'Recreate' }, selector, template } },
  },
  {
    name: 'deployment-surge',
    path: 'apis/apps/v1',
    plural: 'deployments',
    object: { kind: 'Deployment', spec: { strategy: { rollingUpdate: { maxSurge: 2 } }, selector, template } },
  },
  {
    name: 'replicaset-minimal',
    path: 'apis/apps/v1',
    plural: 'replicasets',
    object: { kind: 'ReplicaSet', spec: { selector, template } },
    status: { replicas: 1, readyReplicas: 1 },
  },
  {
    name: 'statefulset-minimal',
    path: 'apis/apps/v1',
    plural: 'statefulsets',
    object: {
      kind: 'StatefulSet',
      spec: {
        serviceName: 'web',
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  },
  {
    name: 'daemonset-minimal',
    path: 'apis/apps/v1',
    plural: 'daemonsets',
    object: {
      kind: 'DaemonSet',
      spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { a: 'b' } } } },
    },
  },
  {
    name: 'controllerrevision-rich',
    path: 'apis/apps/v1',
    plural: 'controllerrevisions',
    object: {
      kind: 'ControllerRevision',
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true }],
      },
      revision: 2,
      data: { spec: {} },
    },
  },
];

const batch: readonly GoldenInput[] = [
  {
    name: 'job-minimal',
    path: 'apis/batch/v1',
    plural: 'jobs',
    object: { kind: 'Job', spec: { template: jobTemplate } },
    status: { active: 1, startTime: '2026-01-01T00:00:00Z' },
  },
  {
    name: 'job-rich',
    path: 'apis/batch/v1',
    plural: 'jobs',
    object: {
      kind: 'Job',
      spec: { parallelism: 2, suspend: true, template: { ...jobTemplate, metadata: { labels: { a: 'b' } } } },
    },
  },
  {
    name: 'cronjob-minimal',
    path: 'apis/batch/v1',
    plural: 'cronjobs',
    object: { kind: 'CronJob', spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
  },
];

/** Objects of apps and batch as users write them. */
export const workloadGoldenInputs: readonly GoldenInput[] = [...apps, ...batch];
