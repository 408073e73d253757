import type { KubeObject } from '@tributary/runtime';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { expect } from 'vitest';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { deviceSettingsPolicyKind } from '../../kinds/device-settings-policy/resource.ts';
import { zoneRulesetKind } from '../../kinds/zone-ruleset/resource.ts';
import { custom } from '../../scenarios/testing/crash-objects.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { untilGone, untilReady } from './stage.ts';
import type { Stage, Story } from './stage.ts';

// The three scenarios of seed 002, where several objects are about one thing at Cloudflare.

const policy = (name: string, address: string, description?: string): KubeObject =>
  custom('DeviceSettingsPolicy', name, {
    cloudflare: {},
    splitTunnelInclude: [{ address, ...(description && { description }) }],
  });
const include = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/devices/policy/include`;

const devices: Story = {
  name: 'scenario 1: several DeviceSettingsPolicies do not disturb each other, nor others',
  expectStory: async (stage) => {
    const { sim } = stage;
    const list = (): ReadonlySet<unknown> => new Set(listAtDashboard(sim, include(sim)));
    const [aws, office] = [{ name: 'aws-vpc-proxy' }, { name: 'office-network' }];
    await stage.apply(
      policy(aws.name, '10.0.0.0/8', 'AWS VPC'),
      policy(office.name, '192.168.1.0/24', 'Office Network'),
    );
    await untilReady(stage, deviceSettingsPolicyKind, aws, office);
    const ofOffice = {
      address: '192.168.1.0/24',
      description: 'Office Network [managed-by:DeviceSettingsPolicy//office-network]',
    };
    const ofAws = { address: '10.0.0.0/8', description: 'AWS VPC [managed-by:DeviceSettingsPolicy//aws-vpc-proxy]' };
    expect(list()).toEqual(new Set([ofAws, ofOffice]));
    expect((await stage.get(deviceSettingsPolicyKind, aws))?.status).toMatchObject({
      state: 'Ready',
      splitTunnelIncludeCount: 1,
    });

    // Somebody adds an entry at the dashboard. An update keeps it, byte for byte.
    const theirs = { host: 'intranet.example.com', description: 'by hand' };
    atDashboard(sim, 'PUT', include(sim), [...list(), theirs]);
    await stage.apply(policy(aws.name, '10.1.0.0/16'));
    await untilReady(stage, deviceSettingsPolicyKind, aws);
    const moved = { address: '10.1.0.0/16', description: '[managed-by:DeviceSettingsPolicy//aws-vpc-proxy]' };
    expect(list()).toEqual(new Set([moved, ofOffice, theirs]));

    // One goes: the other's entry stays, and the foreign one. The last one goes: only ours go with it.
    await untilGone(stage, deviceSettingsPolicyKind, office);
    expect(list()).toEqual(new Set([moved, theirs]));
    await untilGone(stage, deviceSettingsPolicyKind, aws);
    expect(list()).toEqual(new Set([theirs]));
    expect(await typesOf(stage)).not.toContain('DeviceSettingsPolicy');
  },
};

async function typesOf(stage: Stage): Promise<readonly string[]> {
  return (await stage.list(syncStateKind)).map(({ spec }) => spec.resourceType);
}

const phase = 'http_request_firewall_custom';
const block = (expression: string): object => ({ expression, action: 'block' });
const at = (name: string) => ({ namespace: 'default', name });

function ruleset(name: string, ...expressions: readonly string[]): KubeObject {
  const spec = { zone: 'example.net', phase, rules: expressions.map(block) };
  return custom('ZoneRuleset', name, spec, { namespace: 'default' });
}

type Rule = { readonly expression: string; readonly description: string };

function entry({ zones }: SimCloudflare): string {
  return `/zones/${zones.find(({ name }) => name === 'example.net')?.id ?? ''}/rulesets/phases/${phase}/entrypoint`;
}

function rulesOf({ sim }: Stage): readonly Rule[] {
  return (atDashboard(sim, 'GET', entry(sim))['rules'] ?? []) as readonly Rule[];
}

const rulesets: Story = {
  name: 'scenario 2: several ZoneRulesets in one phase: all rules arrive, each marked; one that goes leaves the other alone',
  expectStory: async (stage) => {
    const [a, b] = ['waf-rules-team-a', 'waf-rules-team-b'] as const;
    await stage.apply(ruleset(a, 'ip.src in {1.2.3.0/24}'));
    await untilReady(stage, zoneRulesetKind, at(a));
    await stage.apply(ruleset(b, 'ip.src in {5.6.7.0/24}'));
    await untilReady(stage, zoneRulesetKind, at(a), at(b));
    const said = rulesOf(stage).map(({ expression, description }) => [expression, description]);
    expect(new Map(said as [string, string][])).toEqual(
      new Map([
        ['ip.src in {1.2.3.0/24}', '[managed-by:ZoneRuleset/default/waf-rules-team-a]'],
        ['ip.src in {5.6.7.0/24}', '[managed-by:ZoneRuleset/default/waf-rules-team-b]'],
      ]),
    );
    const ofB = rulesOf(stage).filter(({ expression }) => expression === 'ip.src in {5.6.7.0/24}');
    await untilGone(stage, zoneRulesetKind, at(a));
    expect(rulesOf(stage)).toEqual(ofB);
    await untilGone(stage, zoneRulesetKind, at(b));
    expect(rulesOf(stage)).toEqual([]);
    expect(await typesOf(stage)).not.toContain('ZoneRuleset');
  },
};

const foreign: Story = {
  name: 'scenario 3: a rule of the dashboard lives beside ours, unchanged, through creation, change and deletion',
  expectStory: async (stage) => {
    const { sim } = stage;
    const manual = { expression: 'http.host eq "admin"', action: 'log', description: 'Manual rule by admin' };
    atDashboard(sim, 'PUT', entry(sim), { description: 'by hand', rules: [manual] });
    const theirs = rulesOf(stage);
    const said = (): readonly string[] => rulesOf(stage).map(({ expression }) => expression);
    await stage.apply(ruleset('waf', 'ip.src in {1.2.3.0/24}'));
    await untilReady(stage, zoneRulesetKind, at('waf'));
    expect(said()).toEqual([manual.expression, 'ip.src in {1.2.3.0/24}']);
    await stage.apply(ruleset('waf', 'true', 'ip.src in {1.2.3.0/24}'));
    await untilReady(stage, zoneRulesetKind, at('waf'));
    expect(said()).toEqual([manual.expression, 'true', 'ip.src in {1.2.3.0/24}']);
    expect(rulesOf(stage).slice(0, 1)).toEqual(theirs);
    await untilGone(stage, zoneRulesetKind, at('waf'));
    expect(rulesOf(stage)).toEqual(theirs);
    expect(atDashboard(sim, 'GET', entry(sim))['description']).toBe('by hand');
  },
};

export const seed002: readonly Story[] = [devices, rulesets, foreign];
