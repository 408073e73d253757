import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { routeStatus, tunnelRef, virtualNetworkRef } from '../../refs/network-refs.ts';

const text = z.string();
const network =
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}\/(3[0-2]|[12]?\d)|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\/(12[0-8]|1[01]\d|\d?\d))$/;

const spec = z.object({
  network: text.max(49).regex(network).describe('The addresses, such as 10.0.0.0/8 or fd00::/8'),
  tunnelRef,
  virtualNetworkRef: virtualNetworkRef.optional().describe('The default network of the account when absent'),
  comment: text.max(500).optional(),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  ...routeStatus,
});

export const networkRouteKind = defineClusterKind('NetworkRoute', ['netroute'], {
  spec,
  status,
  columns: {
    Network: '.spec.network',
    TunnelID: '.status.tunnelId',
    VNetID: '.status.virtualNetworkId',
    State: '.status.state',
  },
});

export type NetworkRoute = NonNullable<(typeof networkRouteKind)['objectType']>;
