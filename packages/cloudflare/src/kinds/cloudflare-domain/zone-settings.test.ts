import { describe, expect, test } from 'vitest';
import { cloudflareDomainKind } from './resource.ts';
import { toSettings, unsupportedFields } from './zone-settings.ts';

const parse = (sections: object) => {
  const parsed = cloudflareDomainKind.parseSpec({ domain: 'example.com', ...sections });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};

describe('the sections of a domain', () => {
  test('that are absent set nothing', () => {
    expect(toSettings(parse({}))).toEqual({});
  });

  test('ssl: names and values of the API', () => {
    expect(toSettings(parse({ ssl: { mode: 'full_strict', authenticatedOriginPull: {} } }))).toEqual({
      ssl: 'strict',
      min_tls_version: '1.2',
      tls_1_3: 'on',
      always_use_https: 'on',
      automatic_https_rewrites: 'on',
      opportunistic_encryption: 'on',
      tls_client_auth: 'off',
    });
  });

  test('cache: a browser TTL of 0 is a value', () => {
    expect(toSettings(parse({ cache: { browserTTL: 0 } }))).toEqual({
      browser_cache_ttl: 0,
      development_mode: 'off',
      cache_level: 'aggressive',
      always_online: 'on',
      sort_query_string_for_cache: 'off',
    });
  });

  test('security', () => {
    expect(toSettings(parse({ security: { level: 'under_attack', waf: { enabled: true } } }))).toEqual({
      security_level: 'under_attack',
      browser_check: 'on',
      email_obfuscation: 'on',
      server_side_exclude: 'on',
      hotlink_protection: 'off',
      challenge_ttl: 1800,
      waf: 'on',
    });
  });

  test('performance: what is retired is not sent', () => {
    expect(toSettings(parse({ performance: { zeroRTT: false, polish: 'lossy' } }))).toEqual({
      http2: 'on',
      http3: 'on',
      '0rtt': 'off',
      early_hints: 'on',
      prefetch_preload: 'on',
      ip_geolocation: 'on',
      websockets: 'on',
      polish: 'lossy',
      webp: 'off',
      rocket_loader: 'off',
    });
  });

  test('what no setting gives is named, and only when it is asked for', () => {
    expect(unsupportedFields(parse({ cache: {}, performance: {} }))).toEqual([]);
    const cache = { cacheLevel: 'bypass', tieredCache: {}, cacheReserve: { enabled: true }, cacheByDeviceType: true };
    const performance = { brotli: false, minify: { css: true }, mirage: true };
    expect(unsupportedFields(parse({ cache, performance }))).toEqual([
      'spec.cache.cacheLevel: bypass',
      'spec.cache.tieredCache',
      'spec.cache.cacheReserve',
      'spec.cache.cacheByDeviceType',
      'spec.performance.brotli: false',
      'spec.performance.minify',
      'spec.performance.mirage',
    ]);
  });
});
