import { z } from 'zod';

// The sections of a CloudflareDomain. A section that is there sets all of its defaults, one that is absent sets nothing.

const text = z.string();
const on = z.boolean().default(true);
const off = z.boolean().default(false);

const certificateSecretRef = z.object({
  name: text.min(1),
  namespace: text.default('cloudflare-operator-system'),
  apiTokenKey: text.optional(),
  apiKeyKey: text.optional(),
  emailKey: text.optional(),
});

export const ssl = z.object({
  mode: z.enum(['off', 'flexible', 'full', 'strict', 'full_strict']).default('full'),
  minTLSVersion: z.enum(['1.0', '1.1', '1.2', '1.3']).default('1.2'),
  tls13: z.enum(['on', 'off']).default('on'),
  alwaysUseHttps: on,
  automaticHttpsRewrites: on,
  opportunisticEncryption: on,
  authenticatedOriginPull: z
    .object({
      enabled: off,
      certificateSecretRef: certificateSecretRef.optional(),
    })
    .optional(),
});

export const cache = z.object({
  browserTTL: z.int32().min(0).max(31_536_000).optional(),
  developmentMode: off,
  cacheLevel: z.enum(['bypass', 'basic', 'simplified', 'aggressive']).default('aggressive'),
  tieredCache: z.object({ enabled: on, topology: z.enum(['smart', 'generic']).default('smart') }).optional(),
  cacheReserve: z.object({ enabled: off }).optional(),
  alwaysOnline: on,
  cacheByDeviceType: off,
  sortQueryStringForCache: off,
});

export const security = z.object({
  level: z.enum(['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']).default('medium'),
  browserCheck: on,
  emailObfuscation: on,
  serverSideExclude: on,
  hotlinkProtection: off,
  challengePassage: z.int32().min(300).max(31_536_000).default(1800),
  waf: z.object({ enabled: off }).optional(),
});

export const performance = z.object({
  brotli: on,
  http2: on,
  http3: on,
  zeroRTT: on,
  earlyHints: on,
  prefetchPreload: on,
  ipGeolocation: on,
  websockets: on,
  minify: z.object({ html: off, css: off, javascript: off }).optional(),
  polish: z.enum(['off', 'lossless', 'lossy']).default('off'),
  webp: off,
  mirage: off,
  rocketLoader: off,
});

export type ZoneSections = {
  readonly ssl?: z.output<typeof ssl> | undefined;
  readonly cache?: z.output<typeof cache> | undefined;
  readonly security?: z.output<typeof security> | undefined;
  readonly performance?: z.output<typeof performance> | undefined;
};
