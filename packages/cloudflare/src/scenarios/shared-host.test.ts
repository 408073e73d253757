import { eventKind } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { tunnelBindingKind } from '../kinds/tunnel-binding/resource.ts';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { clusterTunnel, ingress, ingressClass } from './testing/ingress-objects.ts';
import type { IngressOptions } from './testing/ingress-objects.ts';
import { domain, tunnelBinding } from './testing/crash-objects.ts';
import { createTunnelWorld } from './testing/tunnel-world.ts';
import type { TunnelWorld } from './testing/tunnel-world.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import type { Shown } from '../testing/dashboard.ts';

// One host, several objects that each serve a part of it: the record is theirs together.

const host = 'shop.example.com';
let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

async function start(dnsManagement: 'Automatic' | 'DNSRecord' = 'Automatic'): Promise<TunnelWorld> {
  world = await createTunnelWorld({}, { dnsManagement }, [domain('example.com')]);
  return world;
}

const part = (name: string, options: IngressOptions = {}) => ingress(name, { host, path: `/${name}`, ...options });
const at = (name: string) => ({ namespace: 'default', name });

function addresses(made: TunnelWorld, name: string): readonly (string | undefined)[] {
  const shown = made.get(ingressKind, at(name))?.status?.loadBalancer?.ingress ?? [];
  return shown.map(({ hostname }) => hostname);
}

function records({ sim }: TunnelWorld): readonly Shown[] {
  const zone = sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
  return listAtDashboard(sim, `/zones/${zone}/dns_records`);
}

async function forget({ list, user }: TunnelWorld): Promise<void> {
  const kinds = [ingressKind, syncStateKind] as unknown as readonly Kind<KubeObject>[];
  for (const kind of kinds) {
    for (const { metadata } of list(kind)) {
      const ref = { ...(metadata.namespace && { namespace: metadata.namespace }), name: metadata.name ?? '' };
      await user.client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
      await user.client.delete(kind, ref);
    }
  }
}

function warnings(made: TunnelWorld): readonly string[] {
  return made
    .list(eventKind)
    .map((event) => event as unknown as { readonly type?: string; readonly message?: string })
    .flatMap(({ type, message = '' }) => (type === 'Warning' ? [message] : []));
}

