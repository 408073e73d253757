import { namespaceKind, operatorManifests, toPolicyRules } from '@tributary/runtime';
import type { AnyObject, Permission } from '@tributary/runtime';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { resourceLeasingPolicyKind } from './contract/resource-leasing-policy.ts';
import {
  csiSecretPermissions,
  mountPermissions,
  nodeLeasePermissions,
  physicalPermissions,
  virtualPermissions,
} from './permissions.ts';

export type TopdownManifestOptions = {
  readonly clusterBindingName?: string;
  readonly clusterId?: string;
  readonly mountNamespace?: string;
  readonly csiSecretNamespaces?: readonly string[];
  /** Where the syncer runs in V. */
  readonly namespace?: string;
  /** Where its account is in P. */
  readonly physicalNamespace?: string;
  readonly image?: string;
  readonly replicas?: number;
};

/** What has to be applied in each of the two clusters, in this order. */
export type TopdownManifests = { readonly virtual: readonly AnyObject[]; readonly physical: readonly AnyObject[] };

const account = 'kubeocean-syncer';
const rbac = 'rbac.authorization.k8s.io';

/**
 * A thousand pods are held twice, once for each cluster. V8 lets garbage lie as long as it has room: a small young generation costs
 * no time that could be measured, and keeps the process below 200 MB.
 */
export const nodeOptions = ['--max-semi-space-size=8', '--max-old-space-size=384'] as const;

/** Names are those of the original's charts: what runs already is replaced by what has its name. */
export function topdownManifests(options: TopdownManifestOptions = {}): TopdownManifests {
  return { virtual: virtualManifests(options), physical: physicalManifests(options) };
}

function virtualManifests(options: TopdownManifestOptions): readonly AnyObject[] {
  const { clusterBindingName = 'worker1', clusterId = 'cls-worker1', namespace = 'kubeocean-system' } = options;
  const { image = 'tributary:latest', replicas = 2, csiSecretNamespaces = [] } = options;
  const name = `kubeocean-syncer-${clusterId}`;
  return [
    { ...clusterBindingKind.toCrd() },
    ...operatorManifests({
      name,
      namespace,
      image,
      replicas,
      serviceAccount: account,
      args: [
        'run',
        'topdown-syncer',
        `--cluster-binding-name=${clusterBindingName}`,
        `--leader-election-id=${name}`,
        ...(csiSecretNamespaces.length > 0 ? [`--csi-secret-namespaces=${csiSecretNamespaces.join(',')}`] : []),
      ],
      env: [{ name: 'NODE_OPTIONS', value: nodeOptions.join(' ') }],
      permissions: virtualPermissions,
      metricsPort: 8080,
      healthPort: 8081,
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '2', memory: '512Mi' } },
    }),
    ...toRole(`${name}-node-leases`, 'kube-node-lease', nodeLeasePermissions, namespace),
  ];
}

function physicalManifests(options: TopdownManifestOptions): readonly AnyObject[] {
  const { mountNamespace = 'kubeocean-mount', physicalNamespace = 'kubeocean-worker' } = options;
  const { csiSecretNamespaces = [] } = options;
  const metadata = { name: account, namespace: physicalNamespace };
  const token = {
    metadata: { ...metadata, name: `${account}-token`, annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
  };
  return [
    { ...resourceLeasingPolicyKind.toCrd() },
    ...[...new Set([physicalNamespace, mountNamespace])].map(toNamespace),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: 'v1', kind: 'Secret', ...token },
    ...toClusterRole(account, physicalPermissions, physicalNamespace),
    ...toRole(account, mountNamespace, mountPermissions, physicalNamespace),
    ...csiSecretNamespaces.flatMap((at) => toRole(`${account}-csi`, at, csiSecretPermissions, physicalNamespace)),
  ];
}

function toNamespace(name: string): AnyObject {
  return { apiVersion: 'v1', kind: namespaceKind.kind, metadata: { name } };
}

function toClusterRole(name: string, permissions: readonly Permission[], accountNamespace: string): AnyObject[] {
  return toGrant('Cluster', { name }, permissions, accountNamespace);
}

function toRole(
  name: string,
  namespace: string,
  permissions: readonly Permission[],
  accountNamespace: string,
): AnyObject[] {
  return toGrant('', { name, namespace }, permissions, accountNamespace);
}

function toGrant(
  scope: 'Cluster' | '',
  metadata: { readonly name: string; readonly namespace?: string },
  permissions: readonly Permission[],
  accountNamespace: string,
): AnyObject[] {
  const kind = `${scope}Role`;
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: accountNamespace }];
  const roleRef = { apiGroup: rbac, kind, name: metadata.name };
  return [
    { apiVersion: `${rbac}/v1`, kind, metadata, rules: toPolicyRules(permissions) },
    { apiVersion: `${rbac}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects },
  ];
}
