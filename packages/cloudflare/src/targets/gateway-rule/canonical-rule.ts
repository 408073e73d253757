import { canonicalDuration } from '../access-policy-fields.ts';
import { canonicalExpression } from './canonical-expression.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The one form of a field of a rule that may be written in several. What is not foreseen here is remembered instead. */
export function canonicalRuleField(name: string, value: unknown): unknown {
  switch (name) {
    case 'traffic':
    case 'identity':
    case 'device_posture':
      return typeof value === 'string' ? canonicalExpression(value) : value;
    case 'rule_settings':
      return isFields(value) ? canonicalSettings(value) : value;
    case 'expiration':
      return isFields(value) ? canonicalExpiration(value) : value;
    default:
      return value;
  }
}

function canonicalSettings(settings: Fields): Fields {
  const { check_session: check } = settings;
  if (!isFields(check)) return settings;
  return { ...settings, check_session: { ...check, duration: canonicalDuration(check['duration']) } };
}

/** That it has expired is for Cloudflare to say. */
function canonicalExpiration({ expired: _expired, expires_at: at, ...rest }: Fields): Fields {
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return { ...rest, expires_at: Number.isNaN(ms) ? at : ms };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
