import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { dnsRecordKind } from '../kinds/dns-record/resource.ts';
import { networkRouteKind } from '../kinds/network-route/resource.ts';
import { virtualNetworkKind } from '../kinds/virtual-network/resource.ts';
import { listAtDashboard } from './dashboard.ts';
import { startRealWorld } from './real-world.ts';
import type { RealWorld } from './real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(async () => world.stop());

const zoneId = (): string => world.sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';
const records = (): readonly unknown[] =>
  listAtDashboard(world.sim, `/zones/${zoneId()}/dns_records`).map(({ name, content }) => [name, content]);

test('a DNS record comes, changes and goes', async () => {
  const ref = { namespace: 'default', name: 'www' };
  const spec = { name: 'www', type: 'A', content: '192.0.2.1', cloudflare: { domain: 'example.net' } };
  await world.client.create(dnsRecordKind, { metadata: ref, spec } as never);
  const { status } = await world.untilReady(dnsRecordKind, ref.name);
  expect(status).toMatchObject({ fqdn: 'www.example.net', zoneId: zoneId(), state: 'Active' });
  expect(records()).toEqual([['www.example.net', '192.0.2.1']]);
  await world.client.patch(dnsRecordKind, ref, { type: 'merge', body: { spec: { content: '192.0.2.2' } } });
  await world.untilReady(dnsRecordKind, ref.name);
  expect(records()).toEqual([['www.example.net', '192.0.2.2']]);
  await world.untilGone(dnsRecordKind, ref.name);
  expect(records()).toEqual([]);
});

test.each([
  ['spec.content', { name: 'a', type: 'A', cloudflare: {} }],
  ['spec.type', { name: 'a', content: 'x', cloudflare: {} }],
  ['spec.sourceRef', { name: 'a', sourceRef: { service: { name: 's' }, node: { name: 'm' } }, cloudflare: {} }],
])('the server refuses what is wrong with %s by name', async (field, spec) => {
  const metadata = { namespace: 'default', name: 'wrong' };
  await expect(world.client.create(dnsRecordKind, { metadata, spec } as never)).rejects.toThrow(field);
});

test('a route in a virtual network comes and goes, and the network after it', async () => {
  const [name, cloudflare] = ['office', {}];
  await world.client.create(virtualNetworkKind, { metadata: { name }, spec: { cloudflare } } as never);
  await world.client.create(clusterTunnelKind, {
    metadata: { name },
    spec: { newTunnel: { name }, cloudflare },
  } as never);
  const spec = { network: 'fd00:20::/64', tunnelRef: { name }, virtualNetworkRef: { name }, cloudflare };
  await world.client.create(networkRouteKind, { metadata: { name: 'lan' }, spec } as never);
  await world.untilReady(networkRouteKind, 'lan');
  const account = `/accounts/${world.sim.accountId}/teamnet`;
  expect(listAtDashboard(world.sim, `${account}/routes?is_deleted=false`)).toMatchObject([
    { network: 'fd00:20::/64', tunnel_name: 'office', virtual_network_name: 'office' },
  ]);
  await Promise.all([world.untilGone(virtualNetworkKind, name), world.untilGone(networkRouteKind, 'lan')]);
  expect(listAtDashboard(world.sim, `${account}/routes?is_deleted=false`)).toEqual([]);
  const left = await world.client.list(syncStateKind);
  expect(left.items.map((state) => state.spec.resourceType)).not.toContain('VirtualNetwork');
});
