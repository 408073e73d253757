import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { WarpConnectorConfig } from './contract.ts';
import { warpConnectorTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/warp_connector`;
const remote = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, `${path(sim)}?is_deleted=false`);

function config(secret = 'gate-token'): WarpConnectorConfig {
  const owner = { apiVersion: 'v1', kind: 'Toy', name: 'one', uid: 'u1' };
  return { name: 'gate', secret: { namespace: 'default', name: secret, owner } };
}

describeTarget('a WARP connector of our own', {
  target: warpConnectorTarget,
  key: ({ accountId }) => ({ accountId, name: 'gate' }),
  config: () => config(),
  changes: {},
  remote,
  edit: (sim, id) => atDashboard(sim, 'PATCH', `${path(sim)}/${id}`, { name: 'renamed' }),
});

describeTarget('a WARP connector that is there already', {
  target: warpConnectorTarget,
  prepare: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'gate' }),
  key: ({ accountId }) => ({ accountId, name: 'gate' }),
  config: () => config(),
  changes: {},
  remote,
  end: 'kept',
});
