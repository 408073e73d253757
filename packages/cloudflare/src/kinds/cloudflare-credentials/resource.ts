import { timestamp } from '@tributary/runtime';
import { z } from 'zod';
import { defineClusterKind, observed } from '../../refs/cloudflare-kind.ts';

const text = z.string();

const secretRef = z.object({
  name: text.min(1),
  namespace: text.default('cloudflare-operator-system'),
  apiTokenKey: text.default('CLOUDFLARE_API_TOKEN'),
  apiKeyKey: text.default('CLOUDFLARE_API_KEY'),
  emailKey: text.default('CLOUDFLARE_EMAIL'),
});

const spec = z.object({
  accountId: text.describe('The account that objects with these credentials belong to, unless they name another'),
  accountName: text.optional().describe('For people; the name that Cloudflare gives is in the status'),
  authType: z.enum(['apiToken', 'globalAPIKey']).default('apiToken'),
  secretRef: secretRef.describe('Where the token, or the key with its email, is kept'),
  defaultDomain: text.optional().describe('The domain of objects with these credentials that name none'),
  isDefault: z.boolean().default(false).describe('For objects that name no credentials. The oldest such object counts'),
});

const status = z.object({
  state: text.optional(),
  validated: z.boolean().optional(),
  lastValidatedTime: timestamp().optional(),
  accountName: text.optional(),
  ...observed,
});

export const cloudflareCredentialsKind = defineClusterKind('CloudflareCredentials', ['cfcreds'], {
  plural: 'cloudflarecredentials',
  spec,
  status,
  columns: {
    'Account ID': '.spec.accountId',
    'Auth Type': '.spec.authType',
    Default: 'boolean .spec.isDefault',
    Validated: 'boolean .status.validated',
    State: '.status.state',
  },
});

export type CloudflareCredentials = NonNullable<(typeof cloudflareCredentialsKind)['objectType']>;
