import { refusal } from '../../api/api-error.ts';
import type { ApiError } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call } from '../../api/route.ts';
import { groups, identityProviders, serviceTokens } from './access-tables.ts';

/** The selectors of a rule, each with the fields it must hold. */
const selectors: Readonly<Record<string, readonly string[]>> = {
  email: ['email'],
  email_list: ['id'],
  email_domain: ['domain'],
  everyone: [],
  ip: ['ip'],
  ip_list: ['id'],
  geo: ['country_code'],
  group: ['id'],
  certificate: [],
  common_name: ['common_name'],
  any_valid_service_token: [],
  service_token: ['token_id'],
  auth_method: ['auth_method'],
  auth_context: ['id', 'ac_id', 'identity_provider_id'],
  azureAD: ['id', 'identity_provider_id'],
  'github-organization': ['name', 'identity_provider_id'],
  gsuite: ['email', 'identity_provider_id'],
  okta: ['name', 'identity_provider_id'],
  saml: ['attribute_name', 'attribute_value', 'identity_provider_id'],
  oidc: ['claim_name', 'claim_value', 'identity_provider_id'],
  login_method: ['id'],
  device_posture: ['integration_uid'],
  external_evaluation: ['evaluate_url', 'keys_url'],
  linked_app_token: ['app_uid'],
  user_risk_score: ['user_risk_score'],
  cloudflare_account_member: ['account_id'],
};

export function invalidRequest(message: string): ApiError {
  return refusal(400, 12_130, `access.api.error.invalid_request: ${message}`);
}

/** Checks `include`, `exclude` and `require`, and answers them as they are read back: absent ones are empty. */
export function readRules(fields: Fields, call: Call): Fields {
  const rules = Object.fromEntries(
    ['include', 'exclude', 'require'].map((name) => [name, checkRules(fields[name] ?? [], name, call)]),
  );
  if ((rules['include'] as readonly unknown[]).length === 0)
    throw invalidRequest('include must hold at least one rule');
  return rules;
}

function checkRules(value: unknown, name: string, call: Call): readonly Fields[] {
  if (!Array.isArray(value)) throw invalidRequest(`${name} must be a list`);
  return value.map((rule: unknown) => checkRule(rule, name, call));
}

function checkRule(rule: unknown, list: string, call: Call): Fields {
  const entries = isFields(rule) ? Object.entries(rule) : [];
  const [selector, value] = entries[0] ?? ['', undefined];
  const required = Object.hasOwn(selectors, selector) ? selectors[selector] : undefined;
  if (entries.length !== 1 || !required)
    throw invalidRequest(`${list} holds an unknown rule: ${entries.map(([key]) => key).join()}`);
  const fields = isFields(value) ? value : {};
  for (const field of required) {
    if (fields[field] === undefined || fields[field] === '') throw invalidRequest(`${list}.${selector} needs ${field}`);
  }
  checkReference(selector, fields, call);
  if (selector === 'ip') return { ip: { ip: toNetwork(String(fields['ip'])) } };
  return { [selector]: fields };
}

/** A single address comes back as a network. */
function toNetwork(ip: string): string {
  if (ip.includes('/')) return ip;
  return ip.includes(':') ? `${ip}/128` : `${ip}/32`;
}

function checkReference(selector: string, fields: Fields, call: Call): void {
  const account = param(call, 'account');
  const missing =
    (selector === 'group' && !call.state.get(groups, account, String(fields['id']))) ||
    (selector === 'service_token' && !call.state.get(serviceTokens, account, String(fields['token_id']))) ||
    (selector === 'login_method' && !call.state.get(identityProviders, account, String(fields['id'])));
  if (missing) throw invalidRequest(`${selector} refers to something that is not there`);
}

/** Whether some rule of a definition refers to this id. */
export function refersTo(definition: Fields, id: string): boolean {
  return JSON.stringify(definition).includes(`"${id}"`);
}
