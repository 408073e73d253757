import type { RefusalInput } from './builtin-golden-refusals.ts';

const container = { name: 'app', image: 'x' };
const core = (plural: string, kind: string, rest: object, change?: object): Omit<RefusalInput, 'name'> => ({
  path: 'api/v1',
  plural,
  object: { kind, ...rest },
  ...(change === undefined ? {} : { change }),
});
const pod = (spec: object, change?: object): Omit<RefusalInput, 'name'> =>
  core('pods', 'Pod', { spec: { containers: [container], ...spec } }, change);
const service = (spec: object, change?: object): Omit<RefusalInput, 'name'> =>
  core('services', 'Service', { spec: { ports: [{ port: 80 }], ...spec } }, change);
const claim = (spec: object, change?: object): Omit<RefusalInput, 'name'> =>
  core(
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } },
    change,
  );

/** Objects of core/v1 with faults. */
export const coreRefusalInputs: readonly RefusalInput[] = [
  { name: 'pod-no-containers', ...pod({ containers: [] }) },
  { name: 'pod-no-name-no-image', ...pod({ containers: [{}] }) },
  { name: 'pod-same-names', ...pod({ containers: [container, container] }) },
  { name: 'pod-bad-name', ...pod({ containers: [{ ...container, name: 'App' }] }) },
  {
    name: 'pod-bad-ports',
    ...pod({ containers: [{ ...container, ports: [{ containerPort: 70_000, protocol: 'HTTP' }, { name: 'UPPER' }] }] }),
  },
  {
    name: 'pod-bad-policies',
    ...pod({ restartPolicy: 'Sometimes', containers: [{ ...container, imagePullPolicy: 'Maybe' }] }),
  },
  {
    name: 'pod-mount-of-nothing',
    ...pod({ containers: [{ ...container, volumeMounts: [{ name: 'none', mountPath: '/x' }] }] }),
  },
  {
    name: 'pod-bad-volumes',
    ...pod({
      volumes: [
        { name: 'a', secret: {} },
        { name: 'a', emptyDir: {} },
        { emptyDir: {}, hostPath: { path: '/' } },
      ],
    }),
  },
  {
    name: 'pod-requests-over-limits',
    ...pod({ containers: [{ ...container, resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }] }),
  },
  {
    name: 'pod-bad-env',
    ...pod({
      containers: [
        {
          ...container,
          env: [
            { name: 'a=b' },
            { name: 'X', value: 'v', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'Y', valueFrom: {} },
          ],
        },
      ],
    }),
  },
  {
    name: 'pod-bad-tolerations',
    ...pod({
      tolerations: [{ operator: 'Equal' }, { key: 'a', operator: 'Exists', value: 'b' }, { key: 'c', effect: 'Never' }],
    }),
  },
  {
    name: 'pod-bad-probe',
    ...pod({
      containers: [{ ...container, livenessProbe: { periodSeconds: -1 }, readinessProbe: { httpGet: { port: 0 } } }],
    }),
  },
  { name: 'pod-bad-selector', ...pod({ nodeSelector: { 'a b': 'c d' }, activeDeadlineSeconds: 0, hostname: 'A.b' }) },
  {
    name: 'pod-init-probe',
    ...pod({ initContainers: [{ name: 'init', image: 'x', readinessProbe: { exec: { command: ['x'] } } }] }),
  },
  { name: 'pod-more-containers', ...pod({}, { spec: { containers: [container, { name: 'b', image: 'y' }] } }) },
  { name: 'pod-longer-deadline', ...pod({ activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: 10 } }) },
  {
    name: 'pod-changed-toleration',
    ...pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }, { spec: { tolerations: [] } }),
  },
  { name: 'pod-added-gate', ...pod({}, { spec: { schedulingGates: [{ name: 'example.com/gate' }] } }) },
  { name: 'service-no-ports', ...service({ ports: [] }) },
  { name: 'service-two-unnamed', ...service({ ports: [{ port: 80 }, { port: 80 }] }) },
  { name: 'service-bad-port', ...service({ ports: [{ port: 0, protocol: 'HTTP', targetPort: 'A' }] }) },
  { name: 'service-bad-type', ...service({ type: 'Internal', sessionAffinity: 'Cookie' }) },
  { name: 'service-node-port-in-cluster', ...service({ ports: [{ port: 80, nodePort: 30_080 }] }) },
  { name: 'service-node-port-out-of-range', ...service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }) },
  { name: 'service-external-without-name', ...service({ type: 'ExternalName' }) },
  { name: 'service-headless-balancer', ...service({ type: 'LoadBalancer', clusterIP: 'None' }) },
  { name: 'service-ip-out-of-range', ...service({ clusterIP: '192.0.2.1' }) },
  {
    name: 'service-moved',
    ...service({ clusterIP: '10.96.100.1' }, { spec: { clusterIP: '10.96.100.2', clusterIPs: ['10.96.100.2'] } }),
  },
  {
    name: 'configmap-bad-keys',
    ...core('configmaps', 'ConfigMap', { data: { 'a b': '', '..': '', c: 'x' }, binaryData: { c: 'eA==' } }),
  },
  {
    name: 'configmap-frozen',
    ...core('configmaps', 'ConfigMap', { data: { a: 'b' }, immutable: true }, { data: { a: 'c' }, immutable: false }),
  },
  {
    name: 'secret-tls-without-key',
    ...core('secrets', 'Secret', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'eA==' } }),
  },
  {
    name: 'secret-docker-without-json',
    ...core('secrets', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } }),
  },
  { name: 'secret-other-type', ...core('secrets', 'Secret', {}, { type: 'example.com/other' }) },
  { name: 'secret-frozen', ...core('secrets', 'Secret', { immutable: true }, { stringData: { a: 'b' } }) },
  { name: 'claim-without-anything', ...core('persistentvolumeclaims', 'PersistentVolumeClaim', { spec: {} }) },
  {
    name: 'claim-bad-modes',
    ...claim({
      accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'Everything'],
      volumeMode: 'Tape',
      storageClassName: 'A',
    }),
  },
  { name: 'claim-of-nothing', ...claim({ resources: { requests: { storage: '0' } } }) },
  {
    name: 'volume-two-sources',
    path: 'api/v1',
    plural: 'persistentvolumes',
    clusterWide: true,
    object: {
      kind: 'PersistentVolume',
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/a' },
        nfs: { server: 'a', path: '/b' },
      },
    },
  },
  {
    name: 'node-bad-taint',
    path: 'api/v1',
    plural: 'nodes',
    clusterWide: true,
    object: { kind: 'Node', spec: { taints: [{ key: 'a b', effect: 'Never' }] } },
  },
  {
    name: 'node-other-provider',
    path: 'api/v1',
    plural: 'nodes',
    clusterWide: true,
    object: { kind: 'Node', spec: { providerID: 'a' } },
    change: { spec: { providerID: 'b' } },
  },
];
