import { describe, expect, test } from 'vitest';
import type { GrpcRule, HttpRule } from './gateway-kinds.ts';
import { grpcRules, httpRules, tcpRules, udpRules } from './route-rules.ts';

const web = { name: 'web', port: 80 };
const http = (rule: HttpRule) => httpRules({ metadata: {}, spec: { rules: [rule] } })[0]!;
const grpc = (rule: GrpcRule) => grpcRules({ metadata: {}, spec: { rules: [rule] } })[0]!;
const path = (type: string, value: string): HttpRule => ({ matches: [{ path: { type, value } }] });

describe('paths of an HTTPRoute', () => {
  test.each([
    ['no match at all', {}, [undefined]],
    ['a match without a path', { matches: [{}] }, [undefined]],
    ['the root as a prefix', path('PathPrefix', '/'), [undefined]],
    ['a prefix ends at a slash', path('PathPrefix', '/api'), ['^/api(/|$)']],
    ['with a slash it is the same prefix', path('PathPrefix', '/api/'), ['^/api(/|$)']],
    ['an exact path', path('Exact', '/a.b'), ['^/a\\.b$']],
    ['the root exactly', path('Exact', '/'), ['^/$']],
    ['an expression describes the whole path', path('RegularExpression', '/v[0-9]+/.*'), ['^(?:/v[0-9]+/.*)$']],
    ['one that says so itself stays', path('RegularExpression', '^/v[0-9]+$'), ['^/v[0-9]+$']],
    ['alternatives are held together', path('RegularExpression', '^/a|/b$'), ['^(?:^/a|/b$)$']],
    ['an escaped dollar is no end', path('RegularExpression', '^/a\\$'), ['^(?:^/a\\$)$']],
    [
      'each match its own',
      { matches: [{ path: { value: '/a' } }, { path: { value: '/b' } }] },
      ['^/a(/|$)', '^/b(/|$)'],
    ],
  ] as const)('%s', (_name, rule, paths) => {
    const made = http({ ...rule, backendRefs: [web] });
    expect(made.paths).toEqual(paths);
    expect(made.problems).toEqual([]);
  });
});

describe('what a tunnel cannot do is named by its field', () => {
  test.each([
    [
      'headers',
      { matches: [{ headers: [{}] }] },
      'spec.rules[0].matches[0].headers: a tunnel chooses by host and path alone',
    ],
    [
      'query parameters',
      { matches: [{}, { queryParams: [{}] }] },
      'spec.rules[0].matches[1].queryParams: a tunnel chooses by host and path alone',
    ],
    [
      'methods',
      { matches: [{ method: 'GET' }] },
      'spec.rules[0].matches[0].method: a tunnel chooses by host and path alone',
    ],
    ['a path type of tomorrow', path('Glob', '/*'), 'spec.rules[0].matches[0].path.type: Glob is not known'],
    [
      'an expression that Go does not know',
      path('RegularExpression', '/(?=a)'),
      'spec.rules[0].matches[0].path: "/(?=a)" is no regular expression that cloudflared understands',
    ],
    [
      'filters',
      { filters: [{ type: 'RequestRedirect' }] },
      'spec.rules[0].filters: a tunnel has no RequestRedirect; of URLRewrite it can do hostname',
    ],
    [
      'a rewritten path',
      { filters: [{ type: 'URLRewrite', urlRewrite: { hostname: 'a', path: {} } }] },
      'spec.rules[0].filters: a tunnel has no URLRewrite; of URLRewrite it can do hostname',
    ],
    [
      'filters of a backend',
      { backendRefs: [{ ...web, filters: [{ type: 'RequestMirror' }] }] },
      'spec.rules[0].filters: a tunnel has no RequestMirror; of URLRewrite it can do hostname',
    ],
    ['timeouts', { timeouts: { request: '1s' } }, 'spec.rules[0].timeouts: a tunnel has none'],
    ['retries', { retry: {} }, 'spec.rules[0].retry: a tunnel has none'],
    ['sessions', { sessionPersistence: {} }, 'spec.rules[0].sessionPersistence: a tunnel has none'],
    [
      'weights',
      { backendRefs: [web, { name: 'next', port: 80 }] },
      'spec.rules[0].backendRefs: a tunnel cannot divide requests; give one a weight above 0',
    ],
  ] as const)('%s', (_name, rule, problem) => {
    expect(http(rule).problems).toEqual([problem]);
  });
});

describe('backends', () => {
  test('of several, one alone may have a weight', () => {
    const made = http({
      backendRefs: [
        { name: 'old', port: 80, weight: 0 },
        { ...web, weight: 5 },
      ],
    });
    expect(made).toMatchObject({ backend: { name: 'web' }, problems: [] });
  });

  test('where none has a weight, none is left', () => {
    expect(http({ backendRefs: [{ ...web, weight: 0 }] })).toMatchObject({ backend: undefined, problems: [] });
  });

  test('another host name for the origin is the Host header of cloudflared', () => {
    const filters = [{ type: 'URLRewrite', urlRewrite: { hostname: 'origin.example.com' } }];
    expect(http({ filters, backendRefs: [web] })).toMatchObject({
      options: { httpHostHeader: 'origin.example.com' },
      problems: [],
    });
  });
});

describe('methods of a GRPCRoute are paths', () => {
  test.each([
    ['every method', {}, undefined],
    ['one method', { service: 'shop.Cart', method: 'Add' }, '^/shop\\.Cart/Add$'],
    ['all of a service', { service: 'shop.Cart' }, '^/shop\\.Cart(/|$)'],
    ['one name in any service', { method: 'Add' }, '^/[^/]+/Add$'],
    ['an expression', { type: 'RegularExpression', service: 'shop\\..*' }, '^/(?:shop\\..*)/(?:[^/]+)$'],
  ] as const)('%s', (_name, method, expected) => {
    const made = grpc({ matches: [{ method }], backendRefs: [web] });
    expect(made).toMatchObject({ paths: [expected], options: { http2Origin: true }, problems: [] });
  });

  test('headers cannot be had', () => {
    expect(grpc({ matches: [{ headers: [{}] }] }).problems).toHaveLength(1);
  });
});

test('a TCPRoute has one rule with one backend', () => {
  const made = tcpRules({ metadata: {}, spec: { rules: [{ backendRefs: [web] }, { backendRefs: [web, web] }] } });
  expect(made.map(({ problems }) => problems)).toEqual([
    [],
    [
      'spec.rules[1].backendRefs: a tunnel cannot divide requests; give one a weight above 0',
      'spec.rules[1]: a tunnel takes one rule of a TCPRoute',
    ],
  ]);
});

test('a UDPRoute is told where UDP goes', () => {
  const [made] = udpRules({ metadata: {}, spec: { rules: [{}] } });
  expect(made?.problems).toEqual([
    'cloudflared carries UDP in private networks only: use a NetworkRoute or a PrivateService',
  ]);
});
