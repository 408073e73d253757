import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { OwnedConfig } from '../owned-contract.ts';
import { devicePostureRuleTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/devices/posture`;
// Of this input neither path nor sha256 is ever shown again, and what was not said is filled in.
const input = { operating_system: 'linux', path: '/usr/bin/agent', sha256: 'abc', running: true };
const config = (fields: object = {}): OwnedConfig => ({
  name: 'agent',
  body: { type: 'application', match: [{ platform: 'linux' }, { platform: 'mac' }], input, ...fields },
});

describeTarget('device posture rule', {
  target: devicePostureRuleTarget,
  key: ({ accountId }) => ({ accountId, owner: 'DevicePostureRule/agent' }),
  config: () => config(),
  changes: {
    'input that is never shown': () => config({ input: { ...input, path: '/usr/bin/other' } }),
    'input that is shown': () => config({ input: { ...input, running: false } }),
    name: () => ({ ...config(), name: 'other' }),
    description: () => ({ ...config(), description: 'which must run' }),
    match: () => config({ match: [{ platform: 'mac' }] }),
    schedule: () => config({ schedule: '1h' }),
    expiration: () => config({ expiration: '2h' }),
    type: () => config({ type: 'file' }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) =>
    atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'agent', type: 'application', input: { running: false } }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'agent', type: 'application', input: {} }),
  rival: (sim) =>
    atDashboard(sim, 'POST', path(sim), {
      name: 'agent',
      type: 'application',
      description: '[managed-by:Other/ns/name]',
    }),
});
