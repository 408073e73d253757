import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

type Stamped = { readonly id: string; readonly createdAt: string; readonly updatedAt: string };

export type GatewayRule = Stamped & {
  readonly name: string;
  readonly precedence: number;
  readonly version: number;
  readonly definition: Fields;
};

export type GatewayListItem = { readonly value: string; readonly description: string; readonly createdAt: string };

export type GatewayList = Stamped & {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly items: readonly GatewayListItem[];
};

export type GatewayConfiguration = { readonly id: string; readonly settings: Fields; readonly updatedAt: string };

/** All by account. */
export const gatewayRules = defineTable<GatewayRule>('gateway_rules');
export const gatewayLists = defineTable<GatewayList>('gateway_lists');
export const gatewayConfigurations = defineTable<GatewayConfiguration>('gateway_configurations');
