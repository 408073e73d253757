import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRulePath } from './ingress-path.ts';
import type { PathType } from './ingress-path.ts';
import { isCatchAll, orderRules } from './order-rules.ts';
import type { TunnelRule } from './order-rules.ts';

/** cloudflared's own matcher: first match wins, `*.x` covers any depth, the path is an unanchored expression. */
function cloudflaredMatch(rules: readonly TunnelRule[], host: string, path: string): TunnelRule | undefined {
  return rules.find(
    (rule) =>
      (!rule.hostname ||
        rule.hostname === host ||
        (rule.hostname.startsWith('*.') && host.endsWith(rule.hostname.slice(1)))) &&
      (!rule.path || new RegExp(rule.path).test(path)),
  );
}

describe('a Kubernetes path as an expression', () => {
  const cases: { path: string | undefined; type: PathType | undefined; is: string | undefined }[] = [
    { path: '/foo', type: 'Prefix', is: '^/foo(/|$)' },
    { path: '/foo/', type: 'Prefix', is: '^/foo(/|$)' },
    { path: '/', type: 'Prefix', is: undefined },
    { path: undefined, type: undefined, is: undefined },
    { path: '/foo', type: undefined, is: '^/foo(/|$)' },
    { path: '/foo', type: 'ImplementationSpecific', is: '^/foo(/|$)' },
    { path: '/foo', type: 'Exact', is: '^/foo$' },
    { path: '/foo/', type: 'Exact', is: '^/foo/$' },
    { path: '/', type: 'Exact', is: '^/$' },
    { path: '/v1.0/a+b', type: 'Prefix', is: '^/v1\\.0/a\\+b(/|$)' },
  ];
  for (const { path, type, is } of cases) {
    test(`${type} ${path} → ${is}`, () => expect(toRulePath(path, type)).toBe(is));
  }

  test('a prefix never catches a longer word', () => {
    const rules = [{ path: toRulePath('/foo', 'Prefix'), service: 'foo' }];
    expect(cloudflaredMatch(rules, 'x', '/foobar')).toBeUndefined();
    expect(cloudflaredMatch(rules, 'x', '/x/foo')).toBeUndefined();
    expect(cloudflaredMatch(rules, 'x', '/foo/bar')?.service).toBe('foo');
  });
});

describe('the order of rules', () => {
  const names = (rules: readonly TunnelRule[]): string[] => orderRules(rules).map(({ service }) => service);

  test('exact hosts stand before wildcards, deeper wildcards before shallower ones, hostless rules last', () => {
    const rules = [
      { service: 'any', path: '^/health(/|$)' },
      { service: 'shallow', hostname: '*.example.com' },
      { service: 'deep', hostname: '*.a.example.com' },
      { service: 'exact', hostname: 'zoo.example.com' },
    ];
    expect(names(rules)).toEqual(['exact', 'deep', 'shallow', 'any']);
  });

  test('on one host longer paths stand first, an exact path before the same prefix, no path last', () => {
    const host = 'app.example.com';
    const rules = [
      { service: 'all', hostname: host },
      { service: 'prefix', hostname: host, path: '^/api(/|$)' },
      { service: 'exact', hostname: host, path: '^/api$' },
      { service: 'longer', hostname: host, path: '^/api/v2(/|$)' },
    ];
    expect(names(rules)).toEqual(['longer', 'exact', 'prefix', 'all']);
  });

  test('an escaped character counts once: /a.b is no longer than /abc', () => {
    const rules = [
      { service: 'dotted', hostname: 'x', path: '^/a\\.b(/|$)' },
      { service: 'longer', hostname: 'x', path: '^/abcd(/|$)' },
    ];
    expect(names(rules)).toEqual(['longer', 'dotted']);
  });

  test('a rule without host and path is a catch-all, also with * as its host', () => {
    expect(
      [{ service: 'a' }, { hostname: '*', service: 'b' }, { hostname: 'x', service: 'c' }].map(isCatchAll),
    ).toEqual([true, true, false]);
  });
});

const label = fc.constantFrom('a', 'b', 'api', 'www');
const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('.')}.example.com`);
const ruleHost = fc.oneof(
  host,
  host.map((name) => `*.${name}`),
  fc.constant('*.example.com'),
);
const segment = fc.constantFrom('a', 'b', 'a.b', 'ab', 'v1');
const urlPath = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const ingressRule = fc.record({ host: ruleHost, path: urlPath, type: fc.constantFrom<PathType[]>('Exact', 'Prefix') });
type IngressRule = { readonly host: string; readonly path: string; readonly type: PathType };

/** The answer of the Ingress specification, but for wildcards that cover any depth as cloudflared's do. */
function kubernetesMatch(rules: readonly IngressRule[], hostname: string, path: string): IngressRule | undefined {
  const covers = (rule: IngressRule): boolean =>
    rule.host === hostname || (rule.host.startsWith('*.') && hostname.endsWith(rule.host.slice(1)));
  const hosts = rules.filter(covers).map((rule) => rule.host);
  const rank = (name: string): number => (name.startsWith('*.') ? name.split('.').length : Infinity);
  for (const best of [...new Set(hosts)].toSorted((a, b) => rank(b) - rank(a))) {
    const matching = rules.filter((rule) => rule.host === best && pathMatches(rule, path));
    const [winner] = matching.toSorted((a, b) => b.path.length - a.path.length || (a.type === 'Exact' ? -1 : 1));
    if (winner) return winner;
  }
  return undefined;
}

function pathMatches({ path: wanted, type }: IngressRule, path: string): boolean {
  if (type === 'Exact') return wanted === path;
  const elements = wanted.split('/').filter(Boolean);
  return elements.every((element, index) => path.split('/').filter(Boolean)[index] === element);
}

test('for any set of Ingress rules and any URL, cloudflared gives the answer of the Ingress specification', () => {
  const unique = fc.uniqueArray(ingressRule, {
    selector: ({ host: name, path, type }) => `${name} ${toRulePath(path, type)}`,
    maxLength: 12,
  });
  fc.assert(
    fc.property(unique, host, urlPath, (wanted, hostname, path) => {
      const rules = wanted.map((rule) => ({
        hostname: rule.host,
        path: toRulePath(rule.path, rule.type),
        service: JSON.stringify(rule),
      }));
      const expected = kubernetesMatch(wanted, hostname, path);
      expect(cloudflaredMatch(orderRules(rules), hostname, path)?.service).toBe(expected && JSON.stringify(expected));
    }),
    { numRuns: 2000 },
  );
});

test('any shuffle of the same rules gives the same list', () => {
  fc.assert(
    fc.property(fc.array(ingressRule), (wanted) => {
      const rules = wanted.map((rule) => ({
        hostname: rule.host,
        path: toRulePath(rule.path, rule.type),
        service: rule.type,
      }));
      expect(orderRules(rules.toReversed())).toEqual(orderRules(rules));
    }),
  );
});
