import { timestamp } from '@tributary/runtime';
import { z } from 'zod';
import { defineNamespacedKind, observed } from '../../refs/cloudflare-kind.ts';

const text = z.string();
const validities = [7, 30, 90, 365, 730, 1095, 5475] as const;

const privateKey = z.object({
  algorithm: z.enum(['RSA', 'ECDSA']).default('RSA'),
  size: z
    .int()
    .default(2048)
    .describe('Bits of an RSA key: 2048, 3072 or 4096; 256 or 384 for ECDSA, 256 when another'),
  secretRef: z
    .object({ name: text.min(1), namespace: text.optional(), key: text.default('tls.key') })
    .optional()
    .describe('A key that is there already, in the same namespace'),
});

const secretSync = z.object({
  enabled: z.boolean().default(true).describe('False only where the key is kept elsewhere'),
  secretName: text.optional().describe('The name of this object when absent'),
  namespace: text.optional().describe('The namespace of this object when absent'),
  certManagerCompatible: z
    .boolean()
    .default(true)
    .describe('A Secret of type kubernetes.io/tls with tls.crt and tls.key; else with certificate and private-key'),
  includeCA: z.boolean().default(false).describe('With the root of Cloudflare, ca.crt'),
});

const spec = z.object({
  hostnames: z.array(text.min(1)).min(1).max(200).describe('The names in the certificate; a wildcard may come first'),
  requestType: z.enum(['origin-rsa', 'origin-ecc']).default('origin-rsa'),
  validity: z
    .literal([...validities])
    .default(5475)
    .describe('Days'),
  credentialsRef: z.object({ name: text }).optional().describe('The default ones when absent'),
  privateKey: privateKey.optional(),
  secretSync: secretSync.optional(),
  renewal: z
    .object({ enabled: z.boolean().default(true), renewBeforeDays: z.int().min(1).max(365).default(30) })
    .optional()
    .describe('A new certificate well before the end; 30 days before when absent'),
  csr: text.optional().describe('A request of your own; needs privateKey.secretRef'),
});

const status = z.object({
  state: z.enum(['Pending', 'Issuing', 'Ready', 'Renewing', 'Error', 'Revoked']).optional(),
  certificateId: text.optional(),
  certificate: text.optional(),
  expiresAt: timestamp().optional(),
  issuedAt: timestamp().optional(),
  revokedAt: timestamp().optional(),
  renewalTime: timestamp().optional(),
  secretName: text.optional(),
  secretNamespace: text.optional(),
  message: text.optional(),
  ...observed,
});

export const originCaCertificateKind = defineNamespacedKind('OriginCACertificate', ['cforiginca', 'cfoca'], {
  spec,
  status,
  columns: {
    Hostnames: '.spec.hostnames[0]',
    State: '.status.state',
    Expires: 'date .status.expiresAt',
    Secret: '.status.secretName',
  },
});

export type OriginCaCertificate = NonNullable<(typeof originCaCertificateKind)['objectType']>;
