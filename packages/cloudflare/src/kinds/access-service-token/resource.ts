import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();

const spec = z.object({
  name: displayName,
  duration: text.default('8760h').describe('How long the token is valid, 8760h for example, or forever'),
  secretRef: z
    .object({
      name: text,
      namespace: text,
      clientIdKey: text.default('CF_ACCESS_CLIENT_ID'),
      clientSecretKey: text.default('CF_ACCESS_CLIENT_SECRET'),
    })
    .describe('The Secret that the token is written to'),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  tokenId: text.optional(),
  clientId: text.optional(),
  expiresAt: text.optional(),
  createdAt: text.optional(),
  updatedAt: text.optional(),
  lastSeenAt: text.optional().describe('The day on which it was last used'),
  clientSecretVersion: z.int().optional().describe('How many secrets the token has had'),
  secretName: text.optional(),
  ...accessStatus,
});

export const accessServiceTokenKind = defineClusterKind('AccessServiceToken', ['accesstoken'], {
  spec,
  status,
  columns: {
    TokenID: '.status.tokenId',
    ClientID: '.status.clientId',
    ExpiresAt: '.status.expiresAt',
    State: '.status.state',
  },
});

export type AccessServiceToken = NonNullable<(typeof accessServiceTokenKind)['objectType']>;
