import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { RouteConfig } from './contract.ts';
import { networkRouteTarget, privateServiceTarget } from './sync.ts';

const account = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}`;
const routes = (sim: SimCloudflare): string => `${account(sim)}/teamnet/routes`;
const remote = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, `${routes(sim)}?is_deleted=false`);

function prepare(sim: SimCloudflare): void {
  for (const name of ['one', 'two'])
    atDashboard(sim, 'POST', `${account(sim)}/cfd_tunnel`, { name, config_src: 'cloudflare' });
}

function tunnel(sim: SimCloudflare, wanted: string): string {
  const all = listAtDashboard(sim, `${account(sim)}/cfd_tunnel`);
  return all.find(({ name }) => name === wanted)?.id ?? '';
}

function wish(sim: SimCloudflare, network: string, name = 'one'): RouteConfig {
  return { network, tunnelId: tunnel(sim, name), tunnelName: name };
}

for (const [target, network] of [
  [networkRouteTarget, '10.0.0.0/8'],
  [networkRouteTarget, 'fd00::/8'],
  [privateServiceTarget, '10.96.0.7/32'],
] as const) {
  describeTarget(`${target.contract.type} ${network}`, {
    target,
    prepare,
    key: ({ accountId }) => ({ accountId, network, virtualNetworkId: '' }),
    config: (sim) => wish(sim, network),
    changes: {
      tunnel: (sim) => wish(sim, network, 'two'),
      comment: (sim) => ({ ...wish(sim, network), comment: 'hello' }),
    },
    remote,
    edit: (sim, id) => atDashboard(sim, 'PATCH', `${routes(sim)}/${id}`, { comment: 'mine' }),
    stranger: (sim) => atDashboard(sim, 'POST', routes(sim), { network, tunnel_id: tunnel(sim, 'two') }),
    rival: (sim) =>
      atDashboard(sim, 'POST', routes(sim), {
        network,
        tunnel_id: tunnel(sim, 'one'),
        comment: '[managed-by:Other/ns/name]',
      }),
  });
}
