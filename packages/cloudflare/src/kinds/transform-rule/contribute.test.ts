import { describe, expect, test } from 'vitest';
import { toRules, transformRuleContributor } from './contribute.ts';
import type { TransformRule } from './resource.ts';

type Spec = TransformRule['spec'];
type Rule = Spec['rules'][number];
const rule = { name: 'n', expression: 'x', enabled: true };
const specOf = (type: Spec['type'], given: Partial<Rule>): Spec => ({
  zone: 'z',
  type,
  rules: [{ ...rule, ...given }],
});

describe('every field reaches the API', () => {
  const cases: readonly (readonly [Spec['type'], Partial<Rule>, object])[] = [
    ['url_rewrite', { urlRewrite: { path: { static: '/a' } } }, { uri: { path: { value: '/a' } } }],
    [
      'url_rewrite',
      { urlRewrite: { path: { expression: 'e' }, query: { static: '' } } },
      { uri: { path: { expression: 'e' }, query: { value: '' } } },
    ],
    [
      'request_header',
      { headers: [{ name: 'A', operation: 'set', expression: 'e' }] },
      { headers: { A: { operation: 'set', expression: 'e' } } },
    ],
    [
      'response_header',
      {
        headers: [
          { name: 'A', operation: 'add', value: 'v' },
          { name: 'B', operation: 'remove' },
        ],
      },
      { headers: { A: { operation: 'add', value: 'v' }, B: { operation: 'remove' } } },
    ],
  ];
  test.each(cases)('%s %o', (type, given, parameters) => {
    const { rules, problems } = toRules(specOf(type, given));
    expect(problems).toEqual([]);
    expect(rules).toEqual([
      { description: 'n', expression: 'x', action: 'rewrite', enabled: true, action_parameters: parameters },
    ]);
  });
});

describe('what cannot be meant is named', () => {
  const header = { name: 'A', operation: 'set', value: 'v' } as const;
  const cases: readonly (readonly [string, Spec['type'], Partial<Rule>])[] = [
    ['headers: not for', 'url_rewrite', { urlRewrite: { path: { static: '/' } }, headers: [header] }],
    ['urlRewrite: path or query', 'url_rewrite', {}],
    [
      'urlRewrite.path: static and expression',
      'url_rewrite',
      { urlRewrite: { path: { static: '/', expression: 'e' } } },
    ],
    ['urlRewrite.path: static or expression', 'url_rewrite', { urlRewrite: { path: { static: '' } } }],
    ['urlRewrite.query: static or expression', 'url_rewrite', { urlRewrite: { query: {} } }],
    ['urlRewrite: not for', 'request_header', { urlRewrite: {}, headers: [header] }],
    ['headers: must be given', 'response_header', { headers: [] }],
    ['headers[1].name: a is in the list', 'request_header', { headers: [header, { ...header, name: 'a' }] }],
    ['headers[0]: a header that is removed', 'request_header', { headers: [{ ...header, operation: 'remove' }] }],
    ['headers[0]: one of value', 'request_header', { headers: [{ name: 'A', operation: 'add' }] }],
  ];
  test.each(cases)('%s', (problem, type, given) => {
    expect(toRules(specOf(type, given)).problems).toEqual([expect.stringContaining(`spec.rules[0].${problem}`)]);
  });
});

test('the finalizers are ours and the one of earlier operators', () => {
  const { finalizer, formerFinalizers } = transformRuleContributor;
  expect([finalizer, formerFinalizers]).toEqual([
    'transformrule.cloudflare-operator.io/finalizer',
    ['cloudflare.com/transform-rule-finalizer'],
  ]);
});
