import type { GoldenInput } from './builtin-golden.ts';

const container = { name: 'app', image: 'nginx' };

const pods: readonly GoldenInput[] = [
  { name: 'pod-minimal', path: 'api/v1', plural: 'pods', object: { kind: 'Pod', spec: { containers: [container] } } },
  {
    name: 'pod-rich',
    path: 'api/v1',
    plural: 'pods',
    object: {
      kind: 'Pod',
      metadata: { labels: { app: 'rich' }, annotations: {} },
      spec: {
        serviceAccountName: 'web',
        hostNetwork: true,
        nodeSelector: { disk: 'ssd' },
        priorityClassName: 'system-node-critical',
        tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
        activeDeadlineSeconds: 100,
        initContainers: [
          { name: 'first', image: 'busybox:latest', resources: { limits: { cpu: '0.5', memory: '1024Mi' } } },
        ],
        containers: [
          {
            name: 'web',
            image: 'example.com:5000/team/web@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
            stdin: false,
            command: [],
            ports: [{ containerPort: 80 }, { name: 'metrics', containerPort: 9090, protocol: 'UDP' }],
            env: [
              { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
              { name: 'EMPTY', value: '' },
            ],
            livenessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 0 },
            readinessProbe: { tcpSocket: { port: 'metrics' }, periodSeconds: 3 },
            startupProbe: { grpc: { port: 80 } },
            resources: { requests: { cpu: '1000m' }, limits: { cpu: 2, memory: '1.5Gi' } },
            volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
            lifecycle: { preStop: { httpGet: { port: 'metrics' } } },
          },
          { name: 'side', image: 'registry.example.com/side:v1', imagePullPolicy: 'Never' },
        ],
        volumes: [
          { name: 'config', configMap: { name: 'settings' } },
          { name: 'secret', secret: { secretName: 'password', items: [{ key: 'a', path: 'b' }] } },
          { name: 'scratch' },
          { name: 'host', hostPath: { path: '/var/log' } },
          { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
          {
            name: 'claim',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
              },
            },
          },
        ],
      },
    },
  },
];

const services: readonly GoldenInput[] = [
  {
    name: 'service-minimal',
    path: 'api/v1',
    plural: 'services',
    object: { kind: 'Service', spec: { ports: [{ port: 80 }] } },
  },
  {
    name: 'service-loadbalancer',
    path: 'api/v1',
    plural: 'services',
    object: {
      kind: 'Service',
      spec: {
        type: 'LoadBalancer',
        sessionAffinity: 'ClientIP',
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.10' }, { hostname: 'lb.example.com' }] } },
  },
  {
    name: 'service-headless',
    path: 'api/v1',
    plural: 'services',
    object: { kind: 'Service', spec: { clusterIP: 'None', selector: { app: 'db' } } },
  },
  {
    name: 'service-external-name',
    path: 'api/v1',
    plural: 'services',
    object: { kind: 'Service', spec: { type: 'ExternalName', externalName: 'example.com', ports: [{ port: 443 }] } },
  },
  {
    name: 'service-node-port',
    path: 'api/v1',
    plural: 'services',
    object: { kind: 'Service', spec: { type: 'NodePort', ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] } },
  },
];

const simple: readonly GoldenInput[] = [
  { name: 'configmap-minimal', path: 'api/v1', plural: 'configmaps', object: { kind: 'ConfigMap', data: {} } },
  {
    name: 'configmap-rich',
    path: 'api/v1',
    plural: 'configmaps',
    object: { kind: 'ConfigMap', data: { a: 'b' }, binaryData: { c: 'ZA==' }, immutable: true },
  },
  { name: 'secret-minimal', path: 'api/v1', plural: 'secrets', object: { kind: 'Secret' } },
  {
    name: 'secret-rich',
    path: 'api/v1',
    plural: 'secrets',
    object: { kind: 'Secret', data: { a: 'Yg==', c: '' }, stringData: { d: 'e', a: 'x' }, immutable: false },
  },
  {
    name: 'serviceaccount-rich',
    path: 'api/v1',
    plural: 'serviceaccounts',
    object: { kind: 'ServiceAccount', automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] },
  },
  {
    name: 'endpoints-rich',
    path: 'api/v1',
    plural: 'endpoints',
    object: {
      kind: 'Endpoints',
      subsets: [{ addresses: [{ ip: '192.0.2.4' }, { ip: '192.0.2.3' }], ports: [{ port: 80 }] }],
    },
  },
  {
    name: 'event-minimal',
    path: 'api/v1',
    plural: 'events',
    object: { kind: 'Event', involvedObject: { kind: 'Pod', namespace: 'default', name: 'x' } },
  },
  {
    name: 'event-rich',
    path: 'api/v1',
    plural: 'events',
    object: {
      kind: 'Event',
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'x', fieldPath: 'spec.containers{app}' },
      reason: 'Pulled',
      message: ' Container image pulled ',
      type: 'Normal',
      count: 3,
      source: { component: 'kubelet', host: 'node-1' },
      firstTimestamp: '2026-01-01T02:00:00+02:00',
      lastTimestamp: '2026-01-01T00:00:05Z',
    },
  },
  {
    name: 'limitrange-rich',
    path: 'api/v1',
    plural: 'limitranges',
    object: {
      kind: 'LimitRange',
      spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m', memory: '64Mi' } }] },
    },
  },
  {
    name: 'resourcequota-rich',
    path: 'api/v1',
    plural: 'resourcequotas',
    object: { kind: 'ResourceQuota', spec: { hard: { services: '100', 'requests.cpu': '1000' } } },
    status: { hard: { services: '100', 'requests.cpu': '1000' }, used: { services: '2', 'requests.cpu': '500m' } },
  },
  {
    name: 'podtemplate-rich',
    path: 'api/v1',
    plural: 'podtemplates',
    object: { kind: 'PodTemplate', template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } } },
  },
  {
    name: 'replicationcontroller-minimal',
    path: 'api/v1',
    plural: 'replicationcontrollers',
    object: {
      kind: 'ReplicationController',
      spec: { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } } },
    },
  },
];

