import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { OwnedConfig } from '../owned-contract.ts';
import type { GatewayListItem } from './contract.ts';
import { gatewayListTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/gateway/lists`;
const remote = (sim: SimCloudflare): readonly unknown[] =>
  listAtDashboard(sim, path(sim)).map((list) => [list, listAtDashboard(sim, `${path(sim)}/${list.id}/items`)]);
const items = [{ value: 'Example.com' }, { value: 'example.net', description: 'the net' }, { value: 'EXAMPLE.com' }];
const config = (own: readonly GatewayListItem[] = items, fields: Partial<OwnedConfig> = {}): OwnedConfig => ({
  name: 'bad',
  body: { items: own },
  ...fields,
});

describeTarget('Gateway list', {
  target: gatewayListTarget,
  key: ({ accountId }) => ({ accountId, owner: 'GatewayList/bad', type: 'DOMAIN' }),
  config: () => config(),
  changes: {
    'items that come and go': () => config([{ value: 'example.com' }, { value: 'example.org' }]),
    'all items, which go': () => config([]),
    'the description of an item': () => config([{ value: 'example.com', description: 'new' }, ...items]),
    name: () => config(items, { name: 'worse' }),
    description: () => config(items, { description: 'not good' }),
  },
  remote,
  edit: (sim, id) =>
    atDashboard(sim, 'PATCH', `${path(sim)}/${id}`, { append: [{ value: 'good.com' }], remove: ['example.net'] }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'bad', type: 'DOMAIN', items: [{ value: 'x.com' }] }),
  rival: (sim) =>
    atDashboard(sim, 'POST', path(sim), { name: 'bad', type: 'DOMAIN', description: '[managed-by:Other/ns/name]' }),
});
