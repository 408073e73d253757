import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { gatewayConfigurations } from './gateway-tables.ts';

const known = new Set([
  'activity_log',
  'antivirus',
  'block_page',
  'body_scanning',
  'browser_isolation',
  'certificate',
  'custom_certificate',
  'extended_email_matching',
  'fips',
  'host_selector',
  'inspection',
  'max_ttl_secs',
  'protocol_detection',
  'sandbox',
  'tls_decrypt',
]);

const path = '/accounts/:account/gateway/configuration';
const access = accountAccess('Zero Trust');

/** Every account has one; it can be changed and never deleted. */
export const gatewayConfigurationFamily: Family = {
  name: 'gateway-configuration',
  routes: [
    { method: 'GET', path, access, run: (call) => ({ result: view(call, current(call)) }) },
    { method: 'PUT', path, access, run: (call) => stored(call, settingsOf(call)) },
    { method: 'PATCH', path, access, run: (call) => stored(call, { ...current(call), ...settingsOf(call) }) },
  ],
};

function current(call: Call): Fields {
  return call.state.get(gatewayConfigurations, param(call, 'account'), 'only')?.settings ?? {};
}

function settingsOf(call: Call): Fields {
  const { settings } = toFields(call.body);
  if (!isFields(settings)) throw refusal(400, 2060, 'settings are required');
  for (const name of Object.keys(settings)) if (!known.has(name)) throw refusal(400, 2061, `unknown setting ${name}`);
  const decrypts = isFields(settings['tls_decrypt']) && settings['tls_decrypt']['enabled'] === true;
  if (decrypts && !hasCertificate({ ...current(call), ...settings }))
    throw refusal(400, 2211, 'needs an active Gateway certificate');
  return settings;
}

/** One of the account's own, or one that was brought along, which is the older form. */
function hasCertificate({ certificate, custom_certificate: brought }: Fields): boolean {
  return isFields(certificate) || (isFields(brought) && brought['enabled'] === true && Boolean(brought['id']));
}

function stored(call: Call, settings: Fields): Reply {
  const row = { id: 'only', settings, updatedAt: timestamp(call.world) };
  call.state.put(gatewayConfigurations, param(call, 'account'), 'only', row);
  return { result: view(call, settings) };
}

function view(call: Call, settings: Fields): object {
  const row = call.state.get(gatewayConfigurations, param(call, 'account'), 'only');
  return { settings, created_at: null, updated_at: row?.updatedAt ?? null };
}
