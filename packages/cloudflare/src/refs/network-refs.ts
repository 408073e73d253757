import { rule } from '@tributary/runtime';
import { z } from 'zod';
import { observed } from './cloudflare-kind.ts';

const text = z.string();

/** The tunnel that a route leads to. */
export const tunnelRef = z.object({
  kind: z.enum(['Tunnel', 'ClusterTunnel']).default('ClusterTunnel'),
  name: text,
  namespace: text.optional().describe('Of a Tunnel; a ClusterTunnel has none'),
});

export type TunnelRef = z.output<typeof tunnelRef>;

/** The virtual network of a route: an object of the cluster, or one that is only at Cloudflare. */
export const virtualNetworkRef = rule(
  z.object({
    name: text.max(253).optional().describe('A VirtualNetwork of this cluster'),
    cloudflareId: text.max(255).optional().describe('The id of a network at Cloudflare'),
    cloudflareName: text.max(255).optional().describe('The name of a network at Cloudflare'),
  }),
  '(has(self.name) ? 1 : 0) + (has(self.cloudflareId) ? 1 : 0) + (has(self.cloudflareName) ? 1 : 0) == 1',
  'exactly one of name, cloudflareId and cloudflareName must be given',
  ({ name, cloudflareId, cloudflareName }) =>
    [name, cloudflareId, cloudflareName].filter((given) => given !== undefined).length === 1,
  { field: 'name' },
);

export type VirtualNetworkRef = z.output<typeof virtualNetworkRef>;

/** What the status of a route has, whoever asks for it. */
export const routeStatus = {
  network: z.string().optional(),
  tunnelId: z.string().optional(),
  tunnelName: z.string().optional(),
  virtualNetworkId: z.string().optional(),
  accountId: z.string().optional(),
  state: z.string().optional(),
  ...observed,
};
