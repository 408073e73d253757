import { describe, expect, test } from 'vitest';
import { toRules } from './contribute.ts';
import { zoneRulesetKind } from './resource.ts';
import type { ZoneRuleset } from './resource.ts';

type Spec = ZoneRuleset['spec'];

/** As a server would store it: checked, and with what it fills in. */
function specOf(rule: object, phase = 'http_request_firewall_custom'): Spec {
  const rules = [{ expression: 'true', action: 'block', ...rule }];
  const checked = zoneRulesetKind.parseSpec({ zone: 'example.com', phase, rules });
  if (!checked.ok) throw new Error(JSON.stringify(checked));
  return checked.value;
}

const parametersOf = (action: string, actionParameters: object): unknown =>
  toRules(specOf({ action, actionParameters })).rules[0]?.action_parameters;

describe('every field reaches the API', () => {
  const cases: readonly (readonly [string, string, object, object])[] = [
    [
      'a rewrite of the address; an empty query too',
      'rewrite',
      { uri: { path: { expression: 'lower(x)' }, query: { value: '' } } },
      { uri: { path: { expression: 'lower(x)' }, query: { value: '' } } },
    ],
    [
      'headers, by names that are not changed',
      'rewrite',
      { headers: { 'X-myHeader': { operation: 'set', value: 'v' }, Other: { operation: 'remove' } } },
      { headers: { 'X-myHeader': { operation: 'set', value: 'v' }, Other: { operation: 'remove' } } },
    ],
    [
      'a redirect',
      'redirect',
      { redirect: { targetUrl: { expression: 'x' }, statusCode: 308, preserveQueryString: true } },
      { from_value: { target_url: { expression: 'x' }, status_code: 308, preserve_query_string: true } },
    ],
    ['an origin', 'route', { origin: { host: 'h', port: 8080 } }, { origin: { host: 'h', port: 8080 } }],
    [
      'what is skipped',
      'skip',
      { products: ['waf'], phases: ['http_ratelimit'], rules: { aB: ['c'] }, ruleset: 'current' },
      { products: ['waf'], phases: ['http_ratelimit'], rules: { aB: ['c'] }, ruleset: 'current' },
    ],
    ['a ruleset that is skipped', 'skip', { ruleset: 'abc' }, { rulesets: ['abc'] }],
    ['a ruleset that is executed', 'execute', { ruleset: 'abc' }, { id: 'abc' }],
    [
      'the answer of a block',
      'block',
      { response: { statusCode: 403, contentType: 'text/plain', content: 'no' } },
      { response: { status_code: 403, content_type: 'text/plain', content: 'no' } },
    ],
    [
      'the answer of an error, which is no object of its own',
      'serve_error',
      { response: { statusCode: 500, contentType: 'text/html', content: 'oh' } },
      { status_code: 500, content_type: 'text/html', content: 'oh' },
    ],
    ['compression', 'compress_response', { algorithms: [{ name: 'gzip' }] }, { algorithms: [{ name: 'gzip' }] }],
    [
      'cache settings, which are no object of their own',
      'set_cache_settings',
      {
        cache: {
          cache: false,
          respectStrongEtags: true,
          originErrorPagePassthru: false,
          edgeTtl: {
            mode: 'override_origin',
            default: 60,
            statusCodeTtl: [
              { statusCodeRange: { from: 200, to: 299 }, value: 0 },
              { statusCodeValue: 404, value: -1 },
            ],
          },
          browserTtl: { mode: 'respect_origin', default: 5 },
          cacheKey: {
            ignoreQueryStringsOrder: true,
            cacheDeceptionArmor: true,
            queryString: { include: { list: ['a'] }, exclude: { all: true } },
            header: { include: ['x'], checkPresence: ['y'], excludeOrigin: true },
            cookie: { include: ['c'], checkPresence: ['d'] },
            user: { deviceType: true, geo: false, lang: true },
            host: { resolved: true },
          },
        },
      },
      {
        cache: false,
        respect_strong_etags: true,
        origin_error_page_passthru: false,
        edge_ttl: {
          mode: 'override_origin',
          default: 60,
          status_code_ttl: [
            { status_code_range: { from: 200, to: 299 }, value: 0 },
            { status_code: 404, value: -1 },
          ],
        },
        browser_ttl: { mode: 'respect_origin', default: 5 },
        cache_key: {
          ignore_query_strings_order: true,
          cache_deception_armor: true,
          custom_key: {
            query_string: { include: { list: ['a'] }, exclude: { all: true } },
            header: { include: ['x'], check_presence: ['y'], exclude_origin: true },
            cookie: { include: ['c'], check_presence: ['d'] },
            user: { device_type: true, geo: false, lang: true },
            host: { resolved: true },
          },
        },
      },
    ],
  ];
  test.each(cases)('%s', (_name, action, given, wire) => {
    expect(parametersOf(action, given)).toEqual(wire);
  });

  test('the rule itself, with its rate limit; false stays false, and 0 stays 0', () => {
    const rateLimit = {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 10,
      requestsPerPeriod: 5,
      mitigationTimeout: 0,
      countingExpression: 'x',
      requestsToOrigin: true,
      scorePerPeriod: 3,
      scoreResponseHeaderName: 'X-Score',
    };
    const { rules } = toRules(specOf({ ref: 'r', description: 'd', enabled: false, rateLimit }, 'http_ratelimit'));
    expect(rules).toEqual([
      {
        ref: 'r',
        description: 'd',
        expression: 'true',
        action: 'block',
        enabled: false,
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 10,
          requests_per_period: 5,
          mitigation_timeout: 0,
          counting_expression: 'x',
          requests_to_origin: true,
          score_per_period: 3,
          score_response_header_name: 'X-Score',
        },
      },
    ]);
    expect(toRules(specOf({})).rules).toEqual([{ expression: 'true', action: 'block', enabled: true }]);
  });

  test('the source of a redirect narrows its expression', () => {
    const redirect = {
      sourceUrl: 'https://a/b',
      includeSubdomains: true,
      subpathMatching: true,
      targetUrl: { value: 'x' },
    };
    const { rules, problems } = toRules(specOf({ action: 'redirect', actionParameters: { redirect } }));
    expect(problems).toEqual([]);
    expect(rules[0]?.expression).toBe(
      '(true) and ((http.request.full_uri wildcard "https://a/b/*") or (http.request.full_uri wildcard "https://*.a/b/*"))',
    );
  });
});

describe('what cannot be meant is named', () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ redirect: { subpathMatching: true } }, 'redirect.sourceUrl: '],
    [
      { cache: { browserTtl: { statusCodeTtl: [{ value: 1, statusCodeValue: 200 }] } } },
      'cache.browserTtl.statusCodeTtl: ',
    ],
    [{ cache: { edgeTtl: { statusCodeTtl: [{ value: 1 }] } } }, 'cache.edgeTtl.statusCodeTtl[0]: '],
  ];
  test.each(cases)('%o', (actionParameters, problem) => {
    const { problems } = toRules(specOf({ actionParameters }));
    expect(problems).toEqual([expect.stringContaining(`spec.rules[0].actionParameters.${problem}`)]);
  });
});
