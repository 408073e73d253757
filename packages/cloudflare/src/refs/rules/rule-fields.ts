import { z } from 'zod';
import { observed } from '../cloudflare-kind.ts';

const text = z.string();

/** What ZoneRuleset, TransformRule and RedirectRule have in common. */
export const ruleSpec = {
  zone: text.describe('The name of the zone'),
  description: text.optional().describe('Of the rules of this phase as a whole; those of several objects are joined'),
  priority: z
    .int32()
    .min(1)
    .optional()
    .describe('Rules of a lower one stand before those of other objects in the same phase; 100 when absent'),
  credentialsRef: z
    .object({ name: text })
    .optional()
    .describe('A CloudflareCredentials; those of the zone, or the default ones, when absent'),
};

export const enabled = z.boolean().default(true);

const status = z.object({
  rulesetId: text.optional(),
  rulesetVersion: text.optional(),
  zoneId: text.optional(),
  ruleCount: z.int().optional(),
  lastUpdated: text.optional(),
  state: z.enum(['Pending', 'Syncing', 'Ready', 'Error']).optional(),
  message: text.optional(),
  ...observed,
});

/** The status of a kind of rules and its table; `more` stands after the zone. */
export function ruleTable(more: Readonly<Record<string, string>> = {}) {
  return {
    status,
    columns: { Zone: '.spec.zone', ...more, Rules: 'integer .status.ruleCount', State: '.status.state' },
  };
}

export const redirectCode = z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]);
