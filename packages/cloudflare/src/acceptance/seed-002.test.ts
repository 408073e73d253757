import type { KubeObject } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { zoneRulesetKind } from '../kinds/zone-ruleset/resource.ts';
import { custom, dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { createToldWorld } from '../scenarios/testing/told-world.ts';
import type { ToldWorld } from '../scenarios/testing/told-world.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { unready } from './testing/one-of-each.ts';

// Around the scenarios of seed 002, which are in testing/seed-002-stories.ts; and its tables of marks and priorities.

let world: ToldWorld<'ZoneRuleset'>;
beforeEach(async () => {
  world = await createToldWorld<'ZoneRuleset'>({ ZoneRuleset: zoneRulesetKind });
});
afterEach(async () => world.stop());

const policy = (name: string, spec: object): KubeObject =>
  custom('DeviceSettingsPolicy', name, { cloudflare: {}, ...spec });
const profile = (): string => `/accounts/${world.sim.accountId}/devices/policy`;
const list = (name: string): readonly unknown[] => listAtDashboard(world.sim, `${profile()}/${name}`);
async function put(kind: 'ZoneRuleset', name: string, spec: object): Promise<void> {
  await world.put(kind, name, { zone: 'example.net', ...spec });
}

type Rule = { readonly id: string; readonly expression: string; readonly description: string };

const waf = 'http_request_firewall_custom';
const zonePath = (): string => `/zones/${world.sim.zones.find(({ name }) => name === 'example.net')?.id ?? ''}`;
const entry = (phase = waf): string => `${zonePath()}/rulesets/phases/${phase}/entrypoint`;

function rules(phase = waf): readonly Rule[] {
  return (atDashboard(world.sim, 'GET', entry(phase))['rules'] ?? []) as readonly Rule[];
}

const said = (): readonly string[] => rules().map(({ expression }) => expression);
const block = (expression: string): object => ({ expression, action: 'block' });
const teamA = { phase: waf, rules: [block('ip.src in {1.2.3.0/24}')] };
const teamB = { phase: waf, rules: [block('ip.src in {5.6.7.0/24}')] };
const manual = { expression: 'http.host eq "admin"', action: 'log', description: 'Manual rule by admin' };

describe('scenario 2: several ZoneRulesets in one phase', { timeout: 30_000 }, () => {
  test('both come out in one PUT when they come together', async () => {
    await Promise.all([put('ZoneRuleset', 'a', teamA), put('ZoneRuleset', 'b', teamB)]);
    await world.untilReady('ZoneRuleset', 'a', 'b');
    const puts = world.sim.journal.calls({ write: true }).filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(1);
  });
});

describe('scenario 3: what others have made is kept', { timeout: 30_000 }, () => {
  test('one that comes later, between ours, stays there', async () => {
    await put('ZoneRuleset', 'waf', { phase: waf, rules: [block('http.host eq "a"'), block('http.host eq "b"')] });
    await world.untilReady('ZoneRuleset', 'waf');
    const [first, second] = rules();
    atDashboard(world.sim, 'PUT', entry(), { rules: [first, manual, second] });
    await put('ZoneRuleset', 'waf', { phase: waf, rules: [block('http.host eq "b"'), block('http.host eq "c"')] });
    await world.untilReady('ZoneRuleset', 'waf');
    expect(said()).toEqual(['http.host eq "b"', manual.expression, 'http.host eq "c"']);
    expect([rules()[0]?.id, rules()[2]?.id]).toEqual([second?.id, first?.id]);
  });
});

const inDefault = { namespace: 'default' };

test('the mark stands in the field that the table says: of rules and entries the description, of records and networks the comment', async () => {
  const target = { url: 'https://example.net/new' };
  const rewrite = { urlRewrite: { path: { static: '/new' } } };
  await world.apply([
    custom(
      'ZoneRuleset',
      'z',
      { zone: 'example.net', phase: waf, rules: [{ ...block('true'), description: 'text' }] },
      inDefault,
    ),
    custom(
      'TransformRule',
      't',
      { zone: 'example.net', type: 'url_rewrite', rules: [{ name: 'text', expression: 'true', ...rewrite }] },
      inDefault,
    ),
    custom(
      'RedirectRule',
      'r',
      { zone: 'example.net', rules: [{ name: 'text', expression: 'true', target }] },
      inDefault,
    ),
    policy('d', { splitTunnelInclude: [{ address: '10.0.0.0/8', description: 'text' }] }),
    dnsRecord('www', { content: '192.0.2.1', comment: 'text' }),
    custom('VirtualNetwork', 'v', { comment: 'text', cloudflare: {} }),
  ]);
  await world.waitFor(() => unready(world).length === 0);
  const described = (phase: string): readonly string[] => rules(phase).map(({ description }) => description);
  const networks = listAtDashboard(
    world.sim,
    `/accounts/${world.sim.accountId}/teamnet/virtual_networks?is_deleted=false`,
  );
  expect({
    ZoneRuleset: described(waf),
    TransformRule: described('http_request_transform'),
    RedirectRule: described('http_request_dynamic_redirect'),
    DeviceSettingsPolicy: (list('include') as readonly { readonly description: string }[]).map(
      (one) => one.description,
    ),
    DNSRecord: listAtDashboard(world.sim, `${zonePath()}/dns_records`).map(({ comment }) => comment),
    VirtualNetwork: networks.filter(({ name }) => name === 'v').map(({ comment }) => comment),
  }).toEqual({
    ZoneRuleset: ['text [managed-by:ZoneRuleset/default/z]'],
    TransformRule: ['text [managed-by:TransformRule/default/t]'],
    RedirectRule: ['text [managed-by:RedirectRule/default/r]'],
    DeviceSettingsPolicy: ['text [managed-by:DeviceSettingsPolicy//d]'],
    DNSRecord: ['text [managed-by:DNSRecord/default/www]'],
    VirtualNetwork: ['text [managed-by:VirtualNetwork//v]'],
  });
});

test('priorities: the lower number wins field by field, among equals the older object, and the loser hears of it', async () => {
  const sslOf = (): unknown => atDashboard(world.sim, 'GET', `${zonePath()}/settings/ssl`)['value'];
  const domain = (name: string, mode: string, priority?: number): KubeObject =>
    custom('CloudflareDomain', name, { domain: 'example.net', ssl: { mode }, ...(priority && { priority }) });
  await world.apply(domain('older', 'full'));
  await world.waitFor(() => sslOf() === 'full' && unready(world).length === 0);
  await world.clock.advance(5000);
  await world.apply(domain('newer', 'flexible'));
  await world.clock.advance(10_000);
  expect(sslOf()).toBe('full');
  const losers = (): unknown =>
    world
      .list(syncStateKind)
      .flatMap(({ status: state }) => (state?.losers ?? []).map(({ ref, winner }) => [ref.name, winner.name]));
  expect(losers()).toContainEqual(['newer', 'older']);
  await world.apply(domain('newer', 'flexible', 10));
  await world.waitFor(() => sslOf() === 'flexible');
  await world.clock.advance(5000);
  expect(losers()).toContainEqual(['older', 'newer']);
});
