import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeForeign, toRecord, withoutOurs } from './foreign-rules.ts';
import { isCatchAll } from './order-rules.ts';
import type { TunnelRule } from './order-rules.ts';
import { differingFields, toRemote } from './tunnel-config.ts';
import type { RemoteConfig, WantedConfig } from './tunnel-config.ts';

const last = { service: 'http_status:404' };
const mine = { hostname: 'mine.example.com', service: 'http://mine' };
const theirs = { id: 'x1', hostname: 'theirs.example.com', service: 'http://theirs', originRequest: {}, later: 1 };
const wanted: WantedConfig = { ingress: [mine, last] };

/** What the API makes of a configuration when it is read back. */
function readBack(config: RemoteConfig): RemoteConfig {
  const ingress = (config.ingress ?? []).map((rule) => ({ ...rule, originRequest: rule.originRequest ?? {} }));
  return { ...config, ingress, 'warp-routing': config['warp-routing'] ?? { enabled: false } };
}

describe('rules that somebody else made', () => {
  test('stay byte for byte, at the place that the order gives them', () => {
    const merged = mergeForeign(wanted, { ingress: [theirs, last] }, undefined);
    expect(toRemote(merged).ingress).toEqual([mine, theirs, last]);
    expect(merged.foreign).toEqual([theirs]);
  });

  test('stand behind ours where both are about one host and path, and come back into force when we leave', () => {
    const same = { ...mine, service: 'http://older' };
    const merged = mergeForeign(wanted, { ingress: [same, last] }, undefined);
    expect(merged.ingress).toEqual([mine, same, last]);
    expect(withoutOurs(toRemote(merged), toRecord(merged)).ingress).toEqual([same, last]);
  });

  test('survive a crash between the record and the PUT, also at a place of ours', () => {
    const same = { ...mine, service: 'http://older' };
    const recorded = toRecord(mergeForeign(wanted, { ingress: [same, last] }, undefined));
    expect(mergeForeign(wanted, { ingress: [same, last] }, recorded).ingress).toEqual([mine, same, last]);
  });

  test('are not taken for edits of ours where nobody looked before we recorded', () => {
    const same = { ...mine, service: 'http://older' };
    const recorded = toRecord({ ingress: [mine, last] });
    expect(mergeForeign(wanted, { ingress: [same, last] }, recorded).foreign).toEqual([same]);
  });

  test('are not ours for being equal to what we once recorded at another place', () => {
    const recorded = toRecord({ ingress: [mine, last] });
    const moved = { ...mine, hostname: 'moved.example.com' };
    expect(mergeForeign(wanted, { ingress: [mine, moved, last] }, recorded).foreign).toEqual([moved]);
  });

  test('keep a catch-all of their own while nobody wants another than the default', () => {
    const site = { service: 'http://site' };
    expect(mergeForeign(wanted, { ingress: [site] }, undefined).ingress).toEqual([mine, site]);
    const strict = { ingress: [mine, { service: 'http_status:451' }] };
    expect(mergeForeign(strict, { ingress: [site] }, undefined).ingress).toEqual(strict.ingress);
  });
});

describe('rules of ours', () => {
  test('go when they are recorded and no longer wanted', () => {
    const recorded = toRecord({ ingress: [mine, { ...mine, hostname: 'old.example.com' }, last] });
    const found = readBack({ ingress: [mine, { ...mine, hostname: 'old.example.com' }, theirs, last] });
    expect(mergeForeign(wanted, found, recorded).ingress).toEqual([mine, theirs, last]);
  });

  test('are mended, not doubled, when somebody changed them', () => {
    const recorded = toRecord(mergeForeign(wanted, undefined, undefined));
    const found = { ingress: [{ ...mine, service: 'http://elsewhere' }, { service: 'http://everything' }] };
    expect(mergeForeign(wanted, found, recorded).ingress).toEqual([mine, last]);
  });

  test('leave nothing but the catch-all when we leave and nobody else is there', () => {
    expect(toRemote(withoutOurs(readBack({ ingress: [mine, last] }), toRecord(wanted)))).toEqual({
      ingress: [last],
      'warp-routing': { enabled: false },
    });
  });
});

describe('settings', () => {
  const settings: WantedConfig = { ...wanted, warpRouting: { enabled: true }, originRequest: { noTLSVerify: true } };
  const found: RemoteConfig = {
    ingress: [last],
    originRequest: { connectTimeout: 7 },
    'warp-routing': { enabled: false, maxActiveFlows: 9 },
    edgeKey: 'kept',
  };

  test('of ours stand beside those of others', () => {
    expect(toRemote(mergeForeign(settings, found, undefined))).toEqual({
      edgeKey: 'kept',
      ingress: [mine, last],
      originRequest: { connectTimeout: 7, noTLSVerify: true },
      'warp-routing': { enabled: true, maxActiveFlows: 9 },
    });
  });

  test('of ours go when they are recorded and no longer wanted', () => {
    const remote = toRemote(mergeForeign(settings, found, undefined));
    expect(toRemote(mergeForeign(wanted, remote, toRecord(settings)))).toEqual({
      edgeKey: 'kept',
      ingress: [mine, last],
      originRequest: { connectTimeout: 7 },
      'warp-routing': { enabled: false, maxActiveFlows: 9 },
    });
  });
});

const rule = fc.record(
  {
    hostname: fc.constantFrom('a.example.com', 'b.example.com', '*.example.com'),
    path: fc.constantFrom('^/a(/|$)', '^/b$'),
    service: fc.constantFrom('http://1', 'http://2'),
    originRequest: fc.constantFrom({}, { noTLSVerify: true }),
  },
  { requiredKeys: ['hostname', 'service'] },
) as fc.Arbitrary<TunnelRule>;
const rules = fc.uniqueArray(rule, { maxLength: 5, selector: ({ hostname, path }) => `${hostname} ${path}` });

test('for any rules, what was read back after a write differs in nothing, and a second merge changes nothing', () => {
  fc.assert(
    fc.property(rules, rules, rules, (ours, foreign, before) => {
      const recorded = toRecord({ ingress: [...before, last] });
      const wish = { ingress: [...ours, last] };
      const merged = mergeForeign(wish, { ingress: [...foreign, last] }, recorded);
      const found = readBack(toRemote(merged));
      expect(differingFields(toRemote(merged), found)).toEqual([]);
      const again = mergeForeign(wish, found, toRecord(merged));
      expect(differingFields(toRemote(again), found)).toEqual([]);
      expect(merged.ingress.filter(isCatchAll)).toHaveLength(1);
      expect(isCatchAll(merged.ingress.at(-1) ?? mine)).toBe(true);
    }),
  );
});

test('differences are named by field', () => {
  expect(differingFields({ ingress: [mine, last] }, { ingress: [last] })).toEqual(['ingress']);
  expect(differingFields({ ingress: [], originRequest: { a: 1 } }, { ingress: null })).toEqual(['originRequest']);
  expect(differingFields({ 'warp-routing': { enabled: true } }, {})).toEqual(['warp-routing']);
});
