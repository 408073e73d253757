import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { AccessServiceTokenConfig } from './contract.ts';
import { accessServiceTokenTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/access/service_tokens`;

function config(fields: Partial<AccessServiceTokenConfig> = {}): AccessServiceTokenConfig {
  const secret = { namespace: 'default', name: 'ci', clientIdKey: 'ID', clientSecretKey: 'SECRET' };
  return { name: 'ci', duration: '8760h', secret, ...fields };
}

describeTarget('Access service token', {
  target: accessServiceTokenTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessServiceToken/ci' }),
  config: () => config(),
  changes: {
    name: () => config({ name: 'cd' }),
    duration: () => config({ duration: 'forever' }),
    secret: () => config({ secret: { ...config().secret, name: 'other' } }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) => atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'mine', duration: '24h' }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'ci' }),
});
