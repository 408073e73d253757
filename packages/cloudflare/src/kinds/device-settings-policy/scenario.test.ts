import { getCondition } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { worldOfEachTest } from '../../testing/world-of-each-test.ts';
import type { World } from '../../testing/world.ts';
import { deviceSettingsPolicyKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const policy = (name: string, spec: object): KubeObject =>
  ({
    apiVersion,
    kind: 'DeviceSettingsPolicy',
    metadata: { name },
    spec: { cloudflare: {}, ...spec },
  }) as KubeObject;

let world: World;
worldOfEachTest((made) => (world = made));

const status = (name: string) => world.get(deviceSettingsPolicyKind, { name })?.status;
const ready = (name: string) => getCondition(status(name)?.conditions, 'Ready');
const isReady = (name: string) => (): boolean => {
  const { generation } = world.get(deviceSettingsPolicyKind, { name })?.metadata ?? {};
  return ready(name)?.status === 'True' && ready(name)?.observedGeneration === generation;
};
const profile = (path = '/policy'): string => `/accounts/${world.sim.accountId}/devices${path}`;
const list = (name: string): readonly unknown[] => listAtDashboard(world.sim, `${profile()}/${name}`);
async function deleted(name: string): Promise<void> {
  await world.delete(deviceSettingsPolicyKind, { name });
  await world.waitFor(() => world.get(deviceSettingsPolicyKind, { name }) === undefined);
}

test('a profile that was switched to include is as it was before when the last object goes', async () => {
  const before = list('exclude');
  await world.apply(policy('a', { splitTunnelInclude: [{ address: '10.0.0.0/8' }] }));
  await world.waitFor(isReady('a'));
  expect(list('exclude')).toEqual([]);
  await deleted('a');
  expect(list('exclude')).toEqual(before);
});

test('what is in the list to exclude already stays as it is, and what is new is added', async () => {
  const before = list('exclude');
  const entries = [{ address: '10.0.0.0/8' }, { address: '198.51.100.7' }, { host: '*.example.com' }];
  await world.apply(policy('a', { splitTunnelExclude: entries }));
  await world.waitFor(isReady('a'));
  const description = '[managed-by:DeviceSettingsPolicy//a]';
  const ours = [
    { address: '198.51.100.7/32', description },
    { host: '*.example.com', description },
  ];
  expect(list('exclude')).toEqual([...before, ...ours]);
  await deleted('a');
  expect(list('exclude')).toEqual(before);
});

test('who wants the other mode hears who has it, and has its way when that one goes', async () => {
  await world.apply(policy('first', { splitTunnelExclude: [{ address: '198.51.100.0/24' }] }));
  await world.apply(policy('second', { priority: 10, splitTunnelInclude: [{ address: '10.0.0.0/8' }] }));
  await world.waitFor(() => ready('first')?.reason === 'Conflict' && isReady('second')());
  expect(ready('first')?.message).toContain('DeviceSettingsPolicy/second has the profile in include mode');
  await deleted('second');
  await world.waitFor(isReady('first'));
  expect(list('exclude')).toContainEqual({
    address: '198.51.100.0/24',
    description: '[managed-by:DeviceSettingsPolicy//first]',
  });
});

test('fallback domains are merged, and other servers for a domain are put back', async () => {
  const before = list('fallback_domains');
  const fallbackDomains = [{ suffix: 'corp', dnsServer: ['10.0.0.53'], description: 'ours' }, { suffix: 'lan' }];
  await world.apply(policy('a', { fallbackDomains }));
  await world.waitFor(isReady('a'));
  const ours = {
    suffix: 'corp',
    dns_server: ['10.0.0.53'],
    description: 'ours [managed-by:DeviceSettingsPolicy//a]',
  };
  expect(list('fallback_domains')).toHaveLength(before.length);
  expect(list('fallback_domains')).toContainEqual(ours);
  expect(list('fallback_domains')).toContainEqual({ suffix: 'lan' });
  await deleted('a');
  expect(new Set(list('fallback_domains'))).toEqual(new Set(before));
});

test('a custom profile is found by its id; one that is not there is told', async () => {
  const made = atDashboard(world.sim, 'POST', profile(), { name: 'team', match: 'true', precedence: 1 });
  const profileId = String(made['policy_id']);
  await world.apply([
    policy('team', { profileId, splitTunnelExclude: [{ address: '198.51.100.0/24' }] }),
    policy('lost', { profileId: 'nowhere', splitTunnelExclude: [{ address: '198.51.100.0/24' }] }),
  ]);
  await world.waitFor(() => isReady('team')() && ready('lost')?.status === 'False');
  expect(listAtDashboard(world.sim, profile(`/policy/${profileId}/exclude`)).length).toBe(list('exclude').length + 1);
  expect(ready('lost')?.message).toContain('nowhere');
});

test('networks of NetworkRoutes become entries, by their labels, and follow them', async () => {
  const route = (name: string, network: string, labels: object): KubeObject =>
    ({
      apiVersion,
      kind: 'NetworkRoute',
      metadata: { name, labels },
      spec: { network, tunnelRef: { name: 'edge' }, cloudflare: {} },
    }) as KubeObject;
  await world.apply([route('lab', '198.51.100.0/24', { team: 'lab' }), route('shop', '203.0.113.0/24', {})]);
  const autoPopulateFromRoutes = {
    enabled: true,
    labelSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
  };
  await world.apply(policy('routes', { autoPopulateFromRoutes }));
  await world.waitFor(isReady('routes'));
  const entry = (name: string, address: string): object => ({
    address,
    description: `Auto-populated from NetworkRoute: ${name} [managed-by:DeviceSettingsPolicy//routes]`,
  });
  expect(list('exclude')).toContainEqual(entry('lab', '198.51.100.0/24'));
  expect(status('routes')).toMatchObject({ autoPopulatedRoutesCount: 1 });
  await world.apply(route('shop', '203.0.113.0/24', { team: 'shop' }));
  await world.waitFor(() => status('routes')?.autoPopulatedRoutesCount === 2);
  await world.waitFor(isReady('routes'));
  expect(list('exclude')).toContainEqual(entry('shop', '203.0.113.0/24'));
});

test.each([
  ['spec.splitTunnelExclude[0].address: here is no network', { splitTunnelExclude: [{ address: 'here' }] }],
  [
    'spec.fallbackDomains[1].description is',
    { fallbackDomains: [{ suffix: 'a' }, { suffix: 'b', description: 'x'.repeat(99) }] },
  ],
])('an object with what Cloudflare would not take is told %s, and nobody else is held up', async (message, spec) => {
  await world.apply([policy('wrong', spec), policy('right', { splitTunnelExclude: [{ address: '198.51.100.0/24' }] })]);
  await world.waitFor(() => isReady('right')() && ready('wrong')?.status === 'False');
  expect(ready('wrong')).toMatchObject({ reason: 'InvalidConfig' });
  expect(ready('wrong')?.message).toContain(message);
});

test('of both lists the one of the mode is in force, and that is said', async () => {
  const both = {
    splitTunnelExclude: [{ address: '198.51.100.0/24' }],
    splitTunnelInclude: [{ address: '10.0.0.0/8' }],
  };
  await world.apply(policy('both', both));
  await world.waitFor(isReady('both'));
  expect(ready('both')?.message).toBe('a profile has one mode: spec.splitTunnelInclude is not in force');
});
