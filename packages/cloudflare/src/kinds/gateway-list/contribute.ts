import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { configMapKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accountObjectStatus, accountObjectWords, ownedConfigOf } from '../../refs/account-object.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { gatewayListContract } from '../../targets/gateway-list/contract.ts';
import type { GatewayListItem } from '../../targets/gateway-list/contract.ts';
import { collectItems } from './collect-items.ts';
import { gatewayListKind } from './resource.ts';
import type { GatewayList } from './resource.ts';

type Resolved = { readonly account: Account; readonly items: readonly GatewayListItem[] };

export const gatewayListContributor = defineContributor<GatewayList, Resolved>({
  kind: gatewayListKind,
  ...finalizersOf('gatewaylist'),
  mayRead: [configMapKind],
  resolve: ({ spec }, refs) => {
    const account = credentialsOf(refs, spec.cloudflare, undefined);
    if (!account.ok) return account;
    const items = collectItems(spec, refs);
    return items.ok ? { ok: true, value: { account: account.value, items: items.value } } : items;
  },
  contribute: (object, { account, items }) => {
    const { accountId, credentials } = account;
    const key = { accountId, owner: `GatewayList/${object.metadata.name ?? ''}`, type: object.spec.type };
    return [contribution(gatewayListContract, key, ownedConfigOf(object, { items }), { credentials })];
  },
  status: ({ status }, view) => {
    const { items } = (view.parts[0]?.contribution.config['body'] ?? {}) as { items?: readonly unknown[] };
    return { ...accountObjectStatus(view, status, 'listId'), ...(items && { itemCount: items.length }) };
  },
  ready: accountObjectWords,
});
