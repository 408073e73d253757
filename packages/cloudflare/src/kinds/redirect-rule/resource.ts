import { rule } from '@tributary/runtime';
import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { enabled, redirectCode, ruleSpec, ruleTable } from '../../refs/rules/rule-fields.ts';

const text = z.string();

const expressionRule = z.object({
  name: text,
  expression: text.describe('Which requests are redirected'),
  enabled,
  target: z.object({
    url: text.optional().describe('The address as it is'),
    expression: text.optional().describe('An expression that gives the address'),
  }),
  statusCode: redirectCode.default(302),
  preserveQueryString: z.boolean().default(false),
});

const wildcardRule = z.object({
  name: text,
  sourceUrl: text.describe('The address, in which * stands for any text'),
  targetUrl: text.describe('Where to; ${1} is what the first * stood for'),
  enabled,
  statusCode: redirectCode.default(301),
  preserveQueryString: z.boolean().default(false),
  includeSubdomains: z.boolean().default(false).describe('Every host below that of the address too'),
  subpathMatching: z.boolean().default(false).describe('Everything below the path: as if it ended with /*'),
});

const spec = rule(
  z.object({
    ...ruleSpec,
    rules: z.array(expressionRule).optional(),
    wildcardRules: z.array(wildcardRule).optional(),
  }),
  'has(self.rules) || has(self.wildcardRules)',
  'rules or wildcardRules must be given',
  ({ rules, wildcardRules }) => rules !== undefined || wildcardRules !== undefined,
  { field: 'rules' },
);

export const redirectRuleKind = defineNamespacedKind('RedirectRule', ['cfredirect', 'redirectrule'], {
  spec,
  ...ruleTable(),
});

export type RedirectRule = NonNullable<(typeof redirectRuleKind)['objectType']>;
