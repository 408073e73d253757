import type { Kind, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allKinds } from '../../catalog.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { startRealWorld } from '../../testing/real-world.ts';
import type { RealWorld } from '../../testing/real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(async () => world.stop());

function kindOf(name: string): Kind<KubeObject> {
  const found = allKinds.find(({ kind }) => kind === name);
  if (!found) throw new Error(`there is no kind ${name}`);
  return found;
}

async function make(kind: string, name: string, spec: object): Promise<void> {
  await world.create(kindOf(kind), name, { cloudflare: {}, ...spec });
}

const account = (path: string): string => `/accounts/${world.sim.accountId}/${path}`;

test('entries of two policies stand in one list with those of others, and go one by one', async () => {
  const before = listAtDashboard(world.sim, account('devices/policy/exclude'));
  await make('DeviceSettingsPolicy', 'a', { splitTunnelExclude: [{ address: '198.51.100.0/24' }] });
  await make('DeviceSettingsPolicy', 'b', { splitTunnelExclude: [{ host: 'b.example.com' }] });
  await world.untilReady(kindOf('DeviceSettingsPolicy'), 'a');
  await world.untilReady(kindOf('DeviceSettingsPolicy'), 'b');
  expect(listAtDashboard(world.sim, account('devices/policy/exclude'))).toHaveLength(before.length + 2);
  await world.untilGone(kindOf('DeviceSettingsPolicy'), 'a');
  expect(listAtDashboard(world.sim, account('devices/policy/exclude'))).toEqual([
    ...before,
    { host: 'b.example.com', description: '[managed-by:DeviceSettingsPolicy//b]' },
  ]);
  await world.untilGone(kindOf('DeviceSettingsPolicy'), 'b');
  expect(listAtDashboard(world.sim, account('devices/policy/exclude'))).toEqual(before);
});

test('lists, rules, posture rules and the configuration come, change and go', async () => {
  await make('GatewayList', 'bad', { type: 'DOMAIN', items: [{ value: 'a.com' }] });
  await make('GatewayRule', 'block', { action: 'block', precedence: 1, filters: ['dns'], traffic: 'true  AND  true' });
  await make('DevicePostureRule', 'agent', { type: 'file', input: { path: '/agent', exists: true } });
  await make('GatewayConfiguration', 'main', { settings: { activityLog: { enabled: true } } });
  const all = [
    ['GatewayList', 'bad'],
    ['GatewayRule', 'block'],
    ['DevicePostureRule', 'agent'],
    ['GatewayConfiguration', 'main'],
  ] as const;
  for (const [kind, name] of all) await world.untilReady(kindOf(kind), name);
  const patch = { type: 'merge' as const, body: { spec: { enabled: false } } };
  await world.client.patch(kindOf('GatewayRule'), { name: 'block' }, patch);
  await world.untilReady(kindOf('GatewayRule'), 'block');
  expect(listAtDashboard(world.sim, account('gateway/rules'))).toMatchObject([{ name: 'block', enabled: false }]);
  for (const [kind, name] of all) await world.untilGone(kindOf(kind), name);
  expect(listAtDashboard(world.sim, account('gateway/rules'))).toEqual([]);
  expect(listAtDashboard(world.sim, account('gateway/lists'))).toEqual([]);
  expect(listAtDashboard(world.sim, account('devices/posture'))).toEqual([]);
  const { settings } = atDashboard(world.sim, 'GET', account('gateway/configuration'));
  expect(settings).toEqual({ activity_log: { enabled: true } });
});

test.each([
  ['GatewayRule', 'spec.action', { precedence: 1, action: 'log' }],
  ['GatewayRule', 'spec.precedence', { precedence: -1, action: 'block' }],
  ['GatewayList', 'spec.type', { type: 'COLOUR' }],
  ['GatewayConfiguration', 'spec.settings', {}],
  ['DevicePostureRule', 'spec.match', { type: 'file', match: { platform: 'linux' } }],
  ['DeviceSettingsPolicy', 'spec.splitTunnelExclude[0]', { splitTunnelExclude: [{ description: 'neither' }] }],
])('the server refuses a %s for %s', async (kind, field, spec) => {
  await expect(make(kind, 'wrong', spec)).rejects.toThrow(field);
});
