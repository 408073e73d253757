import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { classColumns, classDefaults, classStatus, classTunnel, classTunnelStatus } from '../../refs/class-settings.ts';

const spec = z.object({
  ...classTunnel,
  ...classDefaults,
  fallbackTarget: z
    .string()
    .default('http_status:404')
    .describe('What answers requests that no rule of the tunnel matches; the first Gateway that says so has it'),
  watchNamespaces: z
    .array(z.string())
    .optional()
    .describe('Gateways and routes of other namespaces are left alone; all when absent'),
});

const status = z.object({
  ...classTunnelStatus,
  gatewayCount: z.int().optional(),
  routeCount: z.int().optional(),
  ...classStatus,
});

export const tunnelGatewayClassConfigKind = defineNamespacedKind('TunnelGatewayClassConfig', ['tgcc'], {
  spec,
  status,
  columns: {
    ...classColumns,
    Gateways: 'integer .status.gatewayCount',
    Routes: 'integer .status.routeCount',
    State: '.status.state',
  },
});

export type TunnelGatewayClassConfig = NonNullable<(typeof tunnelGatewayClassConfigKind)['objectType']>;
