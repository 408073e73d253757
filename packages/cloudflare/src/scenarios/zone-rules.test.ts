import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { redirectRuleKind } from '../kinds/redirect-rule/resource.ts';
import { transformRuleKind } from '../kinds/transform-rule/resource.ts';
import { zoneRulesetKind } from '../kinds/zone-ruleset/resource.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createToldWorld } from './testing/told-world.ts';
import type { ToldWorld } from './testing/told-world.ts';

type KindName = 'ZoneRuleset' | 'TransformRule' | 'RedirectRule';

let world: ToldWorld<KindName>;
beforeEach(async () => {
  world = await createToldWorld<KindName>({
    ZoneRuleset: zoneRulesetKind,
    TransformRule: transformRuleKind,
    RedirectRule: redirectRuleKind,
  });
});
afterEach(async () => world.stop());

async function put(kind: KindName, name: string, spec: object, annotations = {}): Promise<void> {
  await world.put(kind, name, { zone: 'example.net', ...spec }, annotations);
}

type Rule = { readonly id: string; readonly ref: string; readonly expression: string; readonly description: string };

const waf = 'http_request_firewall_custom';

function entry(phase = waf): string {
  const zone = world.sim.zones.find(({ name }) => name === 'example.net');
  return `/zones/${zone?.id ?? ''}/rulesets/phases/${phase}/entrypoint`;
}

function rules(phase = waf): readonly Rule[] {
  return (atDashboard(world.sim, 'GET', entry(phase))['rules'] ?? []) as readonly Rule[];
}

const said = (phase = waf): readonly string[] => rules(phase).map(({ expression }) => expression);
const block = (expression: string, fields: object = {}): object => ({ expression, action: 'block', ...fields });
const teamA = { phase: waf, rules: [block('ip.src in {1.2.3.0/24}')] };
const teamB = { phase: waf, rules: [block('ip.src in {5.6.7.0/24}')] };
const manual = { expression: 'http.host eq "admin"', action: 'log', description: 'Manual rule by admin' };

const redirects = 'http_request_dynamic_redirect';
const toNew = { target: { url: 'https://example.net/new' } };
const asRule = {
  action: 'redirect',
  actionParameters: { redirect: { targetUrl: { value: 'https://example.net/x' }, statusCode: 302 } },
};

describe('objects of different kinds in one phase', { timeout: 30_000 }, () => {
  test('are sources of one SyncState; a lower priority stands first, then the older, then the order in the object', async () => {
    await put('RedirectRule', 'r', {
      rules: [{ name: 'one', expression: 'http.host eq "1"', ...toNew }],
      wildcardRules: [{ name: 'two', sourceUrl: 'https://2/*', targetUrl: 'https://3/${1}' }],
    });
    await world.untilReady('RedirectRule', 'r');
    await put('ZoneRuleset', 'z', {
      phase: redirects,
      priority: 10,
      rules: [{ ...asRule, expression: 'http.host eq "0"' }],
    });
    await world.untilReady('ZoneRuleset', 'z');
    expect(said(redirects)).toEqual([
      'http.host eq "0"',
      'http.host eq "1"',
      'http.request.full_uri wildcard "https://2/*"',
    ]);
    const states = world.list(syncStateKind).filter(({ spec }) => spec.key?.['phase'] === redirects);
    expect(states.map(({ spec }) => [spec.resourceType, spec.sources?.length])).toEqual([['ZoneRuleset', 2]]);
    expect(world.find('RedirectRule', 'r')?.status).toMatchObject({ state: 'Ready', ruleCount: 2 });
    await world.remove('RedirectRule', 'r');
    expect(said(redirects)).toEqual(['http.host eq "0"']);
  });

  test('a ref that two ask for is that of the first, and the other hears whose', async () => {
    await put('ZoneRuleset', 'a', { ...teamA, rules: [block('http.host eq "a"', { ref: 'same' })] });
    await world.untilReady('ZoneRuleset', 'a');
    await put('ZoneRuleset', 'b', { ...teamB, rules: [block('http.host eq "b"', { ref: 'same' }), block('true')] });
    await world.untilReason('ZoneRuleset', 'b', 'Conflict');
    expect(world.ready('ZoneRuleset', 'b')?.message).toBe(
      'the rule with ref same: ZoneRuleset/default/a has a rule with this ref already',
    );
    expect(said()).toEqual(['http.host eq "a"', 'true']);
  });
});

