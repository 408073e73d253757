import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { routeStatus, tunnelRef, virtualNetworkRef } from '../../refs/network-refs.ts';

const text = z.string();

const spec = z.object({
  serviceRef: z.object({
    name: text.describe('A Service in the namespace of this object'),
    port: z.int32().min(1).max(65_535),
  }),
  tunnelRef,
  virtualNetworkRef: virtualNetworkRef.optional().describe('The default network of the account when absent'),
  protocol: z.enum(['tcp', 'udp']).default('tcp').describe('For people: a route takes every protocol'),
  comment: text.max(500).optional(),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  serviceIP: text.optional(),
  ...routeStatus,
});

export const privateServiceKind = defineNamespacedKind('PrivateService', ['psvc'], {
  spec,
  status,
  columns: {
    Service: '.spec.serviceRef.name',
    Port: 'integer .spec.serviceRef.port',
    Network: '.status.network',
    State: '.status.state',
  },
});

export type PrivateService = NonNullable<(typeof privateServiceKind)['objectType']>;
