import { mapOf } from '@tributary/runtime';
import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { enabled, redirectCode, ruleSpec, ruleTable } from '../../refs/rules/rule-fields.ts';
import { cacheSettings } from './cache-settings.ts';

const text = z.string();
const words = text.optional();
const flag = z.boolean().optional();
const number = z.int32().optional();
const list = z.array(text).optional();

const phase = z.enum([
  'http_request_transform',
  'http_request_late_transform',
  'http_request_origin',
  'http_request_redirect',
  'http_request_dynamic_redirect',
  'http_request_cache_settings',
  'http_config_settings',
  'http_custom_errors',
  'http_response_headers_transform',
  'http_response_compression',
  'http_ratelimit',
  'http_request_firewall_custom',
  'http_request_firewall_managed',
  'http_response_firewall_managed',
]);

const action = z.enum([
  ...(['block', 'challenge', 'js_challenge', 'managed_challenge', 'log', 'skip', 'rewrite', 'redirect'] as const),
  ...(['route', 'score', 'execute', 'set_config', 'set_cache_settings', 'serve_error', 'compress_response'] as const),
]);

const valueOrExpression = z.object({ value: words, expression: words }).optional();

const actionParameters = z.object({
  uri: z.object({ path: valueOrExpression, query: valueOrExpression }).optional().describe('For rewrite'),
  headers: mapOf(z.object({ operation: z.enum(['set', 'add', 'remove']), value: words, expression: words })).optional(),
  redirect: z
    .object({
      sourceUrl: words.describe('Further narrows the expression: the address, in which * stands for any text'),
      targetUrl: valueOrExpression,
      statusCode: redirectCode.optional(),
      preserveQueryString: flag,
      includeSubdomains: flag,
      subpathMatching: flag,
    })
    .optional(),
  origin: z.object({ host: words, port: number }).optional().describe('For route'),
  cache: cacheSettings.optional().describe('For set_cache_settings'),
  products: list.describe('For skip'),
  phases: list.describe('For skip'),
  rules: mapOf(z.array(text)).optional().describe('For skip: the rules that are left out, by the id of their ruleset'),
  ruleset: words.describe('For execute: the id of a ruleset; for skip: that, or current'),
  response: z
    .object({ statusCode: number, contentType: words, content: words })
    .optional()
    .describe('For block and serve_error'),
  algorithms: z.array(z.object({ name: z.enum(['gzip', 'brotli', 'auto', 'none']) })).optional(),
});

const rateLimit = z.object({
  characteristics: list,
  period: number,
  requestsPerPeriod: number,
  mitigationTimeout: number,
  countingExpression: words,
  requestsToOrigin: flag,
  scorePerPeriod: number,
  scoreResponseHeaderName: words,
});

const spec = z.object({
  ...ruleSpec,
  phase,
  rules: z
    .array(
      z.object({
        description: words,
        expression: text.describe('Which requests the rule is about'),
        action,
        actionParameters: actionParameters.optional(),
        enabled,
        ref: words.describe('A name of the rule that stays; its id and statistics stay with it'),
        rateLimit: rateLimit.optional(),
      }),
    )
    .min(1),
});

export const zoneRulesetKind = defineNamespacedKind('ZoneRuleset', ['cfzr', 'zoneruleset'], {
  spec,
  ...ruleTable({ Phase: '.spec.phase' }),
});

export type ZoneRuleset = NonNullable<(typeof zoneRulesetKind)['objectType']>;