describe('two Ingresses with one host', () => {
  test('have both an address and one record, which goes with the last of them', async () => {
    const made = await start();
    await made.apply([part('cart'), part('blog')]);
    const toTunnel = `${made.tunnelId()}.cfargotunnel.com`;
    await made.waitFor(() => addresses(made, 'cart').length + addresses(made, 'blog').length === 2);
    expect([...addresses(made, 'cart'), ...addresses(made, 'blog')]).toEqual([toTunnel, toTunnel]);
    expect(made.routes()).toHaveLength(2);
    expect(records(made)).toMatchObject([{ name: host, content: toTunnel }]);
    await made.clock.advance(60_000);
    expect(warnings(made)).toEqual([]);

    const winner = String(records(made)[0]?.['comment']).includes('/cart]') ? 'cart' : 'blog';
    const other = winner === 'cart' ? 'blog' : 'cart';
    await made.delete(ingressKind, at(winner));
    await made.waitFor(() => made.get(ingressKind, at(winner)) === undefined);
    expect(records(made)).toMatchObject([{ content: toTunnel, comment: `[managed-by:Ingress/default/${other}]` }]);
    expect(addresses(made, other)).toEqual([toTunnel]);

    await made.delete(ingressKind, at(other));
    await made.waitFor(() => made.get(ingressKind, at(other)) === undefined);
    expect(records(made)).toEqual([]);
  });

  test('find their record again when the cluster has forgotten all, also if the one that it is not marked for comes first', async () => {
    const made = await start();
    await made.apply(part('cart'));
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    await made.clock.advance(2000);
    await made.apply(part('blog'));
    await made.waitFor(() => addresses(made, 'blog').length === 1);
    const [before] = records(made);
    made.kill('replica-1');
    await forget(made);
    await made.apply(part('blog'));
    made.start('replica-2');
    await made.clock.advance(60_000);
    expect(records(made)).toEqual([before]);
    expect(addresses(made, 'blog')).toEqual([]);
    await made.apply(part('cart'));
    await made.waitFor(() => addresses(made, 'cart').length + addresses(made, 'blog').length === 2);
    expect(records(made)).toMatchObject([{ name: host, id: before?.id }]);
  });

  test('that lead to two tunnels: the first has the host, the second is told and takes over', async () => {
    const made = await start();
    const second = ingressClass('second', { dnsManagement: 'Automatic' }, 'second');
    await made.apply([part('cart'), clusterTunnel('second'), ...second]);
    const first = `${made.tunnelId()}.cfargotunnel.com`;
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    await made.clock.advance(2000);
    await made.apply(part('blog', { className: 'second' }));
    await made.waitFor(() => warnings(made).some((message) => message.includes('Ingress/default/cart')));
    await made.clock.advance(20_000);
    expect(addresses(made, 'blog')).toEqual([]);
    expect(records(made)).toMatchObject([{ name: host, content: first }]);

    await made.delete(ingressKind, at('cart'));
    await made.waitFor(() => addresses(made, 'blog').length === 1);
    expect(records(made)).toMatchObject([{ name: host, content: addresses(made, 'blog')[0] }]);
    expect(addresses(made, 'blog')).not.toEqual([first]);
  });

  test('that differ about the proxy: the older one has it, and the other is told', async () => {
    const made = await start();
    await made.apply(part('cart'));
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    await made.clock.advance(2000);
    await made.apply(part('blog', { annotations: { 'cloudflare.com/dns-proxied': 'false' } }));
    await made.waitFor(() => addresses(made, 'blog').length === 1);
    expect(records(made)).toMatchObject([{ name: host, proxied: true }]);
    await made.waitFor(() => warnings(made).some((message) => message.includes('Ingress/default/cart')));
  });
});

