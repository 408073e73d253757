import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** `lookup` keeps networks that are only referred to apart from those that we made: the former are never written. */
export type VirtualNetworkKey = { readonly accountId: string; readonly name: string; readonly lookup?: 'true' };

const config = z.object({
  name: z.string(),
  comment: z.string().optional(),
  isDefaultNetwork: z.boolean().optional(),
  adopt: z.boolean().optional(),
});

export type VirtualNetworkConfig = z.output<typeof config>;

/** Outputs: `virtualNetworkId`, `isDefault`. */
export const virtualNetworkContract = defineContract<VirtualNetworkKey, VirtualNetworkConfig>({
  type: 'VirtualNetwork',
  sources: 'one',
  config,
  readable: ({ name, lookup }) => (lookup ? `lookup-${name}` : name),
  cloudflareId: ({ name }) => name,
});
