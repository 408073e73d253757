import { configMapKind, crdKind, defineKind, parseYamlDocuments } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contributors } from '../catalog.ts';
import { approvalAnnotation } from '../engine/l5-sync/breaker.ts';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { dnsRecordKind } from '../kinds/dns-record/resource.ts';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { nodeKind, serviceKind } from '../refs/builtin-kinds.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { everyShape, formerTunnels, gatewayApi, gateways } from './testing/every-shape.ts';
import { exampleObjects, unready } from './testing/examples.ts';
import { examplesFolder, installCluster, operatorNamespace } from './testing/installed-cluster.ts';
import type { InstalledCluster } from './testing/installed-cluster.ts';
import { noteRequests } from './testing/request-log.ts';
import type { Asked } from './testing/request-log.ts';
import { runOperator } from './testing/running-operator.ts';
import type { RunningOperator } from './testing/running-operator.ts';
import { until } from './testing/until.ts';

// The operator's own account, and the rights that the manifests give it: what it may not do is seen here at once.
let cluster: InstalledCluster;
let operator: RunningOperator;
let webhookPort = 0;
const asked: Asked[] = [];
const forbidden = (): readonly string[] => [
  ...new Set(asked.filter(({ status }) => status === 403).map(({ what }) => what)),
];

beforeAll(async () => {
  cluster = await installCluster({ rateLimit: 'off' });
  const transport = noteRequests(cluster.ownTransport(), asked);
  operator = runOperator(cluster, { transport, onWebhook: (port) => (webhookPort = port) });
});
afterAll(async () => {
  await operator.stop();
  await cluster.stop();
});

test('every example becomes ready after kubectl apply', async () => {
  const objects = exampleObjects();
  expect(objects.length).toBeGreaterThan(15);
  await cluster.kubectl(['apply', '-R', '-f', examplesFolder]);
  const describe = async (): Promise<unknown> => unready(cluster.client, objects);
  await until('all are ready', async () => (await unready(cluster.client, objects)).length === 0, { describe });
  const { items } = await cluster.client.list(deploymentKind);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['edge', 'office', 'team']));
});

test('every other shape of the kinds becomes ready, and complaints are told as Events', async () => {
  const objects = parseYamlDocuments(everyShape) as readonly KubeObject[];
  await cluster.kubectl(['apply', '-f', '-'], everyShape);
  const addresses = [{ type: 'ExternalIP', address: '203.0.113.30' }];
  const status = { type: 'merge', body: { status: { addresses } } } as const;
  await cluster.client.patchStatus(nodeKind, { name: 'node-1' }, status);
  // The Gateway API comes while the operator runs.
  await cluster.kubectl(['apply', '-f', '-'], gatewayApi);
  await until('the Gateway API is there', async () =>
    cluster.kubectl(['apply', '-f', '-'], gateways).then(
      () => true,
      () => false,
    ),
  );
  const describe = async (): Promise<unknown> => unready(cluster.client, objects);
  await until('all are ready', async () => (await unready(cluster.client, objects)).length === 0, { describe });
  const told = await cluster.kubectl(['get', 'events', '-A', '-o', 'jsonpath={range .items[*]}{.message}{"\\n"}{end}']);
  expect(told).toContain('connect-timeout');
  expect(told).toContain('deprecated');
});

test('the API server trusts the webhook and has it convert tunnels of the older version', async () => {
  await until('the webhook listens', () => webhookPort > 0);
  // There is no network of Services here: the name leads to this machine, and the port to this process. Trust is the operator's.
  const service = { spec: { type: 'ExternalName', externalName: 'localhost', clusterIP: null, clusterIPs: null } };
  const webhookService = { namespace: operatorNamespace, name: 'cloudflare-operator-webhook-service' };
  await cluster.client.patch(serviceKind, webhookService, { type: 'merge', body: service });
  for (const { plural, group } of [tunnelKind, clusterTunnelKind]) {
    const conversion = { webhook: { clientConfig: { service: { port: webhookPort } } } };
    const body = { spec: { conversion } };
    await cluster.client.patch(crdKind, { name: `${plural}.${group}` }, { type: 'merge', body });
  }
  const get = async (resource: string): Promise<unknown> =>
    JSON.parse(await cluster.kubectl(['get', '-o', 'json', resource])) as unknown;
  const apply = async (): Promise<boolean> =>
    cluster.kubectl(['apply', '-f', '-'], formerTunnels).then(
      () => true,
      () => false,
    );
  await until('they are accepted', apply, {
    describe: async () => cluster.kubectl(['apply', '-f', '-'], formerTunnels),
  });
  for (const kind of ['tunnels', 'clustertunnels']) {
    const name = `former-${kind}`;
    const stored = await get(`${kind}.v1alpha2.networking.cloudflare-operator.io/${name}`);
    expect(stored).toMatchObject({
      spec: { deployPatch: expect.stringContaining('"replicas":3') as string, newTunnel: { name } },
    });
    const former = await get(`${kind}.v1alpha1.networking.cloudflare-operator.io/${name}`);
    expect(former).toMatchObject({ spec: { size: 3, newTunnel: { name } } });
    expect(former).not.toHaveProperty('spec.deployPatch');
  }
  const objects = parseYamlDocuments(formerTunnels) as readonly KubeObject[];
  const describe = async (): Promise<unknown> => unready(cluster.client, objects);
  await until('they are ready', async () => (await unready(cluster.client, objects)).length === 0, { describe });
  const deployment = await cluster.client.get(deploymentKind, { namespace: 'default', name: 'former-tunnels' });
  expect(deployment).toMatchObject({ spec: { replicas: 3 } });
});

