import { conditionList, mapOf, rule } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { z } from 'zod';
import { cloudflareDetails } from '../cloudflare-details.ts';

// Tunnel and ClusterTunnel are one shape in two scopes. v1alpha2 is stored, v1alpha1 is served for old manifests.

const text = z.string();
const protocol = z.enum(['auto', 'quic', 'http2']).default('auto');
const fallbackTarget = text.default('http_status:404').describe('What answers requests that no rule matches');
const originCaPool = text.optional().describe('A Secret with certificates of origins; cloudflared trusts its tls.crt');

const existingTunnel = z
  .object({ id: text.optional(), name: text.optional() })
  .optional()
  .describe('A tunnel that is there already; it is used and never deleted');
const newTunnel = z
  .object({ name: text.min(1) })
  .optional()
  .describe('A tunnel to create; it is deleted with this object');

const fields = z.object({
  deployPatch: text.default('{}').describe('A strategic merge patch for the Deployment of cloudflared, YAML or JSON'),
  noTlsVerify: z.boolean().default(false).describe('Do not check the certificates of origins, unless a rule says so'),
  originCaPool,
  protocol,
  fallbackTarget,
  cloudflare: cloudflareDetails,
  existingTunnel,
  newTunnel,
  enableWarpRouting: z.boolean().default(false),
  priority: z.int32().min(1).optional().describe('Lower wins where settings of one tunnel differ; 10 when absent'),
});

const tunnelSpec = rule(
  fields,
  'has(self.newTunnel) != has(self.existingTunnel)',
  'exactly one of newTunnel and existingTunnel must be given',
  (spec) => (spec.newTunnel !== undefined) !== (spec.existingTunnel !== undefined),
  { field: 'newTunnel' },
);

/** None of them is there from the start: a status that only says what is wrong must be taken too. */
const ids = {
  tunnelId: text.optional(),
  tunnelName: text.optional(),
  accountId: text.optional(),
  zoneId: text.optional(),
};
const tunnelStatus = z.object({
  ...ids,
  state: z.enum(['pending', 'creating', 'active', 'error', 'deleting']).optional(),
  observedGeneration: z.int().optional(),
  configVersion: z.int().optional(),
  syncedHostnames: z.array(text).optional(),
  conditions: conditionList().optional(),
});

const toleration = z.object({
  key: text.optional(),
  operator: text.optional(),
  value: text.optional(),
  effect: text.optional(),
  tolerationSeconds: z.int().optional(),
});

// What came after v1alpha1 is no field of it: shown beside what the conversion keeps, one of the two would be lost.
const formerDetails = cloudflareDetails.omit({ credentialsRef: true, zoneId: true });

const formerSpec = z.object({
  size: z.int32().min(0).default(1),
  image: text.default('cloudflare/cloudflared:2025.4.0'),
  nodeSelectors: mapOf(text).optional(),
  tolerations: z.array(toleration).optional(),
  noTlsVerify: z.boolean().default(false),
  originCaPool,
  protocol,
  fallbackTarget,
  cloudflare: formerDetails.extend({ domain: text, secret: text }),
  existingTunnel: z.object({ id: text.optional(), name: text.optional() }).optional(),
  newTunnel: z.object({ name: text.optional() }).optional(),
});

const formerStatus = z.object(ids);

const idColumn = { name: 'TunnelID', type: 'string', jsonPath: '.status.tunnelId' } as const;

/** Both versions of both kinds. */
export const tunnelVersions = [
  {
    name: 'v1alpha1',
    served: true,
    storage: false,
    deprecated: true,
    spec: formerSpec,
    status: formerStatus,
    printerColumns: [idColumn],
  },
  {
    name: 'v1alpha2',
    served: true,
    storage: true,
    spec: tunnelSpec,
    status: tunnelStatus,
    printerColumns: [
      idColumn,
      { name: 'State', type: 'string', jsonPath: '.status.state' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  },
] as const;

/** Where the API server finds the conversion; the operator fills in the certificate when it runs. */
export const tunnelConversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: {
      service: {
        namespace: 'cloudflare-operator-system',
        name: 'cloudflare-operator-webhook-service',
        path: '/convert',
      },
    },
    conversionReviewVersions: ['v1'],
  },
} as const;

export type TunnelSpec = z.output<typeof tunnelSpec>;
export type TunnelStatus = z.output<typeof tunnelStatus>;
export type TunnelObject = KubeObject & { readonly spec: TunnelSpec; readonly status?: TunnelStatus };
