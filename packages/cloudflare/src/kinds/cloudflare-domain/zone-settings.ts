import type { ZoneSections } from './zone-sections.ts';

export type Settings = Readonly<Record<string, string | number>>;
export type Section = 'ssl' | 'cache' | 'security' | 'performance';

/** The settings that each section asks for, by the names and in the form of the API. */
export function settingsBySection({
  ssl,
  cache,
  security,
  performance,
}: ZoneSections): Readonly<Record<Section, Settings>> {
  return {
    ssl: ssl ? sslSettings(ssl) : {},
    cache: cache ? cacheSettings(cache) : {},
    security: security ? securitySettings(security) : {},
    performance: performance ? performanceSettings(performance) : {},
  };
}

export function toSettings(sections: ZoneSections): Settings {
  return Object.assign({}, ...Object.values(settingsBySection(sections))) as Settings;
}

function sslSettings(ssl: NonNullable<ZoneSections['ssl']>): Settings {
  return {
    // The dashboard says "Full (strict)", the API `strict`.
    ssl: ssl.mode === 'full_strict' ? 'strict' : ssl.mode,
    min_tls_version: ssl.minTLSVersion,
    tls_1_3: ssl.tls13,
    always_use_https: onOff(ssl.alwaysUseHttps),
    automatic_https_rewrites: onOff(ssl.automaticHttpsRewrites),
    opportunistic_encryption: onOff(ssl.opportunisticEncryption),
    ...(ssl.authenticatedOriginPull && { tls_client_auth: onOff(ssl.authenticatedOriginPull.enabled) }),
  };
}

function cacheSettings(cache: NonNullable<ZoneSections['cache']>): Settings {
  return {
    // 0 is a value of its own: the headers of the origin count.
    ...(cache.browserTTL !== undefined && { browser_cache_ttl: cache.browserTTL }),
    development_mode: onOff(cache.developmentMode),
    ...(cache.cacheLevel !== 'bypass' && { cache_level: cache.cacheLevel }),
    always_online: onOff(cache.alwaysOnline),
    sort_query_string_for_cache: onOff(cache.sortQueryStringForCache),
  };
}

function securitySettings(security: NonNullable<ZoneSections['security']>): Settings {
  return {
    security_level: security.level,
    browser_check: onOff(security.browserCheck),
    email_obfuscation: onOff(security.emailObfuscation),
    server_side_exclude: onOff(security.serverSideExclude),
    hotlink_protection: onOff(security.hotlinkProtection),
    challenge_ttl: security.challengePassage,
    ...(security.waf && { waf: onOff(security.waf.enabled) }),
  };
}

function performanceSettings(performance: NonNullable<ZoneSections['performance']>): Settings {
  return {
    http2: onOff(performance.http2),
    http3: onOff(performance.http3),
    '0rtt': onOff(performance.zeroRTT),
    early_hints: onOff(performance.earlyHints),
    prefetch_preload: onOff(performance.prefetchPreload),
    ip_geolocation: onOff(performance.ipGeolocation),
    websockets: onOff(performance.websockets),
    polish: performance.polish,
    webp: onOff(performance.webp),
    rocket_loader: onOff(performance.rocketLoader),
  };
}

/** Fields of the spec that ask for something that no zone setting gives any more, or ever gave. */
export function unsupportedFields({ cache, performance }: ZoneSections): readonly string[] {
  const asked: Readonly<Record<string, boolean>> = {
    'spec.cache.cacheLevel: bypass': cache?.cacheLevel === 'bypass',
    'spec.cache.tieredCache': cache?.tieredCache !== undefined,
    'spec.cache.cacheReserve': cache?.cacheReserve?.enabled ?? false,
    'spec.cache.cacheByDeviceType': cache?.cacheByDeviceType ?? false,
    'spec.performance.brotli: false': performance?.brotli === false,
    'spec.performance.minify': Object.values(performance?.minify ?? {}).some(Boolean),
    'spec.performance.mirage': performance?.mirage ?? false,
  };
  return Object.keys(asked).filter((field) => asked[field]);
}

function onOff(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off';
}
