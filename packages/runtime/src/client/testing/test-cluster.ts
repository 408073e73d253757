/** For tests against a real API server: a client for its administrator, a namespace of its own, and some kinds. */
import { inject } from 'vitest';
import type { ProvidedContext } from 'vitest';
import type { Clock } from '../../clock.ts';
import { systemClock, sleep } from '../../clock.ts';
import { defineKind } from '../../kind.ts';
import type { KubeObject } from '../../object.ts';
import { loadClusterAccess } from '../../kubeconfig/load-cluster-access.ts';
import { systemAccessDeps } from '../../kubeconfig/system-access-deps.ts';
import { createKubeClient } from '../create-kube-client.ts';
import type { KubeClientOptions } from '../create-kube-client.ts';
import { isNotFound } from '../error-checks.ts';
import type { KubeClient } from '../kube-client.ts';
import type { Transport } from '../transport.ts';
import { createUndiciTransport } from '../undici-transport.ts';

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };
export type Gadget = KubeObject & {
  readonly spec?: { readonly replicas?: number; readonly color?: string; readonly tags?: readonly string[] };
  readonly status?: { readonly replicas?: number; readonly phase?: string };
};

export const configMaps = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
export const namespaces = defineKind({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
export const serviceAccounts = defineKind({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
});
/** The one kind for which the server keeps no cache of its own, so that it asks the store for old versions. */
export const events = defineKind({ group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' });
export const gadgets = defineKind<Gadget>({
  group: 'client.example.org',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
});
const definitions = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});

export type Cluster = {
  readonly kube: KubeClient;
  readonly transport: Transport;
  readonly plane: ProvidedContext['controlPlane'];
  readonly namespace: string;
  readonly close: () => Promise<void>;
};

export async function openCluster(
  options: Partial<KubeClientOptions> = {},
  clock: Clock = systemClock,
): Promise<Cluster> {
  const plane = inject('controlPlane');
  const deps = systemAccessDeps({});
  const access = await loadClusterAccess({ kubeconfig: plane.kubeconfigPath }, deps);
  const transport = createUndiciTransport({ access }, deps);
  const kube = createKubeClient({ transport, userAgent: 'tributary-client-test', ...options }, { clock });
  const created = await kube.create(namespaces, { metadata: { generateName: 'client-' } });
  const namespace = created.metadata.name ?? '';
  const close = async (): Promise<void> => {
    await kube.delete(namespaces, { name: namespace });
    await transport.close();
  };
  return { kube, transport, plane, namespace, close };
}

/** A kind with status and scale; resolves once the server serves it. */
export async function defineGadgets(kube: KubeClient): Promise<void> {
  const fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const color = { type: 'string', enum: ['red', 'green', 'blue'] };
  const spec = { ...fields, properties: { replicas: { type: 'integer' }, color } };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: fields } } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  };
  const names = { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' };
  await kube.apply(
    definitions,
    {
      metadata: { name: 'gadgets.client.example.org' },
      spec: { group: 'client.example.org', scope: 'Namespaced', names, versions: [version] },
    },
    { fieldManager: 'test', force: true },
  );
  for (;;) {
    const found = await kube.list(gadgets, { limit: 1 }).catch((error: unknown) => error);
    if (!isNotFound(found)) return;
    await sleep(systemClock, 50);
  }
}

/**
 * Makes the store forget versions far below those that anybody still reads. If it has forgotten more already, that
 * is as good.
 */
export async function forgetHistory({ etcdUrl }: ProvidedContext['controlPlane']): Promise<void> {
  await fetch(`${etcdUrl}/v3/kv/compaction`, { method: 'POST', body: JSON.stringify({ revision: '50' }) });
}
