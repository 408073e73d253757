import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { virtualNetworkTarget } from './sync.ts';

const networks = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/teamnet/virtual_networks`;
const remote = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, `${networks(sim)}?is_deleted=false`);

describeTarget('virtual network', {
  target: virtualNetworkTarget,
  key: ({ accountId }) => ({ accountId, name: 'office' }),
  config: () => ({ name: 'office', comment: 'first' }),
  changes: { comment: () => ({ name: 'office', comment: 'second' }) },
  remote,
  edit: (sim, id) => atDashboard(sim, 'PATCH', `${networks(sim)}/${id}`, { comment: 'mine', name: 'renamed' }),
  stranger: (sim) => atDashboard(sim, 'POST', networks(sim), { name: 'office' }),
  rival: (sim) => atDashboard(sim, 'POST', networks(sim), { name: 'office', comment: '[managed-by:Other/ns/name]' }),
});
