import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const config = z.object({
  /** By their paths in the names of the API: `block_page.footer_text`. */
  settings: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

export type GatewayConfigurationKey = { readonly accountId: string };
export type GatewayConfigurationConfig = z.output<typeof config>;

/** An account has one, which is shared by all objects that want something of it. */
export const gatewayConfigurationContract = defineContract<GatewayConfigurationKey, GatewayConfigurationConfig>({
  type: 'GatewayConfiguration',
  sources: 'many',
  config,
  readable: ({ accountId }) => accountId,
  cloudflareId: ({ accountId }) => `account-${accountId}`,
});
