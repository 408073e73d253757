import type { KubeObject } from '@tributary/runtime';
import { eventKind } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { tunnelBindingKind } from '../kinds/tunnel-binding/resource.ts';
import { defineTunnelBindingContributor } from '../kinds/tunnel-binding/contribute.ts';
import { contributors } from '../catalog.ts';
import { ingress, service } from './testing/ingress-objects.ts';
import { createTunnelWorld } from './testing/tunnel-world.ts';
import type { TunnelWorld } from './testing/tunnel-world.ts';

let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

const at = { namespace: 'default', name: 'shop' };

function binding(hosts: readonly string[], tunnelRef: object = {}, more: object = {}): KubeObject {
  return {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
    kind: 'TunnelBinding',
    metadata: at,
    subjects: hosts.map((fqdn) => ({ name: 'web', spec: { fqdn } })),
    tunnelRef: { kind: 'ClusterTunnel', name: 'edge', ...tunnelRef },
    ...more,
  } as KubeObject;
}

const domain = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'CloudflareDomain',
  metadata: { name: 'example' },
  spec: { domain: 'example.com' },
} as KubeObject;

type Row = { readonly id: string; readonly name: string; readonly type: string; readonly content: string };

function records({ sim }: TunnelWorld): readonly Row[] {
  const zone = sim.zones.find(({ name }) => name === 'example.com');
  const { body } = sim.dashboard('GET', `/zones/${zone?.id ?? ''}/dns_records`);
  return (body as { readonly result: readonly Row[] }).result;
}

function add({ sim }: TunnelWorld, record: object): Row {
  const zone = sim.zones.find(({ name }) => name === 'example.com');
  const { body } = sim.dashboard('POST', `/zones/${zone?.id ?? ''}/dns_records`, { ttl: 1, ...record });
  return (body as { readonly result: Row }).result;
}

test('a binding has rules, a CNAME, a TXT that names it, a status, and takes all of it away again', async () => {
  const made = (world = await createTunnelWorld({}, {}, [domain]));
  await made.apply(binding(['shop.example.com']));
  await made.waitFor(() => records(made).length === 2);
  const [cname] = records(made).filter(({ type }) => type === 'CNAME');
  const [registry] = records(made).filter(({ type }) => type === 'TXT');
  expect(made.routes()).toEqual(['shop.example.com → http://web.default.svc:80']);
  expect(cname).toMatchObject({
    name: 'shop.example.com',
    content: `${made.tunnelId()}.cfargotunnel.com`,
    proxied: true,
  });
  expect(registry?.name).toBe('_managed.shop.example.com');
  expect(JSON.parse(JSON.parse(registry?.content ?? '""') as string)).toEqual({
    DnsId: cname?.id,
    TunnelName: 'edge',
    TunnelId: made.tunnelId(),
  });
  await made.waitFor(() => made.get(tunnelBindingKind, at)?.status?.hostnames === 'shop.example.com');
  expect(made.get(tunnelBindingKind, at)?.status?.services).toEqual([
    { hostname: 'shop.example.com', target: 'http://web.default.svc:80' },
  ]);
  expect(made.list(eventKind).some((event) => event['reason'] === 'Deprecated')).toBe(true);

  await made.apply(binding(['moved.example.com']));
  await made.waitFor(
    () =>
      records(made)
        .map(({ name }) => name)
        .toSorted()
        .join() === '_managed.moved.example.com,moved.example.com',
  );
  await made.delete(tunnelBindingKind, at);
  await made.waitFor(() => !made.get(tunnelBindingKind, at));
  expect([records(made), made.routes()]).toEqual([[], []]);
});

test('a binding that wants no DNS makes none', async () => {
  const made = (world = await createTunnelWorld({}, {}, [domain]));
  await made.apply(binding(['shop.example.com'], { disableDNSUpdates: true }));
  await made.waitFor(() => made.routes().length === 1);
  await made.clock.advance(10_000);
  expect(records(made)).toEqual([]);
});

test('a binding comes before an Ingress, unless its priority says otherwise; then it is told who has its host', async () => {
  const made = (world = await createTunnelWorld({}, {}, [domain, service('other')]));
  const noDns = { disableDNSUpdates: true };
  await made.apply([
    ingress('shop', { host: 'shop.example.com', backend: 'other' }),
    binding(['shop.example.com'], noDns),
  ]);
  const ofBinding = 'shop.example.com → http://web.default.svc:80';
  await made.waitFor(() => made.routes().join() === ofBinding);
  await made.apply(binding(['shop.example.com'], noDns, { priority: 200 }));
  await made.waitFor(() => made.routes().join() === 'shop.example.com → http://other.default.svc:80');
  await made.clock.advance(10_000);
  const told = made.list(eventKind).filter((event) => event['reason'] === 'RuleConflict');
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining('shop.example.com goes to TunnelBinding/default/shop'),
    expect.stringContaining('shop.example.com goes to Ingress/default/shop'),
  ]);
});

const elsewhere = { type: 'CNAME', name: 'shop.example.com', content: 'other.example.com' };

test('a CNAME that nobody has registered is left alone, and taken over when the operator is told so', async () => {
  const made = (world = await createTunnelWorld({}, {}, [domain]));
  add(made, elsewhere);
  await made.apply(binding(['shop.example.com']));
  await made.clock.advance(20_000);
  expect(records(made).map(({ content }) => content)).toEqual(['other.example.com']);
  await made.stop();

  const others = contributors.filter(({ kind }) => kind.kind !== 'TunnelBinding');
  const bold = [...others, defineTunnelBindingContributor({ overwriteUnmanagedDns: true })];
  const second = (world = await createTunnelWorld({ contributors: bold }, {}, [domain]));
  add(second, elsewhere);
  await second.apply(binding(['shop.example.com']));
  await second.waitFor(() => records(second).length === 2);
  expect(records(second).some(({ content }) => content === `${second.tunnelId()}.cfargotunnel.com`)).toBe(true);
});

test('a CNAME that another installation has registered is respected, even then', async () => {
  const others = contributors.filter(({ kind }) => kind.kind !== 'TunnelBinding');
  const bold = [...others, defineTunnelBindingContributor({ overwriteUnmanagedDns: true })];
  const made = (world = await createTunnelWorld({ contributors: bold }, {}, [domain]));
  const theirs = '11111111-1111-4111-8111-111111111111';
  const { id } = add(made, { ...elsewhere, content: `${theirs}.cfargotunnel.com`, proxied: true });
  const registry = JSON.stringify({ DnsId: id, TunnelName: 'theirs', TunnelId: theirs });
  add(made, { type: 'TXT', name: '_managed.shop.example.com', content: registry });
  await made.apply(binding(['shop.example.com']));
  await made.clock.advance(30_000);
  expect(records(made).find(({ type }) => type === 'CNAME')?.content).toBe(`${theirs}.cfargotunnel.com`);
});
