import { z } from 'zod';
import { defineClusterKind, observed } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();

const spec = z.object({
  name: text.max(256).optional().describe('The name at Cloudflare; that of this object when absent'),
  comment: text.max(500).optional(),
  isDefaultNetwork: z.boolean().default(false).describe('Routes without a virtual network go here'),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  virtualNetworkId: text.optional(),
  accountId: text.optional(),
  state: text.optional(),
  isDefault: z.boolean().optional(),
  ...observed,
});

export const virtualNetworkKind = defineClusterKind('VirtualNetwork', ['vnet'], {
  spec,
  status,
  columns: { VNetID: '.status.virtualNetworkId', Default: 'boolean .status.isDefault', State: '.status.state' },
});

export type VirtualNetwork = NonNullable<(typeof virtualNetworkKind)['objectType']>;
