import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { secretUse } from '../../engine/l4-state/secret-use.ts';

const text = z.string();

const config = z.object({
  hostnames: z.array(text),
  requestType: text,
  validityDays: z.int(),
  /** The key that we make; nothing where there is one already. */
  makes: z.object({ algorithm: z.enum(['RSA', 'ECDSA']), size: z.int() }).optional(),
  /** A key that somebody else has made, as the entry `key` of a Secret. */
  key: secretUse.optional(),
  /** The request of somebody who keeps the key. */
  csr: text.optional(),
  /** Days before the end at which there is a new one; never when absent. */
  renewBeforeDays: z.int().optional(),
  /** Where certificate and key go; nowhere when absent. */
  secret: z
    .object({
      namespace: text,
      name: text,
      layout: z.enum(['tls', 'opaque']),
      withAuthority: z.boolean(),
      labels: z.record(text, text),
      owner: z.object({ apiVersion: text, kind: text, name: text, uid: text }).optional(),
    })
    .optional(),
});

export type OriginCaCertificateKey = { readonly accountId: string; readonly owner: string };
export type OriginCaCertificateConfig = z.output<typeof config>;

/** Outputs: `certificate` (PEM), `issuedAt`, `expiresAt`, `renewalTime`. */
export const originCaCertificateContract = defineContract<OriginCaCertificateKey, OriginCaCertificateConfig>({
  type: 'OriginCACertificate',
  sources: 'one',
  config,
  readable: ({ owner }) => owner,
  cloudflareId: ({ owner }) => owner,
});
