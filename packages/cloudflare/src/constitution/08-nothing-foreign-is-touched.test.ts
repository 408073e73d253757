import { afterEach, describe, expect, test } from 'vitest';
import { getCondition } from '@tributary/runtime';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { leftovers, manifests, surroundings, tearDown, untilBuilt } from './testing/town.ts';

describe('8. Nothing foreign is touched', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('records, rules, routes, networks and tunnels of others survive a whole life byte for byte', async () => {
    const made = (world = await createWorld());
    const foreign = plant(made);
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    await untilBuilt(made);
    // Their rule joins ours in the tunnel only now: before there was none.
    const rule = plantRule(made);
    const expectUntouched = (): void => {
      expect(rowsOf(made, foreign)).toEqual(foreign);
      expect(rulesOf(made).filter(({ hostname }) => hostname === rule.hostname)).toEqual([rule]);
    };
    await made.apply(manifests({ version: 2 }));
    await untilBuilt(made);
    expectUntouched();
    made.kill('replica-1');
    made.start('replica-2');
    await made.clock.advance(2 * 60 * 60_000);
    expectUntouched();
    const edge = manifests({ version: 2 }).filter(({ kind }) => kind !== 'ClusterTunnel');
    await tearDown(made, edge);
    await made.waitFor(
      () => !leftovers(made).some((one) => one.startsWith('Ingress') || one.startsWith('DNSRecord')),
      300_000,
    );
    await made.clock.advance(30_000);
    expectUntouched();
    expect(rulesOf(made).map(({ hostname }) => hostname)).toEqual([rule.hostname, undefined]);
    await tearDown(made, manifests());
    await made.waitFor(() => leftovers(made).length === 0, 300_000);
    expect(rowsOf(made, foreign)).toEqual(foreign);
  });

  test.each([
    ['[managed-by:DNSRecord/elsewhere/www]', 'OwnedByOther', 'DNSRecord/elsewhere/www'],
    ['heritage of another tool', 'NotOwned', 'cloudflare-operator.io/adopt'],
  ])('a record with the comment %j is a conflict with a clear condition', async (comment, reason, told) => {
    const made = (world = await createWorld());
    const zone = zoneOf(made);
    const record = { type: 'CNAME', name: 'www.example.net', content: 'a.elsewhere.example', comment, ttl: 300 };
    const { id } = atDashboard(made.sim, 'POST', `/zones/${zone}/dns_records`, record);
    const before = made.sim.state.rows('dns_records', zone);
    await made.applyCredentials();
    await made.apply(dnsRecord('www', { type: 'CNAME', content: 'b.elsewhere.example' }));
    await made.clock.advance(60_000);
    const ready = getCondition(
      made.get(dnsRecordKind, { namespace: 'default', name: 'www' })?.status?.conditions,
      'Ready',
    );
    expect(ready).toMatchObject({ status: 'False', reason });
    expect(ready?.message).toContain(told);
    await made.delete(dnsRecordKind, { namespace: 'default', name: 'www' });
    await made.waitFor(() => made.list(dnsRecordKind).length === 0);
    expect(made.sim.state.rows('dns_records', zone)).toEqual(before);
    expect(before.map((row) => row['id'])).toEqual([id]);
  });
});

const zoneOf = ({ sim }: World): string => sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';

const tables = ['dns_records', 'tunnels', 'tunnel_configurations', 'routes', 'virtual_networks'];

/** What others have, as it is stored. */
function plant(world: World): readonly string[] {
  const { sim } = world;
  const account = `/accounts/${sim.accountId}`;
  for (const { id, name } of sim.zones) {
    const record = (fields: object): unknown => atDashboard(sim, 'POST', `/zones/${id}/dns_records`, fields);
    record({ type: 'A', name: `theirs.${name}`, content: '203.0.113.7', comment: 'hands off', ttl: 120 });
    record({ type: 'TXT', name, content: 'v=spf1 -all', ttl: 1 });
    record({ type: 'MX', name: `mail.${name}`, content: 'mx.elsewhere.example', priority: 5, ttl: 300 });
    record({ type: 'CNAME', name: `_acme-challenge.${name}`, content: 'acme.elsewhere.example', ttl: 1 });
  }
  const tunnel = atDashboard(sim, 'POST', `${account}/cfd_tunnel`, { name: 'theirs', config_src: 'cloudflare' });
  const config = { ingress: [{ hostname: 'x.theirs.example', service: 'http://x' }, { service: 'http_status:404' }] };
  sim.dashboard('PUT', `${account}/cfd_tunnel/${tunnel.id}/configurations`, { config });
  const network = atDashboard(sim, 'POST', `${account}/teamnet/virtual_networks`, {
    name: 'theirs',
    comment: 'theirs',
  });
  const route = { network: '172.16.0.0/12', tunnel_id: tunnel.id, virtual_network_id: network.id, comment: 'theirs' };
  atDashboard(sim, 'POST', `${account}/teamnet/routes`, route);
  return allRows(world);
}

function allRows({ sim }: World): readonly string[] {
  return Object.entries(sim.state.dump())
    .filter(([table]) => tables.includes(table))
    .flatMap(([table, scopes]) =>
      Object.values(scopes).flatMap((rows) => rows.map((row) => `${table} ${JSON.stringify(row)}`)),
    );
}

/** Those of the rows that are still there, word by word. */
function rowsOf(world: World, wanted: readonly string[]): readonly string[] {
  const now = new Set(allRows(world));
  return wanted.filter((row) => now.has(row));
}

type Rule = { readonly hostname?: string } & Readonly<Record<string, unknown>>;

function configurationPath(world: World): string {
  const { tunnelId = '' } = world.get(clusterTunnelKind, { name: 'edge' })?.status ?? {};
  return `/accounts/${world.sim.accountId}/cfd_tunnel/${tunnelId}/configurations`;
}

function rulesOf(world: World): readonly Rule[] {
  const { config } = atDashboard(world.sim, 'GET', configurationPath(world)) as unknown as {
    readonly config: { readonly ingress: readonly Rule[] };
  };
  return config.ingress;
}

function plantRule(world: World): Rule {
  const origin = { connectTimeout: 7, noTLSVerify: true, httpHostHeader: 'inside' };
  const rule = {
    hostname: 'theirs.example.com',
    path: '^/(a|b)$',
    service: 'https://10.1.2.3:8443',
    originRequest: origin,
  };
  const config = { ingress: [rule, ...rulesOf(world)] };
  atDashboard(world.sim, 'PUT', configurationPath(world), { config });
  return rulesOf(world).find(({ hostname }) => hostname === rule.hostname) ?? rule;
}
