import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloudflareManifests, credentialsKind, dnsRecordKind, tunnelConverters } from '@tributary/cloudflare';
import { connect, getCondition, namespaceKind, secretKind } from '@tributary/runtime';
import type { Condition, KubeClient } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProgram } from '../create-program.ts';

const operatorNamespace = 'cloudflare-operator-system';
let folder: string;
let cluster: Cluster;
let sim: SimCloudflare;
let client: KubeClient;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloudflare-'));
  [cluster, sim] = await Promise.all([startCluster({ converters: tunnelConverters }), startSimCloudflare()]);
  writeFileSync(join(folder, 'kubeconfig'), cluster.kubeconfig);
  await cluster.install(cloudflareManifests());
  ({ client } = connect({ transport: cluster.transport() }));
});
afterEach(async () => {
  await Promise.all([cluster.stop(), sim.stop()]);
  rmSync(folder, { recursive: true });
});

type Told = { readonly status?: { readonly conditions?: readonly Condition[] } };

/** The program in this process, with a stand-in for `process`. */
function run(...args: readonly string[]): { readonly host: EventEmitter; readonly ended: Promise<unknown> } {
  const env = { CLOUDFLARE_API_BASE_URL: sim.url, ENABLE_WEBHOOKS: 'false' };
  const host = Object.assign(new EventEmitter(), { env, exit: () => undefined });
  const program = createProgram({ host: host as unknown as NodeJS.Process, say: () => undefined });
  return { host, ended: program.parseAsync(['run', 'cloudflare', ...args], { from: 'user' }) };
}

async function makeRecords(namespaces: readonly string[]): Promise<void> {
  const metadata = { namespace: operatorNamespace, name: 'token' };
  const data = { CLOUDFLARE_API_TOKEN: Buffer.from(sim.token).toString('base64') };
  await client.create(secretKind, { metadata, data });
  const spec = { accountId: sim.accountId, secretRef: { name: 'token' }, isDefault: true };
  await client.create(credentialsKind, { metadata: { name: 'main' }, spec } as never);
  for (const namespace of namespaces) {
    await client.create(namespaceKind, { metadata: { name: namespace } });
    const cloudflare = { domain: 'example.com' };
    const record = { name: namespace, type: 'A', content: '192.0.2.1', cloudflare };
    await client.create(dnsRecordKind, { metadata: { namespace, name: 'www' }, spec: record } as never);
  }
}

test('the operator works on the cluster of --kubeconfig, in the namespaces that it is told, with the API that the environment names', async () => {
  await makeRecords(['shop', 'blog', 'other']);
  const quick = ['--debounce', '10ms', '--max-wait', '100ms', '--leader-elect=false'];
  const addresses = ['--health-probe-bind-address', '0', '--log-level', 'error'];
  const watched = ['--watch-namespaces', 'shop, blog'];
  const { host, ended } = run('--kubeconfig', join(folder, 'kubeconfig'), ...quick, ...addresses, ...watched);
  const isReady = (namespace: string): boolean => {
    const found = cluster.client.get(dnsRecordKind, { namespace, name: 'www' }) as Told | undefined;
    return getCondition<Condition>(found?.status?.conditions, 'Ready')?.status === 'True';
  };
  await expect.poll(() => isReady('shop') && isReady('blog'), { timeout: 20_000, interval: 20 }).toBe(true);
  host.emit('SIGTERM');
  await ended;
  expect(cluster.client.get(dnsRecordKind, { namespace: 'other', name: 'www' })?.metadata.finalizers).toBeUndefined();
  const names = sim.journal.calls().filter(({ method, path }) => method === 'POST' && path.includes('/dns_records'));
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(2);
});
