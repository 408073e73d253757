import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { AccessGroupConfig } from './contract.ts';
import { accessGroupTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/access/groups`;
const everyone = [{ everyone: {} }];

function config(fields: Partial<AccessGroupConfig> = {}): AccessGroupConfig {
  const include = [{ ip: { ip: '192.0.2.0/24' } }, { certificate: {} }];
  return { name: 'staff', include, exclude: [], require: [], ...fields };
}

describeTarget('Access group', {
  target: accessGroupTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessGroup/staff' }),
  config: () => config(),
  changes: {
    include: () => config({ include: everyone }),
    name: () => config({ name: 'people' }),
    exclude: () => config({ exclude: [{ email: { email: 'a@example.com' } }] }),
    require: () => config({ require: [{ certificate: {} }] }),
    isDefault: () => config({ isDefault: true }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) => atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'mine', include: everyone }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'staff', include: everyone }),
});
