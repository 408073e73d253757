import { virtualNetworkTarget } from '../../../targets/virtual-network/sync.ts';
import { describeTarget } from './target-kit.ts';

const networks = (accountId: string): string => `/accounts/${accountId}/teamnet/virtual_networks`;

describeTarget('virtual network, to try the kit itself', {
  target: virtualNetworkTarget,
  key: ({ accountId }) => ({ accountId, name: 'office' }),
  config: () => ({ name: 'office', comment: 'first' }),
  changes: {
    comment: () => ({ name: 'office', comment: 'second' }),
    'the comment to none': () => ({ name: 'office' }),
  },
  remote: ({ dashboard, accountId }) =>
    (dashboard('GET', `${networks(accountId)}?is_deleted=false`).body as { result: unknown[] }).result,
  edit: ({ dashboard, accountId }, id) => dashboard('PATCH', `${networks(accountId)}/${id}`, { comment: 'by hand' }),
  stranger: ({ dashboard, accountId }) =>
    dashboard('POST', networks(accountId), { name: 'office', comment: 'by hand' }),
  rival: ({ dashboard, accountId }) =>
    dashboard('POST', networks(accountId), { name: 'office', comment: '[managed-by:VirtualNetwork/other/office]' }),
});
