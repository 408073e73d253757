import { timestamp } from '@tributary/runtime';
import { z } from 'zod';
import { defineClusterKind, observed } from '../../refs/cloudflare-kind.ts';
import { cache, performance, security, ssl } from './zone-sections.ts';

const text = z.string();

const domain = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;

const spec = z.object({
  domain: text.regex(domain).describe('The name of the zone'),
  credentialsRef: z.object({ name: text.min(1) }).optional(),
  isDefault: z
    .boolean()
    .default(false)
    .describe('For names that no other domain covers. The oldest such object counts'),
  zoneId: text.optional().describe('The id of the zone: it is not looked up by its name then'),
  priority: z
    .int32()
    .min(1)
    .optional()
    .describe('Lower wins where several objects set the same of one zone; 100 when absent'),
  ssl: ssl.optional(),
  cache: cache.optional(),
  security: security.optional(),
  performance: performance.optional(),
});

const syncWord = z.enum(['Synced', 'Syncing', 'Error', 'Unknown']).optional();

const status = z.object({
  state: text.optional(),
  zoneId: text.optional(),
  zoneName: text.optional(),
  accountId: text.optional(),
  nameServers: z.array(text).optional(),
  zoneStatus: text.optional(),
  lastVerifiedTime: timestamp().optional(),
  message: text.optional(),
  configSyncStatus: z
    .object({
      ssl: syncWord,
      cache: syncWord,
      security: syncWord,
      performance: syncWord,
      lastSyncTime: timestamp().optional(),
      errorMessage: text.optional(),
    })
    .optional(),
  ...observed,
});

export const cloudflareDomainKind = defineClusterKind('CloudflareDomain', ['cfdomain', 'cfdom'], {
  spec,
  status,
  columns: {
    Domain: '.spec.domain',
    'Zone ID': '.status.zoneId',
    Default: 'boolean .spec.isDefault',
    State: '.status.state',
  },
});

export type CloudflareDomain = NonNullable<(typeof cloudflareDomainKind)['objectType']>;
