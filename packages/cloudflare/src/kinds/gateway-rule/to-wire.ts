import { parseGoDuration } from '../../refs/parse-go-duration.ts';
import { toSnakeCase } from '../../refs/snake-case.ts';
import type { GatewayRule } from './resource.ts';
import type { RuleSettings } from './rule-settings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A rule as the API has it, without name and description. */
export function toWireRule(spec: GatewayRule['spec']): Fields {
  const { precedence, enabled, action, filters = [], traffic, identity, devicePosture, schedule, expiration } = spec;
  return {
    precedence,
    enabled,
    action,
    filters,
    traffic: traffic ?? '',
    identity: identity ?? '',
    device_posture: devicePosture ?? '',
    rule_settings: toWireSettings(spec.ruleSettings ?? {}),
    ...(schedule && { schedule: toSnakeCase(schedule) }),
    ...(expiration && { expiration: toWireExpiration(expiration) }),
  };
}

const controls = {
  disablePrinting: 'dp',
  disableCopyPaste: 'dcp',
  disableDownload: 'dd',
  disableUpload: 'du',
  disableKeyboard: 'dk',
  disableClipboardRedirection: 'dcr',
} as const;

/** Most names are those of the manifest in the spelling of the API; these are not. */
function toWireSettings(settings: RuleSettings): Fields {
  const {
    l4Override,
    bisoAdminControls,
    addHeaders,
    untrustedCertificateAction: action,
    resolveDnsInternally: internally,
    notificationSettings: notice,
    ...rest
  } = settings;
  return {
    ...(toSnakeCase(rest) as Fields),
    ...(l4Override && { l4override: l4Override }),
    ...(bisoAdminControls && { biso_admin_controls: toControls(bisoAdminControls) }),
    ...(addHeaders && {
      add_headers: Object.fromEntries(Object.entries(addHeaders).map(([name, value]) => [name, [value]])),
    }),
    ...(action && { untrusted_cert: { action } }),
    ...(internally && {
      resolve_dns_internally: {
        ...(internally.viewId && { view_id: internally.viewId }),
        ...(internally.fallback !== undefined && { fallback: internally.fallback ? 'public_dns' : 'none' }),
      },
    }),
    ...(notice && { notification_settings: toNotice(notice) }),
  };
}

function toControls(given: NonNullable<RuleSettings['bisoAdminControls']>): Fields {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [controls[name as keyof typeof controls], value]));
}

function toNotice({ enabled, message, supportUrl }: NonNullable<RuleSettings['notificationSettings']>): Fields {
  return { enabled, ...(message && { msg: message }), ...(supportUrl && { support_url: supportUrl }) };
}

function toWireExpiration({ expiresAt, duration }: NonNullable<GatewayRule['spec']['expiration']>): Fields {
  const minutes = duration ? minutesOf(duration) : undefined;
  return { ...(expiresAt && { expires_at: expiresAt }), ...(minutes !== undefined && { duration: minutes }) };
}

/** `24h`, or a bare number of minutes, which is what the API counts in. */
function minutesOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = parseGoDuration(text);
  return seconds === undefined ? undefined : Math.ceil(seconds / 60);
}

/** What the schema cannot say and would otherwise be sent as something else, or not at all. */
export function unreadable({ ruleSettings, expiration }: GatewayRule['spec']): string | undefined {
  const { duration } = ruleSettings?.checkSession ?? {};
  if (duration !== undefined && parseGoDuration(duration) === undefined)
    return `spec.ruleSettings.checkSession.duration: ${duration} is no duration, such as 30m`;
  if (expiration?.expiresAt && Number.isNaN(Date.parse(expiration.expiresAt)))
    return `spec.expiration.expiresAt: ${expiration.expiresAt} is no time, such as 2027-01-31T12:00:00Z`;
  if (expiration?.duration && minutesOf(expiration.duration) === undefined)
    return `spec.expiration.duration: ${expiration.duration} is no duration, such as 24h`;
  if (expiration && !expiration.expiresAt) return 'spec.expiration.expiresAt: needed where there is an expiration';
  return undefined;
}
