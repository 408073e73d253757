import { expect, test } from 'vitest';
import { gatewayConfigurationKind } from './resource.ts';
import { toSettings } from './to-settings.ts';

const settingsOf = (settings: object): object => {
  const parsed = gatewayConfigurationKind.parseSpec({ settings, cloudflare: {} });
  if (!parsed.ok) throw new Error(parsed.message);
  return toSettings(parsed.value.settings);
};

test.each([
  [{}, {}],
  [{ tlsDecrypt: { enabled: false } }, { 'tls_decrypt.enabled': false }],
  [
    { fips: { tls: true }, bodyScanning: { inspectionMode: 'deep' } },
    { 'fips.tls': true, 'body_scanning.inspection_mode': 'deep' },
  ],
  [
    { customCertificate: { enabled: true, id: 'c' } },
    { 'custom_certificate.enabled': true, 'custom_certificate.id': 'c' },
  ],
  [
    { blockPage: { enabled: true, mailtoAddress: 'a@b.c' } },
    { 'block_page.enabled': true, 'block_page.mailto_address': 'a@b.c' },
  ],
  [
    { protocolDetection: { enabled: true }, activityLog: { enabled: true } },
    { 'protocol_detection.enabled': true, 'activity_log.enabled': true },
  ],
  [
    { antiVirus: { enabled: true } },
    { 'antivirus.enabled_download_phase': true, 'antivirus.enabled_upload_phase': true },
  ],
  [{ antiVirus: { enabled: true, enabledDownloadPhase: true } }, { 'antivirus.enabled_download_phase': true }],
  [
    { antiVirus: { enabled: false, enabledDownloadPhase: true, failClosed: true } },
    {
      'antivirus.enabled_download_phase': false,
      'antivirus.enabled_upload_phase': false,
      'antivirus.fail_closed': true,
    },
  ],
  [
    {
      antiVirus: {
        enabled: true,
        enabledUploadPhase: true,
        notificationSettings: { enabled: true, message: 'm', supportUrl: 'u' },
      },
    },
    {
      'antivirus.enabled_upload_phase': true,
      'antivirus.notification_settings.enabled': true,
      'antivirus.notification_settings.msg': 'm',
      'antivirus.notification_settings.support_url': 'u',
    },
  ],
  [{ nonIdentityBrowserIsolation: { enabled: true } }, { 'browser_isolation.non_identity_enabled': true }],
  [
    {
      nonIdentityBrowserIsolation: { enabled: true },
      browserIsolation: { nonIdentityEnabled: false, urlBrowserIsolationEnabled: true },
    },
    { 'browser_isolation.non_identity_enabled': true, 'browser_isolation.url_browser_isolation_enabled': true },
  ],
  [
    { nonIdentityBrowserIsolation: { enabled: false }, browserIsolation: { nonIdentityEnabled: true } },
    { 'browser_isolation.non_identity_enabled': true },
  ],
])('%j is %j', (given, wanted) => {
  expect(settingsOf(given)).toEqual(wanted);
});
