import { defineCustomKind } from '@tributary/runtime';
import { z } from 'zod';

const text = z.string();
const tokenId = 'CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID';
const tokenSecret = 'CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN';

const fields = z.object({
  target: z.object({
    image: text.default('cloudflare/cloudflared:2025.4.0'),
    fqdn: text.describe('The name behind Access that is to be reached'),
    protocol: z.enum(['tcp', 'rdp', 'smb', 'ssh']).default('tcp'),
    svc: z
      .object({
        name: text.optional().describe('Of the Service; that of this object when absent'),
        port: z.int32().min(1).max(65_535).default(8000),
      })
      .prefault({}),
  }),
  serviceToken: z
    .object({
      secretRef: text.describe('A Secret of the same namespace'),
      CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID: text.default(tokenId).describe('The entry with the id of the token'),
      CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN: text.default(tokenSecret).describe('The entry with its secret'),
    })
    .optional(),
});

export const accessTunnelKind = defineCustomKind({
  group: 'networking.cloudflare-operator.io',
  kind: 'AccessTunnel',
  plural: 'accesstunnels',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      fieldsAtRoot: true,
      spec: fields,
      status: z.object({}),
      printerColumns: [{ name: 'Target', type: 'string', jsonPath: '.target.fqdn' }],
    },
  ],
});

export type AccessTunnel = NonNullable<(typeof accessTunnelKind)['objectType']>;
