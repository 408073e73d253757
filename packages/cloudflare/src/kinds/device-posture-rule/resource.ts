import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { postureInput } from './posture-input.ts';

const text = z.string().optional();

const types = [
  ...(['file', 'application', 'serial_number', 'tanium', 'gateway', 'warp', 'disk_encryption'] as const),
  ...(['sentinelone', 'carbonblack', 'firewall', 'os_version', 'domain_joined', 'client_certificate'] as const),
  ...(['client_certificate_v2', 'unique_client_id', 'kolide', 'tanium_s2s', 'crowdstrike_s2s'] as const),
  ...(['sentinelone_s2s', 'intune', 'workspace_one', 'custom_s2s'] as const),
] as const;

const spec = z.object({
  name: displayName,
  type: z.enum(types).describe('What is checked'),
  description: z.string().max(1000).optional(),
  schedule: text.describe('How often it is checked, such as 1h; 5m when absent'),
  expiration: text.describe('For how long a result counts'),
  match: z
    .array(z.object({ platform: z.enum(['windows', 'mac', 'linux', 'android', 'ios', 'chromeos']).optional() }))
    .optional()
    .describe('On which systems it is checked'),
  input: postureInput.optional().describe('What the check needs to know; which fields depends on the type'),
  cloudflare: cloudflareDetails,
});

export const devicePostureRuleKind = defineClusterKind('DevicePostureRule', ['posture'], {
  spec,
  status: z.object({ ruleId: text, ...accessStatus }),
  columns: { Type: '.spec.type', RuleID: '.status.ruleId', State: '.status.state' },
});

export type DevicePostureRule = NonNullable<(typeof devicePostureRuleKind)['objectType']>;
