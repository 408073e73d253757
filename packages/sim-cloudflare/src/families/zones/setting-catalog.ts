import type { Plan } from './zone.ts';

/** What a setting may hold. */
export type SettingRule =
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'list'; readonly of?: readonly string[] }
  | { readonly kind: 'object' };

export type SettingDefinition = {
  readonly initial: unknown;
  readonly rule: SettingRule;
  /** The cheapest plan that may change it. */
  readonly from?: Plan;
  /** Never by a caller, whatever the plan. */
  readonly readOnly?: true;
};

const plansInOrder: readonly Plan[] = ['free', 'pro', 'business', 'enterprise'];

export function isEditable({ from = 'free', readOnly }: SettingDefinition, plan: Plan): boolean {
  return readOnly !== true && plansInOrder.indexOf(plan) >= plansInOrder.indexOf(from);
}

function choice(initial: string, of: readonly string[], from?: Plan): SettingDefinition {
  return { initial, rule: { kind: 'choice', of }, ...(from && { from }) };
}

const onOff = ['on', 'off'];
const off = (from?: Plan): SettingDefinition => choice('off', onOff, from);
const on = (from?: Plan): SettingDefinition => choice('on', onOff, from);

function number(initial: number, min: number, max: number, from?: Plan): SettingDefinition {
  return { initial, rule: { kind: 'number', min, max }, ...(from && { from }) };
}

const noHeader = {
  strict_transport_security: { enabled: false, max_age: 0, include_subdomains: false, preload: false, nosniff: false },
};

/** Every zone has all of them, in this order; retired ones (minify, mirage, brotli …) are unknown names. */
export const settingCatalog: Readonly<Record<string, SettingDefinition>> = {
  '0rtt': off(),
  advanced_ddos: { ...on(), readOnly: true },
  always_online: off(),
  always_use_https: off(),
  automatic_https_rewrites: on(),
  automatic_platform_optimization: {
    initial: {
      enabled: false,
      cf: false,
      wordpress: false,
      wp_plugin: false,
      hostnames: [],
      cache_by_device_type: false,
    },
    rule: { kind: 'object' },
  },
  browser_cache_ttl: number(14_400, 0, 31_536_000),
  browser_check: on(),
  cache_level: choice('aggressive', ['aggressive', 'basic', 'simplified']),
  challenge_ttl: number(1800, 300, 31_536_000),
  china_network_enabled: off('enterprise'),
  ciphers: { initial: [], rule: { kind: 'list' } },
  cname_flattening: choice('flatten_at_root', ['flatten_at_root', 'flatten_all'], 'pro'),
  development_mode: off(),
  early_hints: off(),
  edge_cache_ttl: number(7200, 30, 604_800),
  email_obfuscation: on(),
  filter_logs_to_cloudflare: off('enterprise'),
  fonts: off(),
  h2_prioritization: choice('off', ['on', 'off', 'custom'], 'pro'),
  hotlink_protection: off(),
  http2: on('pro'),
  http3: on(),
  image_resizing: choice('off', ['on', 'off', 'open'], 'business'),
  ip_geolocation: on(),
  ipv6: on(),
  log_to_cloudflare: off('enterprise'),
  long_lived_grpc: off(),
  max_upload: number(100, 1, 500),
  min_tls_version: choice('1.0', ['1.0', '1.1', '1.2', '1.3']),
  mobile_redirect: { initial: { status: 'off', mobile_subdomain: null, strip_uri: false }, rule: { kind: 'object' } },
  nel: { initial: { enabled: true }, rule: { kind: 'object' } },
  opportunistic_encryption: on(),
  opportunistic_onion: on(),
  orange_to_orange: off('enterprise'),
  origin_error_page_pass_thru: off('enterprise'),
  origin_max_http_version: choice('2', ['1', '2']),
  polish: choice('off', ['off', 'lossless', 'lossy'], 'pro'),
  prefetch_preload: off('enterprise'),
  privacy_pass: on(),
  proxy_read_timeout: number(100, 1, 6000, 'enterprise'),
  pseudo_ipv4: choice('off', ['off', 'add_header', 'overwrite_header']),
  replace_insecure_js: on(),
  response_buffering: off('enterprise'),
  rocket_loader: off(),
  security_header: { initial: noHeader, rule: { kind: 'object' } },
  security_level: choice('medium', ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']),
  server_side_exclude: on(),
  sort_query_string_for_cache: off('enterprise'),
  speed_brain: on(),
  ssl: choice('full', ['off', 'flexible', 'full', 'strict', 'origin_pull']),
  ssl_recommender: { initial: 'auto', rule: { kind: 'choice', of: ['auto', 'custom'] }, readOnly: true },
  tls_1_2_only: off(),
  tls_1_3: choice('on', ['on', 'off', 'zrt']),
  tls_client_auth: off(),
  true_client_ip_header: off('enterprise'),
  visitor_ip: on(),
  waf: off('pro'),
  webp: off('pro'),
  websockets: on(),
};
