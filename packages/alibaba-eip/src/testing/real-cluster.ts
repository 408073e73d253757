import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  crdKind,
  createKubeClient,
  createUndiciTransport,
  defineKind,
  isAlreadyExists,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { AnyObject, Kind, KubeClient } from '@tributary/runtime';
import { eipKind } from '../eip/resource.ts';
import { eipManifests } from '../manifests.ts';

export type Access = { readonly url: string; readonly ca: string; readonly token: string };

export type RealCluster = {
  /** An administrator's. */
  readonly client: KubeClient;
  /** Of the operator's own ServiceAccount, with no more rights than the manifests give it. */
  readonly kubeconfig: string;
  readonly folder: string;
  readonly close: () => Promise<void>;
};

const namespace = 'alibabacloud-eip-operator-system';
const account = 'alibabacloud-eip-operator-controller-manager';

/** Applies the manifests, as `kubectl apply` would, and makes a kubeconfig for the account in them. */
export async function installOnRealCluster(access: Access): Promise<RealCluster> {
  const auth = staticAuth({ authorization: `Bearer ${access.token}` });
  const transport = createUndiciTransport(
    { access: { server: access.url, tls: { ca: { data: access.ca } }, auth } },
    systemAccessDeps({}),
  );
  const client = createKubeClient({ transport, userAgent: 'user' });
  for (const object of eipManifests()) {
    await client.create(kindOf(object), object, { fieldValidation: 'Strict' }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
  await untilEstablished(client);
  const answer = await client.createSubresource<{ status: { token: string } }>(
    kinds['ServiceAccount'] as Kind,
    { namespace, name: account },
    'token',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  );
  const folder = mkdtempSync(join(tmpdir(), 'eip-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, toKubeconfig({ ...access, token: answer.status.token }));
  return {
    client,
    kubeconfig,
    folder,
    close: async () => {
      await transport.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const core = { group: '', version: 'v1' };
const kinds: Readonly<Record<string, Kind>> = {
  CustomResourceDefinition: crdKind,
  Namespace: defineKind({ ...core, kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' }),
  ServiceAccount: defineKind({ ...core, kind: 'ServiceAccount', plural: 'serviceaccounts', scope: 'Namespaced' }),
  ConfigMap: defineKind({ ...core, kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' }),
  Deployment: defineKind({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    scope: 'Namespaced',
  }),
  Role: defineKind({ ...rbac, kind: 'Role', plural: 'roles', scope: 'Namespaced' }),
  RoleBinding: defineKind({ ...rbac, kind: 'RoleBinding', plural: 'rolebindings', scope: 'Namespaced' }),
  ClusterRole: defineKind({ ...rbac, kind: 'ClusterRole', plural: 'clusterroles', scope: 'Cluster' }),
  ClusterRoleBinding: defineKind({
    ...rbac,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    scope: 'Cluster',
  }),
};

function kindOf({ kind = '' }: AnyObject): Kind {
  const found = kinds[kind];
  if (!found) throw new Error(`the manifests hold a ${kind}, which nobody knows`);
  return found;
}

async function untilEstablished(client: KubeClient): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isServed = await client.list(eipKind, { limit: 1 }).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error('the CRD is not served');
}

function toKubeconfig({ url, ca, token }: Access): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster }],
    users: [{ name: 'operator', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'operator', namespace } }],
    'current-context': 'real',
  });
}
