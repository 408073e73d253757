import { defineContract } from '../../engine/l4-state/contract.ts';
import { ownedBy } from '../owned-contract.ts';
import type { OwnedConfig, OwnedKey } from '../owned-contract.ts';

export type GatewayListItem = { readonly value: string; readonly description?: string };

/** The type is part of the key: Cloudflare never changes it, so another type is another list. */
export type GatewayListKey = OwnedKey & { readonly type: string };

/** `body.items`: the items. */
export const gatewayListContract = defineContract<GatewayListKey, OwnedConfig>({
  type: 'GatewayList',
  ...ownedBy,
  readable: ({ owner, type }) => `${owner}-${type}`,
});
