import { rule } from '@tributary/runtime';
import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { labelSelector } from '../../refs/label-selector.ts';
import { priority } from '../../refs/priority.ts';

const text = z.string();
const count = z.int().optional();
const description = text.max(200).optional().describe('With the mark of the operator, Cloudflare takes 100 characters');

const splitEntry = rule(
  z.object({
    address: text.max(49).optional().describe('A network, such as 10.0.0.0/8'),
    host: text.max(253).optional().describe('A host, such as *.example.com'),
    description,
  }),
  'has(self.address) != has(self.host)',
  'exactly one of address and host must be given',
  ({ address, host }) => (address === undefined) !== (host === undefined),
);
const splitList = z.array(splitEntry).max(1000).optional();

const spec = z.object({
  profileId: text.optional().describe('The id of a custom device profile; the default profile when absent'),
  priority,
  splitTunnelMode: z
    .enum(['exclude', 'include'])
    .default('exclude')
    .describe('Which list is in force where both are given, and gets the routes. A profile has one mode only'),
  splitTunnelExclude: splitList.describe('What does not go through the tunnel'),
  splitTunnelInclude: splitList.describe('What alone goes through the tunnel'),
  fallbackDomains: z
    .array(z.object({ suffix: text, description, dnsServer: z.array(text).optional() }))
    .optional()
    .describe('What is resolved by other DNS servers'),
  autoPopulateFromRoutes: z
    .object({
      enabled: z.boolean().default(false),
      labelSelector: labelSelector.optional().describe('Which NetworkRoutes; all when absent'),
      descriptionPrefix: text.default('Auto-populated from NetworkRoute: '),
    })
    .optional()
    .describe('Entries for the networks of NetworkRoutes'),
  cloudflare: cloudflareDetails,
});

const status = z.object({
  splitTunnelExcludeCount: count,
  splitTunnelIncludeCount: count,
  fallbackDomainsCount: count,
  autoPopulatedRoutesCount: count,
  ...accessStatus,
});

export const deviceSettingsPolicyKind = defineClusterKind('DeviceSettingsPolicy', ['dsp'], {
  plural: 'devicesettingspolicies',
  spec,
  status,
  columns: {
    Mode: '.spec.splitTunnelMode',
    Exclude: 'integer .status.splitTunnelExcludeCount',
    Include: 'integer .status.splitTunnelIncludeCount',
    Fallback: 'integer .status.fallbackDomainsCount',
    State: '.status.state',
  },
});

export type DeviceSettingsPolicy = NonNullable<(typeof deviceSettingsPolicyKind)['objectType']>;
