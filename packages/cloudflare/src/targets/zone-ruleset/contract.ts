import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** The rules of one phase of one zone: one list at Cloudflare, whoever wants something in it. */
export type ZoneRulesetKey = { readonly accountId: string; readonly zoneId: string; readonly phase: string };

const parameters = z.record(z.string(), z.unknown());

/** A rule with the names of the API, but for the mark, which the target adds. */
const rule = z.object({
  /** What the author calls it for good; where there is none, the target sees to it that ids survive. */
  ref: z.string().optional(),
  description: z.string().optional(),
  expression: z.string(),
  action: z.string(),
  enabled: z.boolean(),
  action_parameters: parameters.optional(),
  ratelimit: parameters.optional(),
});

const config = z.object({
  description: z.string().optional(),
  rules: z.array(rule),
  adopt: z.boolean().optional(),
});

export type ZoneRule = z.output<typeof rule>;
export type ZoneRulesetConfig = z.output<typeof config>;

/** Outputs: `rulesetId`, `rulesetVersion`, `lastUpdated`, `foreignRules`. */
export const zoneRulesetContract = defineContract<ZoneRulesetKey, ZoneRulesetConfig>({
  type: 'ZoneRuleset',
  sources: 'many',
  config,
  readable: ({ phase }) => phase,
  cloudflareId: ({ zoneId, phase }) => `${zoneId}/${phase}`,
  labels: ({ phase }) => ({ 'cloudflare-operator.io/phase': phase }),
});
