import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// The least that each kind takes, and all that the server makes of it.

const { api } = useServer();
const golden = useGolden('defaults');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const selector = { matchLabels: { a: 'b' } };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const subject = { kind: 'User', name: 'u' };
const rows: readonly (readonly [string, string, Loose])[] = [
  ['Namespace', '/api/v1/namespaces', { metadata: { name: 'defaults-only' } }],
  ['Node', '/api/v1/nodes', {}],
  ['ConfigMap', '/api/v1/namespaces/NS/configmaps', {}],
  ['Secret', '/api/v1/namespaces/NS/secrets', {}],
  ['ServiceAccount', '/api/v1/namespaces/NS/serviceaccounts', {}],
  [
    'Endpoints',
    '/api/v1/namespaces/NS/endpoints',
    { subsets: [{ addresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  ],
  ['Event', '/api/v1/namespaces/NS/events', { involvedObject: { namespace: 'NS' } }],
  [
    'PersistentVolumeClaim',
    '/api/v1/namespaces/NS/persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'PersistentVolume',
    '/api/v1/persistentvolumes',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
  ],
  ['ReplicationController', '/api/v1/namespaces/NS/replicationcontrollers', { spec: { template } }],
  ['ResourceQuota', '/api/v1/namespaces/NS/resourcequotas', { spec: { hard: { pods: '3' } } }],
  ['LimitRange', '/api/v1/namespaces/NS/limitranges', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }],
  ['PodTemplate', '/api/v1/namespaces/NS/podtemplates', { template }],
  ['Deployment', '/apis/apps/v1/namespaces/NS/deployments', { spec: { selector, template } }],
  [
    'StatefulSet',
    '/apis/apps/v1/namespaces/NS/statefulsets',
    {
      spec: {
        selector,
        template,
        serviceName: 's',
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
  ['DaemonSet', '/apis/apps/v1/namespaces/NS/daemonsets', { spec: { selector, template } }],
  ['ReplicaSet', '/apis/apps/v1/namespaces/NS/replicasets', { spec: { selector, template } }],
  ['ControllerRevision', '/apis/apps/v1/namespaces/NS/controllerrevisions', { revision: 1, data: { a: 1 } }],
  ['Job', '/apis/batch/v1/namespaces/NS/jobs', { spec: { template: once } }],
  [
    'CronJob',
    '/apis/batch/v1/namespaces/NS/cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } },
  ],
  [
    'Ingress',
    '/apis/networking.k8s.io/v1/namespaces/NS/ingresses',
    { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  ],
  ['IngressClass', '/apis/networking.k8s.io/v1/ingressclasses', { spec: { controller: 'example.com/c' } }],
  [
    'NetworkPolicy',
    '/apis/networking.k8s.io/v1/namespaces/NS/networkpolicies',
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
  ],
  ['Lease', '/apis/coordination.k8s.io/v1/namespaces/NS/leases', {}],
  [
    'EndpointSlice',
    '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
  ],
  ['Role', '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/roles', { rules: [] }],
  [
    'RoleBinding',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [subject, { kind: 'ServiceAccount', name: 's', namespace: 'NS' }],
    },
  ],
  [
    'ClusterRole',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  ],
  [
    'ClusterRoleBinding',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    { roleRef: { kind: 'ClusterRole', name: 'r' }, subjects: [subject] },
  ],
  ['StorageClass', '/apis/storage.k8s.io/v1/storageclasses', { provisioner: 'example.com/p' }],
  ['CSIDriver', '/apis/storage.k8s.io/v1/csidrivers', {}],
  ['CSINode', '/apis/storage.k8s.io/v1/csinodes', { spec: { drivers: [] } }],
  [
    'VolumeAttachment',
    '/apis/storage.k8s.io/v1/volumeattachments',
    { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
  ],
  ['CSIStorageCapacity', '/apis/storage.k8s.io/v1/namespaces/NS/csistoragecapacities', { storageClassName: 's' }],
  ['PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses', { value: 5 }],
  [
    'PodDisruptionBudget',
    '/apis/policy/v1/namespaces/NS/poddisruptionbudgets',
    { spec: { selector, minAvailable: 1 } },
  ],
];

describe('the defaults of', () => {
  test.each(rows)('%s', async (kind, path, object) => {
    const fill = (value: Loose): Loose => JSON.parse(JSON.stringify(value).replaceAll('NS', namespace));
    const answer = await api.post(
      fill(path),
      { ...fill(object), metadata: { name: 'defaults-only', ...object.metadata } },
      { dryRun: 'All' },
    );
    expect(answer.status).toBe(201);
    expect(answer.body.kind).toBe(kind);
    expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(kind));
  });
});

describe('what each kind requires', () => {
  test.each(rows)('%s without anything', async (kind, path) => {
    const answer = await api.post(
      path.replaceAll('NS', namespace),
      { metadata: { name: 'defaults-only' } },
      { dryRun: 'All' },
    );
    expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(`${kind} without anything`));
  });
});
