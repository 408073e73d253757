import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { classColumns, classDefaults, classStatus, classTunnel, classTunnelStatus } from '../../refs/class-settings.ts';

const spec = z.object({
  ...classTunnel,
  defaultProtocol: z
    .enum(['http', 'https', 'tcp', 'udp', 'ssh', 'rdp', 'smb', 'bastion', 'wss', 'ws'])
    .default('http')
    .describe('Where neither annotations nor the Service tell'),
  ...classDefaults,
  watchNamespaces: z
    .array(z.string())
    .optional()
    .describe('Ingresses of other namespaces are left alone; all when absent'),
});

const status = z.object({ ...classTunnelStatus, ingressCount: z.int().optional(), ...classStatus });

export const tunnelIngressClassConfigKind = defineNamespacedKind('TunnelIngressClassConfig', ['ticc'], {
  spec,
  status,
  columns: { ...classColumns, Ingresses: 'integer .status.ingressCount', State: '.status.state' },
});

export type TunnelIngressClassConfig = NonNullable<(typeof tunnelIngressClassConfigKind)['objectType']>;
