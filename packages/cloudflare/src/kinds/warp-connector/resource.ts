import { mapOf } from '@tributary/runtime';
import { z } from 'zod';
import { defineNamespacedKind, observed } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { virtualNetworkRef } from '../../refs/network-refs.ts';

const text = z.string();
const network = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}\/(3[0-2]|[12]?\d))$/;
const quantities = mapOf(text).optional();

const toleration = z.object({
  key: text.optional(),
  operator: z.enum(['Exists', 'Equal']).optional(),
  value: text.optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.int().optional(),
});

const spec = z.object({
  name: text.max(255).optional().describe('The name at Cloudflare; that of this object when absent'),
  replicas: z.int32().min(1).default(1),
  image: text.default('cloudflare/cloudflared:latest'),
  virtualNetworkRef: virtualNetworkRef.optional().describe('Of the routes; the default network when absent'),
  routes: z
    .array(z.object({ network: text.regex(network), comment: text.max(500).optional() }))
    .max(1000)
    .optional()
    .describe('The networks that are reached by this connector'),
  resources: z.object({ limits: quantities, requests: quantities }).optional(),
  nodeSelector: mapOf(text).optional(),
  tolerations: z.array(toleration).optional(),
  serviceAccountName: text.optional(),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  connectorId: text.optional(),
  tunnelId: text.optional(),
  virtualNetworkId: text.optional(),
  accountId: text.optional(),
  readyReplicas: z.int32().optional(),
  routesConfigured: z.int().optional(),
  state: text.optional(),
  ...observed,
});

export const warpConnectorKind = defineNamespacedKind('WARPConnector', ['warpconn'], {
  spec,
  status,
  columns: {
    Replicas: 'integer .spec.replicas',
    Ready: 'integer .status.readyReplicas',
    Routes: 'integer .status.routesConfigured',
    ConnectorID: '.status.connectorId',
    State: '.status.state',
  },
});

export type WarpConnector = NonNullable<(typeof warpConnectorKind)['objectType']>;