test('a mass deletion is held with its list in a ConfigMap, and goes on when that is approved', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `many-${index}`);
  const spec = { type: 'A', content: '192.0.2.1', cloudflare: { domain: 'example.net' } };
  const many = names.map((name) => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DNSRecord',
    metadata: { name, namespace: 'default' },
    spec: { ...spec, name },
  }));
  for (const each of many) await cluster.client.create(dnsRecordKind, each as never);
  await until('all are ready', async () => (await unready(cluster.client, many)).length === 0);
  const rest = (await cluster.client.list(dnsRecordKind)).items.filter(
    ({ spec: { cloudflare } }) => cloudflare.domain === 'example.net',
  );
  await Promise.all(
    rest.map(async ({ metadata: { name = '' } }) =>
      cluster.client.delete(dnsRecordKind, { namespace: 'default', name }),
    ),
  );
  const plans = async (): Promise<readonly KubeObject[]> => {
    const { items } = await cluster.client.list(configMapKind, { namespace: operatorNamespace });
    return items.filter(({ metadata }) => metadata.name?.startsWith('deletion-held-'));
  };
  await until('the deletion is held', async () => (await plans()).length > 0);
  expect(await plans()).toHaveLength(1);
  const approveAll = async (): Promise<boolean> => {
    for (const {
      metadata: { name = '' },
    } of await plans()) {
      const annotations = { [approvalAnnotation]: name.replace('deletion-held-', '') };
      await cluster.client.patch(
        configMapKind,
        { namespace: operatorNamespace, name },
        { type: 'merge', body: { metadata: { annotations } } },
      );
    }
    const { items } = await cluster.client.list(dnsRecordKind);
    return items.every(({ spec: { cloudflare } }) => cloudflare.domain !== 'example.net');
  };
  await until('all are gone', approveAll);
});

test('everything goes when it is deleted, and nothing was ever forbidden', async () => {
  await cluster.client.delete(ingressKind, { namespace: 'default', name: 'objects' });
  await cluster.kubectl(['delete', '-R', '-f', examplesFolder, '--ignore-not-found', '--wait=false']);
  for (const text of [everyShape, formerTunnels]) {
    await cluster.kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', '-'], text);
  }
  const states = async (): Promise<readonly unknown[]> =>
    (await cluster.client.list(syncStateKind)).items.map(({ metadata, status }) => [metadata.name, status?.error]);
  await until('no SyncState is left', async () => (await states()).length === 0, { describe: states });
  // Kinds without a finalizer leave what they own to the garbage collector, which does not run here.
  const collected = new Set(contributors.filter(({ finalizer }) => !finalizer).map(({ kind }) => kind.kind));
  const left = (await cluster.client.list(deploymentKind)).items.filter(
    ({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => collected.has(kind)),
  );
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['cloudflare-operator']);
  expect(asked.length).toBeGreaterThan(100);
  expect(forbidden()).toEqual([]);
});

test('without one of the rules the same is forbidden, so that a missing one is seen', async () => {
  const roles = defineKind<KubeObject & { readonly rules: readonly { readonly resources: readonly string[] }[] }>({
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
  });
  const { rules } = await cluster.client.get(roles, { name: 'cloudflare-operator' });
  const without = rules.map((rule) => ({
    ...rule,
    resources: rule.resources.filter((resource) => resource !== 'dnsrecords/status'),
  }));
  const body = { rules: without };
  await cluster.client.patch(roles, { name: 'cloudflare-operator' }, { type: 'merge', body });
  await cluster.kubectl(['apply', '-f', `${examplesFolder}/dns/www.yaml`, '-f', `${examplesFolder}/credentials`]);
  // The server takes a moment to know the role's new rules: each change asks for another write of the status.
  let changes = 0;
  await until('it is refused', async () => {
    const body = { spec: { content: `192.0.2.${(changes += 1)}` } };
    await cluster.client.patch(dnsRecordKind, { namespace: 'default', name: 'www' }, { type: 'merge', body });
    return forbidden().length > 0;
  });
  expect(forbidden()).toEqual(['patch networking.cloudflare-operator.io/dnsrecords/status']);
});
