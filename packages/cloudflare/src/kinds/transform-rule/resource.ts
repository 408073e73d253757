import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { enabled, ruleSpec, ruleTable } from '../../refs/rules/rule-fields.ts';

const text = z.string();

const part = z
  .object({
    static: text.optional().describe('The text as it is; empty for none at all'),
    expression: text.optional().describe('An expression that gives the text'),
  })
  .optional();

const header = z.object({
  name: text,
  operation: z.enum(['set', 'add', 'remove']),
  value: text.optional(),
  expression: text.optional(),
});

const spec = z.object({
  ...ruleSpec,
  type: z.enum(['url_rewrite', 'request_header', 'response_header']).describe('What is changed, and so the phase'),
  rules: z
    .array(
      z.object({
        name: text,
        expression: text.describe('Which requests are changed'),
        enabled,
        urlRewrite: z.object({ path: part, query: part }).optional().describe('For type url_rewrite'),
        headers: z.array(header).optional().describe('For types request_header and response_header'),
      }),
    )
    .min(1),
});

export const transformRuleKind = defineNamespacedKind('TransformRule', ['cftransform', 'transformrule'], {
  spec,
  ...ruleTable({ Type: '.spec.type' }),
});

export type TransformRule = NonNullable<(typeof transformRuleKind)['objectType']>;
