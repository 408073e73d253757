import { namespaceKind } from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import { eipKind } from './eip/resource.ts';
import { leaseName } from './main.ts';

export type ManifestOptions = {
  readonly namespace?: string;
  readonly image?: string;
  readonly regionId?: string;
  readonly replicas?: number;
};

const name = 'alibabacloud-eip-operator';
const account = `${name}-controller-manager`;
const labels = { 'app.kubernetes.io/name': name };

/** Everything that the operator needs on a cluster but its credential: names of the original, rights for what it does. */
export function eipManifests(options: ManifestOptions = {}): readonly AnyObject[] {
  const { namespace = `${name}-system`, regionId = 'cn-hangzhou' } = options;
  return [
    { apiVersion: 'v1', kind: namespaceKind.kind, metadata: { name: namespace } },
    { ...eipKind.toCrd() },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    ...toRoles(namespace),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}-config`, namespace },
      data: { 'ctrl-config.yaml': `regionID: ${regionId}\n` },
    },
    toDeployment(options, namespace),
  ];
}

/**
 * V8 lets garbage lie as long as the machine has room. A young generation of a few megabytes costs no time that could be
 * measured here and keeps the process at half the memory.
 */
export const nodeOptions = ['--max-semi-space-size=4', '--max-old-space-size=320'] as const;

/** Never creates or deletes an EIP, never reads a Secret: the credential is mounted. */
export const clusterRules = [
  { apiGroups: ['eip.alibabacloud.com'], resources: ['eips'], verbs: ['get', 'list', 'watch', 'patch'] },
  { apiGroups: ['eip.alibabacloud.com'], resources: ['eips/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: ['get'] },
] as const;

/** A right to create cannot be bound to a name. */
export const leaseRules = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [leaseName], verbs: ['get', 'update'] },
] as const;

function toRoles(namespace: string): readonly AnyObject[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  const lease = `${name}-leader-election`;
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: clusterRules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name },
      subjects,
    },
    { apiVersion, kind: 'Role', metadata: { name: lease, namespace }, rules: leaseRules },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: lease, namespace },
      roleRef: { apiGroup, kind: 'Role', name: lease },
      subjects,
    },
  ];
}

function toDeployment({ image = 'tributary:latest', replicas = 1 }: ManifestOptions, namespace: string): AnyObject {
  const container = {
    name: 'manager',
    image,
    args: [
      'run',
      'alibaba-eip',
      '--leader-elect',
      '--config=/etc/config/ctrl-config.yaml',
      '--credential=/etc/credential/ctrl-secret.yaml',
    ],
    env: [
      fieldEnv('POD_NAME', 'metadata.name'),
      fieldEnv('POD_NAMESPACE', 'metadata.namespace'),
      { name: 'NODE_OPTIONS', value: nodeOptions.join(' ') },
    ],
    ports: [
      { name: 'metrics', containerPort: 8080 },
      { name: 'health', containerPort: 8081 },
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/config', readOnly: true },
      { name: 'credential', mountPath: '/etc/credential', readOnly: true },
    ],
  };
  const template = {
    metadata: { labels },
    spec: {
      serviceAccountName: account,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
      terminationGracePeriodSeconds: 45,
      containers: [container],
      volumes: [
        { name: 'config', configMap: { name: `${name}-config` } },
        // Absent where the ServiceAccount itself has a role (RRSA).
        { name: 'credential', secret: { secretName: `${name}-credentials`, optional: true } },
      ],
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: account, namespace, labels },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

function fieldEnv(env: string, fieldPath: string): object {
  return { name: env, valueFrom: { fieldRef: { fieldPath } } };
}

function probe(path: string): object {
  return { httpGet: { path, port: 'health' }, periodSeconds: 10 };
}
