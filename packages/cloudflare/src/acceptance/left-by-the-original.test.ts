import type { KubeObject } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { dnsRecordKind } from '../kinds/dns-record/resource.ts';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { virtualNetworkKind } from '../kinds/virtual-network/resource.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';

// The original kept SyncStates of the same kind, by other names and without what we need to act on them. Whoever switches
// finds everything as it was, and nothing of them in the way.

let world: World | undefined;
afterEach(async () => world?.stop());

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

function object(kind: string, name: string, spec: object, namespace?: string): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, spec } as KubeObject;
}

type Left = { readonly finalizer: string; readonly spec: object; readonly status?: object };

/** As the original wrote them: no key, a time of registration, results in the status. */
async function leave(made: World, name: string, { finalizer, spec, status = {} }: Left): Promise<void> {
  const head = { accountId: made.sim.accountId, credentialsRef: { name: 'main' }, ...spec };
  const labels = { 'cloudflare-operator.io/cloudflare-id': name };
  const metadata = { name, labels, finalizers: [`${finalizer}.sync.cloudflare-operator.io/finalizer`] };
  await made.user.client.create(syncStateKind, { metadata, spec: head } as never);
  const body = { status: { syncStatus: 'Synced', configHash: 'abc', ...status } };
  await made.user.client.patchStatus(syncStateKind, { name }, { type: 'merge', body });
}

function source(kind: string, name: string, config: object, namespace?: string): object {
  return { ref: { kind, name, ...(namespace && { namespace }) }, config, lastUpdated: '2026-01-20T00:00:00Z' };
}

test('SyncStates of the original go, what they stood for stays, and its objects can be deleted later', async () => {
  const made = (world = await createWorld({ replicas: 0 }));
  await made.applyCredentials();
  const account = `/accounts/${made.sim.accountId}`;
  const zone = made.sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
  const comment = '[managed:VirtualNetwork/office] upstairs';
  const network = atDashboard(made.sim, 'POST', `${account}/teamnet/virtual_networks`, { name: 'office', comment });
  const body = { type: 'A', name: 'www.example.com', content: '192.0.2.1', ttl: 1 };
  const record = atDashboard(made.sim, 'POST', `/zones/${zone}/dns_records`, body);
  const tunnel = atDashboard(made.sim, 'POST', `${account}/cfd_tunnel`, { name: 'edge', config_src: 'cloudflare' });
  await made.apply([
    object('VirtualNetwork', 'office', { comment: 'upstairs', cloudflare: {} }),
    object('DNSRecord', 'www', { ...body, cloudflare: { zoneId: zone } }, 'default'),
    object('Tunnel', 'edge', { newTunnel: { name: 'edge' }, cloudflare: {} }, 'default'),
  ]);
  await leave(made, 'virtual-network-pending-office', {
    finalizer: 'virtualnetwork',
    spec: {
      resourceType: 'VirtualNetwork',
      cloudflareId: network.id,
      sources: [source('VirtualNetwork', 'office', { name: 'office', comment: 'upstairs' })],
    },
  });
  for (const [name, cloudflareId] of [
    ['d-n-s-record-pending-default-www', record.id],
    [`d-n-s-record-${record.id}`, record.id],
  ] as const) {
    const sources = [source('DNSRecord', 'www', body, 'default')];
    const spec = { resourceType: 'DNSRecord', cloudflareId, zoneId: zone, sources };
    await leave(made, name, { finalizer: 'dns', spec });
  }
  await leave(made, 'tunnel-lifecycle-tunnel-lifecycle-edge', {
    finalizer: 'tunnellifecycle',
    spec: {
      resourceType: 'TunnelLifecycle',
      cloudflareId: tunnel.id,
      sources: [source('Tunnel', 'edge', { action: 'create', tunnelName: 'edge' }, 'default')],
    },
    status: { resultData: { tunnelId: tunnel.id, tunnelToken: 'eyJhIjoi' } },
  });
  await leave(made, 'd-n-s-record-pending-default-default-web-app-example-com', {
    finalizer: 'dns',
    spec: {
      resourceType: 'DNSRecord',
      cloudflareId: 'gone',
      zoneId: zone,
      sources: [source('IngressAutomatic', 'default-web-app-example-com', body, 'default')],
    },
  });
  made.start('replica-1');
  const isReady = (): boolean =>
    made.get(virtualNetworkKind, { name: 'office' })?.status?.state === 'active' &&
    made.get(dnsRecordKind, { namespace: 'default', name: 'www' })?.status?.state === 'Active' &&
    made.get(tunnelKind, { namespace: 'default', name: 'edge' })?.status?.state === 'active';
  await made.waitFor(isReady);
  await made.clock.advance(10_000);
  expect(made.list(syncStateKind).filter(({ spec }) => spec.key === undefined)).toEqual([]);
  expect(made.get(virtualNetworkKind, { name: 'office' })?.status?.virtualNetworkId).toBe(network.id);
  expect(made.get(dnsRecordKind, { namespace: 'default', name: 'www' })?.status?.recordId).toBe(record.id);
  expect(made.get(tunnelKind, { namespace: 'default', name: 'edge' })?.status?.tunnelId).toBe(tunnel.id);
  expect(made.sim.journal.calls({ method: 'DELETE' })).toEqual([]);

  await made.delete(virtualNetworkKind, { name: 'office' });
  await made.delete(dnsRecordKind, { namespace: 'default', name: 'www' });
  await made.waitFor(() => !made.get(virtualNetworkKind, { name: 'office' }));
  await made.waitFor(() => !made.get(dnsRecordKind, { namespace: 'default', name: 'www' }));
  expect(listAtDashboard(made.sim, `/zones/${zone}/dns_records`)).toEqual([]);
});

test('a SyncState of ours whose key an older CRD does not store stays, and says what to do', async () => {
  const made = (world = await createWorld({ replicas: 0 }));
  await made.applyCredentials();
  const metadata = { name: 'virtual-network-office-0123456789' };
  const spec = {
    resourceType: 'VirtualNetwork',
    cloudflareId: 'office',
    accountId: 'a',
    credentialsRef: { name: 'main' },
  };
  await made.user.client.create(syncStateKind, { metadata, spec } as never);
  made.start('replica-1');
  await made.clock.advance(60_000);
  const { status } = made.get(syncStateKind, metadata) ?? {};
  expect(status?.error).toContain('apply the CRDs of this version');
  expect(made.writeCounts()).toMatchObject({ 'cloudflaresyncstates/status': 2 });
});
