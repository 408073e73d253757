import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareSources } from '../../engine/l4-state/source.ts';
import type { Source } from '../../engine/l4-state/source.ts';
import { aggregateTunnel } from './aggregate.ts';
import type { TunnelConfigurationConfig } from './contract.ts';

type TunnelSource = Source<TunnelConfigurationConfig>;

function source(name: string, config: TunnelConfigurationConfig, more: Partial<TunnelSource> = {}): TunnelSource {
  const ref = { kind: 'Ingress', namespace: 'default', name };
  return { ref, config, priority: 100, createdAt: '2026-01-01T00:00:00Z', ...more };
}

const tunnel = source(
  'main',
  { warpRouting: { enabled: true }, fallbackTarget: 'http_status:404', globalOriginRequest: { noTLSVerify: true } },
  { priority: 10, ref: { kind: 'ClusterTunnel', name: 'main' } },
);
const a = { hostname: 'a.example.com', service: 'http://a.default.svc:80' };
const b = { hostname: 'b.example.com', service: 'http://b.default.svc:80' };
const last = { service: 'http_status:404' };

describe('one configuration from many sources', () => {
  test('has the settings of the tunnel, the rules of all and one catch-all at the end', () => {
    expect(aggregateTunnel([tunnel, source('b', { rules: [b] }), source('a', { rules: [a] })])).toEqual({
      ok: true,
      desired: { ingress: [a, b, last], warpRouting: { enabled: true }, originRequest: { noTLSVerify: true } },
      losers: [],
    });
  });

  test('gives a host and path that two ask for to the first, and tells the other who has it', () => {
    const mine = source('mine', { rules: [a] });
    const late = source('late', { rules: [{ ...a, service: 'http://late' }, b] });
    const { desired, losers } = aggregateTunnel([mine, late]);
    expect(desired.ingress).toEqual([a, b, last]);
    expect(losers).toEqual([
      {
        ref: late.ref,
        what: 'a.example.com',
        winner: mine.ref,
        reason: 'Ingress/default/mine has it by priority or age',
      },
    ]);
  });

  test('tells nobody who asked for the very same', () => {
    const { desired, losers } = aggregateTunnel([source('one', { rules: [a] }), source('two', { rules: [a] })]);
    expect([desired.ingress, losers]).toEqual([[a, last], []]);
  });

  test('keeps one path of a host apart from another, and hosts together that differ in case', () => {
    const api = { ...a, path: '^/api(/|$)', service: 'http://api' };
    const loud = { ...a, hostname: 'A.example.com', service: 'http://loud' };
    const { desired, losers } = aggregateTunnel([source('one', { rules: [a, api] }), source('two', { rules: [loud] })]);
    expect([desired.ingress, losers.map(({ what }) => what)]).toEqual([[api, a, last], ['a.example.com']]);
  });

  test('takes settings field by field from the first that has an opinion', () => {
    const other = source('other', {
      warpRouting: { enabled: false },
      fallbackTarget: 'http_status:503',
      globalOriginRequest: { noTLSVerify: false, connectTimeout: 5 },
    });
    const { desired, losers } = aggregateTunnel([tunnel, other]);
    expect(desired).toEqual({
      ingress: [{ service: 'http_status:503' }],
      warpRouting: { enabled: true },
      originRequest: { noTLSVerify: true, connectTimeout: 5 },
    });
    expect(losers.map(({ what }) => what)).toEqual(['warpRouting', 'noTLSVerify']);
  });

  test('makes a rule without host and path the catch-all, unless the tunnel has another', () => {
    const site = source('site', { rules: [{ service: 'http://site', originRequest: { http2Origin: true } }] });
    expect(aggregateTunnel([tunnel, site]).desired.ingress).toEqual([
      { service: 'http://site', originRequest: { http2Origin: true } },
    ]);
    const strict = { ...tunnel, config: { fallbackTarget: 'http_status:451' } };
    const { desired, losers } = aggregateTunnel([strict, site]);
    expect([desired.ingress, losers.length]).toEqual([[{ service: 'http_status:451' }], 1]);
  });

  test('does not depend on the order in which sources were seen', () => {
    const anyRule = fc.record({
      hostname: fc.constantFrom('a.example.com', '*.example.com', 'b.example.com'),
      service: fc.constantFrom('http://x', 'http://y'),
    });
    const anySource = fc.record({
      name: fc.constantFrom('p', 'q', 'r', 's'),
      priority: fc.constantFrom(10, 100),
      rules: fc.array(anyRule, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(anySource, { selector: ({ name }) => name, minLength: 1 }), (drawn) => {
        const sources = drawn.map(({ name, priority, rules }) => source(name, { rules }, { priority }));
        const turned = sources.toReversed().toSorted(compareSources);
        expect(aggregateTunnel(turned)).toEqual(aggregateTunnel(sources.toSorted(compareSources)));
      }),
    );
  });
});
