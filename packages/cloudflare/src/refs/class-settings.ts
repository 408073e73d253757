import { z } from 'zod';
import { observed } from './cloudflare-kind.ts';
import { originRequestShape } from './origin-request.ts';

// What the settings of a class of Ingresses and of a class of Gateways have in common.

const text = z.string();

export const classTunnel = {
  tunnelRef: z.object({
    kind: z.enum(['Tunnel', 'ClusterTunnel']),
    name: text.min(1),
    namespace: text.optional().describe('Of a Tunnel; that of this object when absent'),
  }),
};

export const classDefaults = {
  defaultOriginRequest: originRequestShape.optional(),
  dnsManagement: z
    .enum(['Automatic', 'Manual', 'DNSRecord'])
    .default('Automatic')
    .describe('Automatic: records are made at Cloudflare. DNSRecord: as objects of this cluster. Manual: not at all'),
  dnsProxied: z.boolean().default(true),
};

export const classTunnelStatus = { tunnelId: text.optional(), tunnelName: text.optional() };

export const classStatus = {
  state: z.enum(['pending', 'active', 'error']).optional(),
  syncedHostnames: z.array(text).optional(),
  configVersion: z.int().optional(),
  ...observed,
};

export const classColumns = {
  Tunnel: '.spec.tunnelRef.name',
  Kind: '.spec.tunnelRef.kind',
  DNS: '.spec.dnsManagement',
} as const;