const clusterWide: readonly GoldenInput[] = [
  {
    name: 'namespace-minimal',
    path: 'api/v1',
    plural: 'namespaces',
    clusterWide: true,
    object: { kind: 'Namespace', metadata: { labels: { team: 'a' } } },
  },
  { name: 'node-minimal', path: 'api/v1', plural: 'nodes', clusterWide: true, object: { kind: 'Node' } },
  {
    name: 'node-rich',
    path: 'api/v1',
    plural: 'nodes',
    clusterWide: true,
    object: {
      kind: 'Node',
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' } },
      spec: {
        podCIDR: '10.1.0.0/24',
        unschedulable: true,
        providerID: 'sim://1',
        taints: [{ key: 'a', effect: 'NoSchedule' }],
      },
    },
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: 110 },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      addresses: [
        { type: 'InternalIP', address: '192.0.2.20' },
        { type: 'Hostname', address: 'node-rich' },
      ],
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: '6.1.0',
        osImage: 'Simulated Linux',
        containerRuntimeVersion: 'sim://1.0',
        kubeletVersion: 'v1.36.3',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  },
  {
    name: 'persistentvolume-rich',
    path: 'api/v1',
    plural: 'persistentvolumes',
    clusterWide: true,
    object: {
      kind: 'PersistentVolume',
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        storageClassName: 'slow',
        hostPath: { path: '/data' },
        claimRef: { namespace: 'default', name: 'claim' },
      },
    },
    status: { phase: 'Bound' },
  },
  {
    name: 'persistentvolumeclaim-minimal',
    path: 'api/v1',
    plural: 'persistentvolumeclaims',
    object: {
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    },
  },
  {
    name: 'persistentvolumeclaim-bound',
    path: 'api/v1',
    plural: 'persistentvolumeclaims',
    object: {
      kind: 'PersistentVolumeClaim',
      spec: {
        accessModes: ['ReadWriteMany'],
        storageClassName: 'fast',
        volumeName: 'pv-1',
        resources: { requests: { storage: '1Gi' } },
      },
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteMany'], capacity: { storage: '5Gi' } },
  },
];

/** Objects of core/v1 as users write them. */
export const coreGoldenInputs: readonly GoldenInput[] = [...pods, ...services, ...simple, ...clusterWide];
