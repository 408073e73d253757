import { expect, test } from 'vitest';
import { toRules } from './contribute.ts';

const common = { enabled: true, statusCode: 301, preserveQueryString: false } as const;
const wildcard = { ...common, includeSubdomains: false, subpathMatching: false };
const zone = 'example.com';

test('rules by expression come first, and each field is sent', () => {
  const rule = { ...common, name: 'e', expression: 'x', enabled: false, preserveQueryString: true };
  const { rules } = toRules({
    zone,
    rules: [{ ...rule, statusCode: 307, target: { expression: 'concat("a", "b")' } }],
    wildcardRules: [{ ...wildcard, name: 'w', sourceUrl: 'https://a/', targetUrl: 'https://b/' }],
  });
  expect(rules).toEqual([
    {
      description: 'e',
      expression: 'x',
      action: 'redirect',
      enabled: false,
      action_parameters: {
        from_value: {
          target_url: { expression: 'concat("a", "b")' },
          status_code: 307,
          preserve_query_string: true,
        },
      },
    },
    {
      description: 'w',
      expression: 'http.request.full_uri wildcard "https://a/"',
      action: 'redirect',
      enabled: true,
      action_parameters: {
        from_value: { target_url: { value: 'https://b/' }, status_code: 301, preserve_query_string: false },
      },
    },
  ]);
});

test('a wildcard rule for hosts below is one rule, or two where the target takes over what the stars stood for', () => {
  const rule = { ...wildcard, name: 'w', sourceUrl: 'https://a/*', includeSubdomains: true };
  const one = toRules({ zone, wildcardRules: [{ ...rule, targetUrl: 'https://b/' }] }).rules;
  expect(one.map(({ expression }) => expression)).toEqual([
    '(http.request.full_uri wildcard "https://a/*") or (http.request.full_uri wildcard "https://*.a/*")',
  ]);
  const two = toRules({ zone, wildcardRules: [{ ...rule, targetUrl: 'https://b/${1}' }] }).rules;
  expect(two.map(({ description, action_parameters: given }) => [description, JSON.stringify(given)])).toEqual([
    ['w', expect.stringContaining('\\"https://a/*\\", \\"https://b/${1}\\"')],
    ['w (subdomains)', expect.stringContaining('\\"https://*.a/*\\", \\"https://b/${2}\\"')],
  ]);
});
