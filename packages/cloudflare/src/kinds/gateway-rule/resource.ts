import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { ruleSettings } from './rule-settings.ts';

const text = z.string().optional();
const hours = text.describe('Windows of the day, such as 08:00-12:30,13:30-17:00');

const actions = [
  ...(['on', 'off', 'allow', 'block', 'scan', 'noscan', 'safesearch', 'ytrestricted', 'isolate'] as const),
  ...(['noisolate', 'override', 'l4_override', 'egress', 'resolve', 'quarantine'] as const),
] as const;

const spec = z.object({
  name: displayName,
  description: z.string().max(1000).optional(),
  precedence: z.int().min(0).describe('Lower comes first. No two rules of an account may have the same'),
  enabled: z.boolean().default(true),
  action: z.enum(actions),
  filters: z.array(z.string()).optional().describe('One of dns, http, l4, egress, dns_resolver'),
  traffic: text.describe('What the rule is about, as a wirefilter expression'),
  identity: text.describe('Whom it is about, as a wirefilter expression'),
  devicePosture: text.describe('Which devices it is about, as a wirefilter expression'),
  ruleSettings: ruleSettings.optional().describe('What goes with the action'),
  schedule: z
    .object({
      timeZone: text.describe('Such as Europe/Berlin; that of the user when absent'),
      mon: hours,
      tue: hours,
      wed: hours,
      thu: hours,
      fri: hours,
      sat: hours,
      sun: hours,
    })
    .optional(),
  expiration: z
    .object({
      expiresAt: text.describe('A time such as 2027-01-31T12:00:00Z'),
      duration: text.describe('For how long it lasts when it is renewed, such as 24h'),
    })
    .optional()
    .describe('Of DNS rules only'),
  cloudflare: cloudflareDetails,
});

export const gatewayRuleKind = defineClusterKind('GatewayRule', ['gwrule'], {
  spec,
  status: z.object({ ruleId: text, ...accessStatus }),
  columns: {
    Action: '.spec.action',
    Precedence: 'integer .spec.precedence',
    Enabled: 'boolean .spec.enabled',
    RuleID: '.status.ruleId',
    State: '.status.state',
  },
});

export type GatewayRule = NonNullable<(typeof gatewayRuleKind)['objectType']>;