describe('what goes wrong is said', { timeout: 30_000 }, () => {
  test('a rule that Cloudflare refuses is named with its object, and nothing is written', async () => {
    await put('ZoneRuleset', 'good', teamA);
    await world.untilReady('ZoneRuleset', 'good');
    const before = rules();
    await put('ZoneRuleset', 'bad', { phase: waf, rules: [block('true'), block('(http.host eq "x"')] });
    await world.untilReason('ZoneRuleset', 'bad', 'ValidationFailed');
    expect(world.ready('ZoneRuleset', 'bad')?.message).toContain(
      'rule 2 of ZoneRuleset/default/bad: filter parsing error',
    );
    expect(world.find('ZoneRuleset', 'bad')?.status).toMatchObject({ state: 'Error' });
    expect(rules()).toEqual(before);
    world.clearCounts();
    await world.clock.advance(30 * 60_000);
    expect(world.sim.journal.calls({ write: true })).toEqual([]);
    await world.remove('ZoneRuleset', 'bad');
    await world.waitFor(() => world.ready('ZoneRuleset', 'good')?.status === 'True');
    expect(rules()).toEqual(before);
  });

  test('a ref of somebody else is not taken, until the object says that it may', async () => {
    atDashboard(world.sim, 'PUT', entry(), { rules: [{ ...manual, ref: 'mine' }] });
    const before = rules();
    const spec = { phase: waf, rules: [block('true', { ref: 'mine' })] };
    await put('ZoneRuleset', 'waf', spec);
    await world.untilMessage('ZoneRuleset', 'waf', 'has the ref mine');
    expect(rules()).toEqual(before);
    await put('ZoneRuleset', 'waf', spec, { 'cloudflare-operator.io/adopt': 'true' });
    await world.untilReady('ZoneRuleset', 'waf');
    expect(rules().map(({ id, expression }) => [id, expression])).toEqual([[before[0]?.id, 'true']]);
  });

  const wrong: readonly (readonly [KindName, object, string])[] = [
    ['ZoneRuleset', { phase: 'http_request_redirect', rules: [block('true')] }, 'spec.phase: '],
    [
      'TransformRule',
      { type: 'request_header', rules: [{ name: 'x', expression: 'true' }] },
      'spec.rules[0].headers: ',
    ],
    ['RedirectRule', { rules: [{ name: 'x', expression: 'true', target: {} }] }, 'spec.rules[0].target: '],
    ['RedirectRule', { rules: [] }, 'spec.rules: '],
  ];
  test.each(wrong)('%s that cannot be meant: %o', async (kind, spec, message) => {
    await put(kind, 'wrong', spec);
    await world.untilReason(kind, 'wrong', 'InvalidConfig');
    expect(world.ready(kind, 'wrong')?.message).toContain(message);
    await world.remove(kind, 'wrong');
  });

  test('a zone that is not there is waited for', async () => {
    await put('ZoneRuleset', 'waf', { ...teamA, zone: 'example.invalid' });
    await world.untilReason('ZoneRuleset', 'waf', 'ZoneNotFound');
    expect(world.find('ZoneRuleset', 'waf')?.status).toMatchObject({ state: 'Error' });
  });
});

test('what a person changes in our rules is set back, with the ids as they were', { timeout: 30_000 }, async () => {
  await put('TransformRule', 't', {
    type: 'response_header',
    rules: [{ name: 'hsts', expression: 'true', headers: [{ name: 'X-A', operation: 'set', value: '1' }] }],
  });
  await world.untilReady('TransformRule', 't');
  const phase = 'http_response_headers_transform';
  const before = rules(phase);
  atDashboard(world.sim, 'PUT', entry(phase), { rules: before.map((rule) => ({ ...rule, enabled: false })) });
  await world.waitFor(() => rules(phase)[0]?.['enabled' as never] === true, 2 * 60 * 60_000);
  expect(rules(phase).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('a domain object of the zone tells its id and lends its credentials', { timeout: 30_000 }, async () => {
  await world.apply(`
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: CloudflareDomain
metadata: { name: net }
spec: { domain: example.net }`);
  await put('ZoneRuleset', 'waf', teamA);
  await world.untilReady('ZoneRuleset', 'waf');
  const lookups = world.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'CloudflareDomain');
  expect(lookups.flatMap(({ spec }) => spec.sources?.map(({ ref }) => ref.kind) ?? [])).toEqual(['CloudflareDomain']);
});
