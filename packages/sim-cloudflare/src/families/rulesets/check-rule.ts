import { ApiError } from '../../api/api-error.ts';
import { isFields, textOf } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import type { Plan } from '../zones/zone.ts';

const firewall = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log', 'skip', 'execute'];

/** The actions that a phase knows. */
const actionsOf: Readonly<Record<string, readonly string[]>> = {
  http_request_transform: ['rewrite'],
  http_request_late_transform: ['rewrite'],
  http_response_headers_transform: ['rewrite'],
  http_request_dynamic_redirect: ['redirect'],
  http_request_redirect: ['redirect'],
  http_request_firewall_custom: firewall,
  http_request_firewall_managed: ['execute', 'skip', 'log'],
  http_response_firewall_managed: ['execute', 'skip', 'log'],
  http_ratelimit: [...firewall, 'rewrite'],
  http_request_cache_settings: ['set_cache_settings'],
  http_response_cache_settings: ['set_cache_control', 'set_cache_tags'],
  http_config_settings: ['set_config'],
  http_request_origin: ['route'],
  http_response_compression: ['compress_response'],
  http_custom_errors: ['serve_error'],
  http_log_custom_fields: ['log_custom_field'],
  http_request_sanitize: ['execute'],
  http_request_sbfm: ['skip', 'managed_challenge', 'block', 'allow'],
  ddos_l4: ['execute'],
  ddos_l7: ['execute'],
};

/** Rules of one phase, by plan. */
const quotas: Readonly<Record<Plan, { readonly ordinary: number; readonly firewall: number; readonly rate: number }>> =
  {
    free: { ordinary: 10, firewall: 5, rate: 1 },
    pro: { ordinary: 25, firewall: 20, rate: 2 },
    business: { ordinary: 50, firewall: 100, rate: 5 },
    enterprise: { ordinary: 300, firewall: 1000, rate: 100 },
  };

export function isPhase(phase: string): boolean {
  return Object.hasOwn(actionsOf, phase);
}

export function quotaOf(phase: string, plan: Plan): number {
  const { ordinary, firewall: custom, rate } = quotas[plan];
  if (phase === 'http_ratelimit') return rate;
  return phase === 'http_request_firewall_custom' ? custom : ordinary;
}

const known = new Set([
  'id',
  'ref',
  'version',
  'last_updated',
  'action',
  'action_parameters',
  'expression',
  'description',
  'enabled',
  'logging',
  'ratelimit',
  'categories',
  'exposed_credential_check',
  'position',
]);

/** One bad rule is enough for the whole call to be refused; the pointer says which. */
export function checkRule(rule: unknown, phase: string, index: number): Fields {
  if (!isFields(rule)) throw bad(20006, `rule ${index + 1} is not an object`, index);
  for (const name of Object.keys(rule)) {
    if (!known.has(name)) throw bad(20018, `unknown field "${name}"`, index);
  }
  const action = textOf(rule['action']) ?? '';
  if (!(actionsOf[phase] ?? []).includes(action)) {
    throw bad(20016, `action '${action}' is not allowed in the phase '${phase}'`, index, '/action');
  }
  const expression = textOf(rule['expression']) ?? '';
  const problem = expressionProblem(expression);
  if (problem) throw bad(20127, `filter parsing error (1:1): ${problem}`, index, '/expression');
  if (phase === 'http_ratelimit') checkRateLimit(rule['ratelimit'], index);
  return rule;
}

function checkRateLimit(value: unknown, index: number): void {
  const characteristics = isFields(value) ? value['characteristics'] : undefined;
  if (!Array.isArray(characteristics) || !characteristics.includes('cf.colo.id')) {
    throw bad(
      20155,
      "characteristics of the rate limit must contain 'cf.colo.id'",
      index,
      '/ratelimit/characteristics',
    );
  }
}

/** Not a parser: enough to tell an expression from a mistake. */
function expressionProblem(expression: string): string | undefined {
  if (expression.trim() === '') return 'the expression is empty';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < expression.length; at += 1) {
    const char = expression[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === '(') depth += 1;
    else if (!quoted && char === ')') depth -= 1;
    if (depth < 0) return 'a parenthesis is closed that was not opened';
  }
  if (quoted) return 'a text is not closed';
  if (depth > 0) return 'a parenthesis is not closed';
  return /\sstarts_with\s/.test(expression.replace(/"[^"]*"/g, '""')) ? 'unknown operator starts_with' : undefined;
}

function bad(code: number, message: string, index: number, field = ''): ApiError {
  return new ApiError(400, [{ code, message, source: { pointer: `/rules/${index}${field}` } }]);
}