describe('two Ingresses with one host and DNSRecords of their own', () => {
  const states = (made: TunnelWorld) =>
    made.list(dnsRecordKind).map(({ metadata, status }) => `${metadata.name ?? ''} ${status?.state ?? ''}`);
  const dnsCalls = ({ sim }: TunnelWorld) =>
    sim.journal.calls().flatMap(({ method, path }) => (path.includes('/dns_records') ? [method] : []));

  test('share its one record: it is never gone while one of them is there', async () => {
    const made = await start('DNSRecord');
    await made.apply([part('cart'), part('blog')]);
    await made.waitFor(() => addresses(made, 'cart').length + addresses(made, 'blog').length === 2);
    await made.clock.advance(20_000);
    expect(states(made)).toEqual(['blog-shop-example-com Active', 'cart-shop-example-com Active']);
    const [only, ...more] = records(made);
    expect([only?.['content'], more]).toEqual([`${made.tunnelId()}.cfargotunnel.com`, []]);
    expect(warnings(made)).toEqual([]);

    const winner = String(only?.['comment']).includes('/cart-') ? 'cart' : 'blog';
    const other = winner === 'cart' ? 'blog' : 'cart';
    made.clearCounts();
    await made.delete(ingressKind, at(winner));
    await made.waitFor(() => made.get(ingressKind, at(winner)) === undefined);
    expect(records(made)).toMatchObject([
      { id: only?.id, comment: `[managed-by:DNSRecord/default/${other}-shop-example-com]` },
    ]);
    expect(dnsCalls(made).filter((method) => method !== 'GET')).toEqual(['PATCH']);

    await made.delete(ingressKind, at(other));
    await made.waitFor(() => made.get(ingressKind, at(other)) === undefined);
    expect([records(made), states(made)]).toEqual([[], []]);
  });

  test('that lead to two tunnels: the second is told on the Ingress itself, has no address, and takes over', async () => {
    const made = await start('DNSRecord');
    await made.apply([part('cart'), clusterTunnel('second')]);
    await made.apply(ingressClass('second', { dnsManagement: 'DNSRecord' }, 'second'));
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    await made.clock.advance(2000);
    await made.apply(part('blog', { className: 'second' }));
    const told = () => made.get(ingressKind, at('blog'))?.metadata.annotations?.['cloudflare-operator.io/dns-problems'];
    await made.waitFor(() => told() !== undefined);
    const problem = `${host}: record ${host}: DNSRecord/default/cart-shop-example-com was there first`;
    expect(told()).toBe(problem);
    expect(warnings(made)).toContain(problem);
    expect(addresses(made, 'blog')).toEqual([]);

    await made.delete(ingressKind, at('cart'));
    await made.waitFor(() => addresses(made, 'blog').length === 1);
    expect(records(made)).toMatchObject([{ name: host, content: addresses(made, 'blog')[0] }]);
    await made.waitFor(() => told() === undefined);
  });

  test('the priority of an Ingress counts for its record', async () => {
    const made = await start('DNSRecord');
    await made.apply(part('cart'));
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    await made.clock.advance(2000);
    const annotations = { 'cloudflare.com/dns-proxied': 'false', 'cloudflare.com/priority': '50' };
    await made.apply(part('blog', { annotations }));
    await made.waitFor(() => records(made)[0]?.['proxied'] === false);
    await made.waitFor(() => states(made).includes('cart-shop-example-com Error'));
    expect(states(made)).toContain('blog-shop-example-com Active');
  });

  test('another way of DNS takes the record over as it is', async () => {
    const made = await start('DNSRecord');
    await made.apply(part('cart'));
    await made.waitFor(() => addresses(made, 'cart').length === 1);
    const [before] = records(made);
    made.clearCounts();
    for (const dnsManagement of ['Automatic', 'DNSRecord']) {
      await made.apply(ingressClass('cloudflare', { dnsManagement }));
      const owner = dnsManagement === 'Automatic' ? 'Ingress/default/cart]' : 'DNSRecord/default/cart-';
      await made.waitFor(() => String(records(made)[0]?.['comment']).includes(owner));
      await made.waitFor(() => made.list(dnsRecordKind).length === (dnsManagement === 'Automatic' ? 0 : 1));
      await made.clock.advance(20_000);
      expect(records(made)).toMatchObject([{ id: before?.id }]);
    }
    expect(dnsCalls(made).filter((method) => method !== 'GET')).toEqual(['PATCH', 'PATCH']);
  });
});

test('a DNSRecord of an Ingress with a long name has labels that a server takes', async () => {
  const made = await start('DNSRecord');
  const name = `${'a'.repeat(62)}-b`;
  await made.apply(ingress(name, { host }));
  await made.waitFor(() => addresses(made, name).length === 1);
  expect(made.list(dnsRecordKind)[0]?.metadata.labels).toMatchObject({ 'cloudflare.com/ingress-name': 'a'.repeat(62) });
});

test('an Ingress and a TunnelBinding with one host share its record, and the registry goes with the binding', async () => {
  const made = await start();
  await made.apply([part('cart'), tunnelBinding('old', [host])]);
  await made.waitFor(() => addresses(made, 'cart').length === 1 && records(made).length === 2);
  await made.clock.advance(30_000);
  expect(warnings(made).filter((message) => !message.includes('deprecated'))).toEqual([]);
  await made.delete(tunnelBindingKind, at('old'));
  await made.waitFor(() => made.get(tunnelBindingKind, at('old')) === undefined);
  expect(records(made)).toMatchObject([{ name: host, comment: '[managed-by:Ingress/default/cart]' }]);
});

test('two TunnelBindings with one host share record and registry', async () => {
  const made = await start();
  await made.apply([tunnelBinding('one', [host]), tunnelBinding('two', [host])]);
  await made.waitFor(() => records(made).length === 2);
  await made.clock.advance(30_000);
  await made.delete(tunnelBindingKind, at('one'));
  await made.waitFor(() => made.get(tunnelBindingKind, at('one')) === undefined);
  await made.clock.advance(30_000);
  expect(
    records(made)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([`_managed.${host}`, host]);
  await made.delete(tunnelBindingKind, at('two'));
  await made.waitFor(() => made.get(tunnelBindingKind, at('two')) === undefined);
  expect(records(made)).toEqual([]);
});
