import type { AnyObject } from '../object.ts';
import { toPolicyRules } from './permission.ts';
import type { Permission } from './permission.ts';

/** What differs between the deployments of two operators. */
export type OperatorManifestOptions = {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly replicas: number;
  readonly permissions: readonly Permission[];
  readonly resources: { readonly requests: Quantities; readonly limits: Quantities };
  readonly metricsPort: number;
  readonly healthPort: number;
  readonly volumes?: readonly { readonly name: string; readonly mountPath: string; readonly source: object }[];
  readonly serviceAccount?: string;
  /** Beside the names of pod and namespace, which are always there. */
  readonly env?: readonly object[];
};

type Quantities = Readonly<Record<'cpu' | 'memory', string>>;

/** Everything but the CRDs that an operator needs on a cluster, in the order in which it can be applied. */
export function operatorManifests(options: OperatorManifestOptions): readonly AnyObject[] {
  const { name, namespace, permissions, serviceAccount = name } = options;
  const own = toPolicyRules(permissions.filter((permission) => permission.namespace === 'own'));
  const everywhere = toPolicyRules(permissions.filter((permission) => permission.namespace !== 'own'));
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccount, namespace }];
  const rbac = 'rbac.authorization.k8s.io';
  const roleRef = (kind: string): object => ({ apiGroup: rbac, kind, name });
  const labels = { 'app.kubernetes.io/name': name };
  const at = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...at, name: serviceAccount } },
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules: everywhere },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels },
      roleRef: roleRef('ClusterRole'),
      subjects,
    },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: at, rules: own },
    { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: at, roleRef: roleRef('Role'), subjects },
    toDeployment(options, labels, serviceAccount),
    toDisruptionBudget(at, labels),
  ] as readonly AnyObject[];
}

/** A drain never takes all replicas at once. */
function toDisruptionBudget(metadata: object, matchLabels: object): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels } },
  };
}

function toDeployment(options: OperatorManifestOptions, labels: object, serviceAccountName: string): object {
  const { name, namespace, replicas, volumes = [] } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName,
          terminationGracePeriodSeconds: 40,
          securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [toContainer(options)],
          ...(volumes.length > 0 && { volumes: volumes.map((volume) => ({ name: volume.name, ...volume.source })) }),
        },
      },
    },
  };
}

function toContainer(options: OperatorManifestOptions): object {
  const { args, env = [], healthPort, image, metricsPort, resources, volumes = [] } = options;
  return {
    name: 'operator',
    image,
    args,
    env: [
      { name: 'POD_NAME', ...fieldRef('metadata.name') },
      { name: 'POD_NAMESPACE', ...fieldRef('metadata.namespace') },
      ...env,
    ],
    ports: [
      { name: 'metrics', containerPort: metricsPort },
      { name: 'health', containerPort: healthPort },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 5, periodSeconds: 10 },
    resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(volumes.length > 0 && {
      volumeMounts: volumes.map((volume) => ({ name: volume.name, mountPath: volume.mountPath, readOnly: true })),
    }),
  };
}

function fieldRef(fieldPath: string): object {
  return { valueFrom: { fieldRef: { fieldPath } } };
}
