import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family } from '../../api/route.ts';
import { collectionRoutes } from '../collection-routes.ts';
import { gatewayRules } from './gateway-tables.ts';
import type { GatewayRule } from './gateway-tables.ts';
import { rewriteDuration, rewriteExpression } from './rewrite-expression.ts';

const actions = new Set([
  'on',
  'off',
  'allow',
  'block',
  'scan',
  'noscan',
  'safesearch',
  'ytrestricted',
  'isolate',
  'noisolate',
  'override',
  'l4_override',
  'egress',
  'resolve',
  'quarantine',
  'redirect',
]);
const filters = new Set(['http', 'dns', 'l4', 'egress', 'dns_resolver']);

export const gatewayRuleFamily: Family = {
  name: 'gateway-rules',
  routes: collectionRoutes<GatewayRule>({
    path: 'gateway/rules',
    access: accountAccess('Zero Trust'),
    table: gatewayRules,
    notFound: { status: 404, code: 2014, message: 'rule not found' },
    build,
    toView,
  }),
};

function build(call: Call, old: GatewayRule | undefined): GatewayRule {
  const fields = toFields(call.body);
  const name = textOf(fields['name']) ?? '';
  if (name === '') throw refusal(400, 2010, 'name is required');
  if (!actions.has(textOf(fields['action']) ?? '')) throw refusal(400, 2087, 'invalid action');
  const given = Array.isArray(fields['filters']) ? (fields['filters'] as readonly unknown[]) : [];
  if (given.length > 1 || given.some((filter) => !filters.has(String(filter))))
    throw refusal(400, 2088, 'invalid filters');
  const { id: _id, name: _name, precedence: _precedence, ...rest } = fields;
  const now = timestamp(call.world);
  return {
    id: old?.id ?? call.world.ids.uuid(),
    name,
    precedence: precedenceOf(call, fields['precedence'], old),
    version: (old?.version ?? 0) + 1,
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
    definition: { description: '', enabled: false, filters: [], ...rest, ...rewritten(rest) },
  };
}

function precedenceOf(call: Call, wished: unknown, old: GatewayRule | undefined): number {
  const others = [...call.state.rows(gatewayRules, param(call, 'account')).values()].filter(({ id }) => id !== old?.id);
  if (typeof wished !== 'number')
    return old?.precedence ?? Math.max(0, ...others.map(({ precedence }) => precedence)) + 1000;
  if (others.some(({ precedence }) => precedence === wished)) throw refusal(400, 2089, `precedence ${wished} is taken`);
  return wished;
}

/** Expressions and durations come back in the service's own form. */
function rewritten(fields: Fields): Fields {
  const expressions = ['traffic', 'identity', 'device_posture'].map((name) => [
    name,
    rewriteExpression(textOf(fields[name]) ?? ''),
  ]);
  const settings = fields['rule_settings'];
  return {
    ...Object.fromEntries(expressions),
    ...(isFields(settings) && { rule_settings: rewrittenSettings(settings) }),
  };
}

function rewrittenSettings(settings: Fields): Fields {
  const check = settings['check_session'];
  if (!isFields(check)) return settings;
  return { ...settings, check_session: { ...check, duration: rewriteDuration(textOf(check['duration']) ?? '') } };
}

function toView({ id, name, precedence, version, createdAt, updatedAt, definition }: GatewayRule): object {
  return {
    ...definition,
    id,
    name,
    precedence,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: null,
    read_only: false,
    sharable: false,
    source_account: '',
    warning_status: null,
  };
}
