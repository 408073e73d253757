import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import type { Contract } from '../../engine/l4-state/contract.ts';

/** `network` in its one way of writing; no `virtualNetworkId` is the default network of the account. */
export type RouteKey = { readonly accountId: string; readonly network: string; readonly virtualNetworkId: string };

const config = z.object({
  network: z.string(),
  tunnelId: z.string(),
  tunnelName: z.string().optional(),
  virtualNetworkId: z.string().optional(),
  serviceIP: z.string().optional(),
  comment: z.string().optional(),
  adopt: z.boolean().optional(),
});

export type RouteConfig = z.output<typeof config>;

/** A route for a NetworkRoute. Outputs: `virtualNetworkId`, `tunnelId`. */
export const networkRouteContract = routeContract('NetworkRoute');

/** The same for the address of a Service. */
export const privateServiceContract = routeContract('PrivateService');

function routeContract(type: 'NetworkRoute' | 'PrivateService'): Contract<RouteKey, RouteConfig> {
  return defineContract<RouteKey, RouteConfig>({
    type,
    sources: 'one',
    config,
    readable: ({ network }) => network,
    cloudflareId: ({ network, virtualNetworkId }) =>
      virtualNetworkId === '' ? network : `${network}@${virtualNetworkId}`,
  });
}
