import { expect, test } from 'vitest';
import { gatewayRuleKind } from './resource.ts';
import { toWireRule, unreadable } from './to-wire.ts';

const specOf = (fields: object) => {
  const parsed = gatewayRuleKind.parseSpec({ action: 'block', precedence: 0, cloudflare: {}, ...fields });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};

test('a rule without settings says so, and its traffic does not need filters', () => {
  expect(toWireRule(specOf({ traffic: 'true', enabled: false }))).toEqual({
    precedence: 0,
    enabled: false,
    action: 'block',
    filters: [],
    traffic: 'true',
    identity: '',
    device_posture: '',
    rule_settings: {},
  });
  expect(toWireRule(specOf({}))).toMatchObject({ enabled: true });
});

const resolvers = [{ ip: '10.0.0.53', port: 53, vnetId: 'v', routeThroughPrivateNetwork: true }];

test.each([
  [
    { blockPageEnabled: true, blockReason: 'no' },
    { block_page_enabled: true, block_reason: 'no' },
  ],
  [
    { overrideIps: ['192.0.2.1'], overrideHost: 'a.com' },
    { override_ips: ['192.0.2.1'], override_host: 'a.com' },
  ],
  [{ l4Override: { ip: '192.0.2.1', port: 80 } }, { l4override: { ip: '192.0.2.1', port: 80 } }],
  [
    {
      bisoAdminControls: {
        disablePrinting: true,
        disableCopyPaste: false,
        disableDownload: true,
        disableUpload: true,
        disableKeyboard: true,
        disableClipboardRedirection: true,
      },
    },
    { biso_admin_controls: { dp: true, dcp: false, dd: true, du: true, dk: true, dcr: true } },
  ],
  [{ checkSession: { enforce: true, duration: '24h' } }, { check_session: { enforce: true, duration: '24h' } }],
  [{ addHeaders: { 'X-Team': 'a' } }, { add_headers: { 'X-Team': ['a'] } }],
  [{ insecureDisableDnssecValidation: true }, { insecure_disable_dnssec_validation: true }],
  [{ egress: { ipv4: 'a', ipv4Fallback: 'b', ipv6: 'c' } }, { egress: { ipv4: 'a', ipv4_fallback: 'b', ipv6: 'c' } }],
  [{ payloadLog: { enabled: true } }, { payload_log: { enabled: true } }],
  [{ untrustedCertificateAction: 'error' }, { untrusted_cert: { action: 'error' } }],
  [{ auditSsh: { commandLogging: true } }, { audit_ssh: { command_logging: true } }],
  [
    { resolveDnsInternally: { viewId: 'v', fallback: true } },
    { resolve_dns_internally: { view_id: 'v', fallback: 'public_dns' } },
  ],
  [{ resolveDnsInternally: { fallback: false } }, { resolve_dns_internally: { fallback: 'none' } }],
  [{ resolveDnsThroughCloudflare: true }, { resolve_dns_through_cloudflare: true }],
  [
    { dnsResolvers: { ipv4: resolvers } },
    { dns_resolvers: { ipv4: [{ ip: '10.0.0.53', port: 53, vnet_id: 'v', route_through_private_network: true }] } },
  ],
  [
    { notificationSettings: { enabled: true, message: 'm', supportUrl: 'u' } },
    { notification_settings: { enabled: true, msg: 'm', support_url: 'u' } },
  ],
  [
    { allowChildBypass: true, bypassParentRule: true, ignoreCnameCategoryMatches: true },
    { allow_child_bypass: true, bypass_parent_rule: true, ignore_cname_category_matches: true },
  ],
  [
    { ipCategories: true, ipIndicatorFeeds: true },
    { ip_categories: true, ip_indicator_feeds: true },
  ],
  [{ quarantine: { fileTypes: ['exe'] } }, { quarantine: { file_types: ['exe'] } }],
])('the settings %j are %j to the API', (ruleSettings, wire) => {
  expect(toWireRule(specOf({ ruleSettings }))['rule_settings']).toEqual(wire);
});

test('schedule and expiration', () => {
  const expiration = { expiresAt: '2027-01-31T12:00:00Z', duration: '90m' };
  const rule = toWireRule(specOf({ schedule: { timeZone: 'UTC', mon: '08:00-12:00' }, expiration }));
  expect(rule).toMatchObject({
    schedule: { time_zone: 'UTC', mon: '08:00-12:00' },
    expiration: { expires_at: '2027-01-31T12:00:00Z', duration: 90 },
  });
  expect(unreadable(specOf({ expiration }))).toBeUndefined();
});

test.each([
  ['spec.expiration.expiresAt', { expiration: { expiresAt: 'tomorrow' } }],
  ['spec.expiration.expiresAt', { expiration: { duration: '1h' } }],
  ['spec.expiration.duration', { expiration: { expiresAt: '2027-01-31T12:00:00Z', duration: 'long' } }],
  ['spec.ruleSettings.checkSession.duration', { ruleSettings: { checkSession: { enforce: true, duration: '1 day' } } }],
])('%s is named when it cannot be read', (field, fields) => {
  expect(unreadable(specOf(fields))).toContain(field);
});
