import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { clusterTunnel, ingress, ingressClass, service } from '../scenarios/testing/ingress-objects.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { unready } from './testing/examples.ts';
import { installCluster, operatorNamespace, toDocuments } from './testing/installed-cluster.ts';
import type { InstalledCluster } from './testing/installed-cluster.ts';
import { startOperatorProgram } from './testing/operator-program.ts';
import type { OperatorProgram } from './testing/operator-program.ts';
import { hostsOf, tunnelPath } from './testing/tunnel-rules.ts';
import { pause, until } from './testing/until.ts';

// Three processes of the program as it is shipped, with the rights and the lease that it has in a cluster.
let cluster: InstalledCluster;
let replicas: readonly OperatorProgram[];

beforeAll(async () => {
  cluster = await installCluster({ rateLimit: 'off', latencyMs: 20 });
  replicas = ['replica-1', 'replica-2', 'replica-3'].map((name) => startOperatorProgram(cluster, name));
});
afterAll(async () => {
  await Promise.all(replicas.map(async ({ kill }) => kill()));
  await cluster.stop();
});

const apply = async (objects: readonly KubeObject[]): Promise<string> =>
  cluster.kubectl(['apply', '-f', '-'], toDocuments(objects));
const versions = async (): Promise<readonly unknown[]> =>
  (await cluster.client.list(syncStateKind)).items.map(({ metadata }) => metadata.resourceVersion);

test('ten Ingresses at once: one PUT, one GET at most, a minute of silence, and a change in under two seconds', async () => {
  await apply([clusterTunnel('edge', { cloudflare: { domain: 'example.com' } }), ...ingressClass(), service('web')]);
  await until('the tunnel is ready', async () => (await unready(cluster.client, [clusterTunnel()])).length === 0);
  const path = await tunnelPath(cluster, 'edge');
  const calls = (method: string): number =>
    cluster.sim.journal.calls({ path, method }).filter(({ tokenId }) => tokenId !== 'dashboard').length;
  const ten = Array.from({ length: 10 }, (_, index) => ingress(`app-${index}`));
  cluster.sim.journal.clear();
  await apply(ten);
  await until('all have their address', async () => (await unready(cluster.client, ten)).length === 0);
  expect(await hostsOf(cluster, 'edge')).toEqual([...ten.map(({ metadata }) => `${metadata.name}.example.com`), '*']);
  expect([calls('PUT'), calls('GET') <= 1]).toEqual([1, true]);

  await pause(3000);
  const before = await versions();
  cluster.sim.journal.clear();
  await pause(60_000);
  expect(cluster.sim.journal.calls()).toEqual([]);
  expect(await versions()).toEqual(before);

  const startMs = performance.now();
  await apply([ingress('app-3', { host: 'moved.example.com' })]);
  await until('the change is there', async () => (await hostsOf(cluster, 'edge')).includes('moved.example.com'));
  expect(performance.now() - startMs).toBeLessThan(2000);
});

test('kubectl get cfss tells the story', async () => {
  const rowsOf = async (...args: readonly string[]): Promise<readonly (readonly string[])[]> =>
    (await cluster.kubectl(['get', ...args]))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
  const [head, ...rows] = await rowsOf('cfss');
  expect(head).toEqual(['NAME', 'TYPE', 'CLOUDFLAREID', 'STATUS', 'VERSION', 'AGE']);
  const tunnelId = (await cluster.client.get(clusterTunnelKind, { name: 'edge' })).status?.tunnelId ?? '';
  const configuration = rows.find(([, type]) => type === 'TunnelConfiguration') ?? [];
  expect(configuration.slice(2, 4)).toEqual([tunnelId, 'Synced']);
  expect(rows.map(([, , , status]) => status)).toEqual(rows.map(() => 'Synced'));
  const [wide, ...wideRows] = await rowsOf('syncstate', '-o', 'wide');
  expect(wide).toEqual(['NAME', 'TYPE', 'CLOUDFLAREID', 'REALID', 'STATUS', 'VERSION', 'AGE']);
  expect(wideRows.find(([, type]) => type === 'TunnelLifecycle')?.[3]).toBe(tunnelId);
});

test('the leader dies in the middle of a sync: nothing is lost and nothing doubled', async () => {
  await apply(ingressClass('automatic', { dnsManagement: 'Automatic' }));
  const names = Array.from({ length: 150 }, (_, index) => `r-${index}`);
  const records = names.map((name) => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DNSRecord',
    metadata: { name, namespace: 'default' },
    spec: { name, type: 'A', content: '192.0.2.1', cloudflare: { domain: 'example.net' } },
  }));
  const more = Array.from({ length: 30 }, (_, index) => ingress(`more-${index}`, { className: 'automatic' }));
  const zone = (domain: string): string => cluster.sim.zones.find(({ name }) => name === domain)?.id ?? '';
  const landed = (domain: string): readonly string[] =>
    listAtDashboard(cluster.sim, `/zones/${zone(domain)}/dns_records?per_page=1000`).map(({ name }) => name);
  // So slow that some of it is still on its way when the leader dies.
  const path = `/zones/${zone('example.com')}/dns_records*`;
  const slow = cluster.sim.faults.arm({
    match: { method: 'POST', path },
    fault: { kind: 'latency', ms: 8000 },
    count: 'always',
  });
  const applied = apply([...records, ...more] as readonly KubeObject[]);
  await until('the first records are there', () => landed('example.net').length > 0);
  await until('others are on their way', () => cluster.sim.faults.list().some(({ hit }) => hit > 0));
  const leases = defineKind<KubeObject & { readonly spec: { readonly holderIdentity: string } }>({
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    scope: 'Namespaced',
  });
  const { spec } = await cluster.client.get(leases, {
    namespace: operatorNamespace,
    name: '9f193cf8.cloudflare-operator.io',
  });
  const leader = replicas.find(({ name }) => spec.holderIdentity.startsWith(name));
  await leader?.kill();
  cluster.sim.faults.disarm(slow);
  const doneThen = landed('example.net').length + landed('example.com').length;
  expect(doneThen).toBeLessThan(180);
  await applied;
  const all = [...records, ...more];
  const left = async (): Promise<readonly string[]> => unready(cluster.client, all);
  await until('all are ready', async () => (await left()).length === 0, { limitMs: 60_000, describe: left });
  await until('all records are there', () => landed('example.com').length >= 30);
  expect(landed('example.net').toSorted()).toEqual(names.map((name) => `${name}.example.net`).toSorted());
  const hosts = more.map(({ metadata }) => `${metadata.name}.example.com`);
  expect(landed('example.com').toSorted()).toEqual(hosts.toSorted());
  expect(await hostsOf(cluster, 'edge')).toEqual(expect.arrayContaining([...hosts, 'moved.example.com']));
  expect((await hostsOf(cluster, 'edge')).length).toBe(41);
  const { items } = await cluster.client.list(syncStateKind);
  expect(items.filter(({ status }) => status?.syncStatus !== 'Synced')).toEqual([]);
  expect((await cluster.client.list(ingressKind)).items).toHaveLength(40);
  expect(replicas.filter(({ isRunning }) => isRunning())).toHaveLength(2);
});
