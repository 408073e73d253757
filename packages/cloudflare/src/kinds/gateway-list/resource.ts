import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();

const spec = z.object({
  name: displayName,
  description: text.max(1000).optional(),
  type: z
    .enum(['SERIAL', 'URL', 'DOMAIN', 'EMAIL', 'IP'])
    .describe('Of what the items are. Another type is another list'),
  items: z
    .array(z.object({ value: text, description: text.optional() }))
    .optional()
    .describe('All that is in the list, with those of the ConfigMap; what others add is taken out again'),
  itemsFromConfigMap: z
    .object({ name: text, key: text, namespace: text.optional().describe('default when absent') })
    .optional()
    .describe('Further items, one on each line; empty lines and those that begin with # are left out'),
  cloudflare: cloudflareDetails,
});

export const gatewayListKind = defineClusterKind('GatewayList', ['gwlist'], {
  spec,
  status: z.object({ listId: text.optional(), itemCount: z.int().optional(), ...accessStatus }),
  columns: { Type: '.spec.type', Items: 'integer .status.itemCount', ListID: '.status.listId', State: '.status.state' },
});

export type GatewayList = NonNullable<(typeof gatewayListKind)['objectType']>;
