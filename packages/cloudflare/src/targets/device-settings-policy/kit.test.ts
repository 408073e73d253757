import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { DeviceSettingsPolicyConfig } from './contract.ts';
import { deviceSettingsPolicyTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/devices/policy`;
/** The profile is always there; its lists are what comes and goes, in any order. */
const remote = (sim: SimCloudflare, profile = ''): readonly unknown[] => {
  const lists = ['exclude', 'include', 'fallback_domains'];
  const textsOf = (list: string): readonly string[] =>
    listAtDashboard(sim, `${path(sim)}${profile}/${list}`).map((entry) => JSON.stringify(entry));
  return lists.map((list) => textsOf(list).toSorted());
};
const excluded = [{ address: '198.51.100.0/24', description: 'lab' }, { host: '*.example.com' }];
const fallback = [{ suffix: 'corp', dns_server: ['10.0.0.53'] }];
const config = (fields: DeviceSettingsPolicyConfig = {}): DeviceSettingsPolicyConfig => ({
  mode: 'exclude',
  exclude: excluded,
  fallback,
  ...fields,
});

describeTarget('the default device profile', {
  target: deviceSettingsPolicyTarget,
  key: ({ accountId }) => ({ accountId, profile: '' }),
  config: () => config(),
  changes: {
    entries: () => config({ exclude: [{ address: '198.51.100.0/24' }, { address: '203.0.113.0/24' }] }),
    'the mode': () => config({ mode: 'include', include: [{ address: '10.0.0.0/8' }] }),
    'the servers of a domain': () => config({ fallback: [{ suffix: 'corp', dns_server: ['10.0.0.54'] }] }),
    'all domains, which go': () => config({ fallback: [] }),
  },
  remote: (sim) => remote(sim),
  edit: (sim) => atDashboard(sim, 'PUT', `${path(sim)}/exclude`, [{ address: '192.0.2.0/24' }]),
});

let profile = '';

describeTarget('a custom device profile', {
  target: deviceSettingsPolicyTarget,
  prepare: (sim) => {
    const made = atDashboard(sim, 'POST', path(sim), { name: 'team', match: 'identity.email != ""', precedence: 1 });
    profile = String(made['policy_id']);
  },
  key: ({ accountId }) => ({ accountId, profile }),
  config: () => config(),
  changes: { 'the mode': () => config({ mode: 'include', include: [{ address: '10.0.0.0/8' }] }) },
  remote: (sim) => remote(sim, `/${profile}`),
});
