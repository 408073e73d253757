import type { Result } from '@tributary/runtime';
import { canonicalNetwork, hostNetwork } from '../canonical-network.ts';
import { snakeCase, toSnakeCase } from '../snake-case.ts';
import type { AccessRule, AccessRules, IdpRef } from './access-rule.ts';

/** A rule as the API has it: one selector each. */
export type WireRule = Record<string, Record<string, string>>;
export type WireRules = { include: WireRule[]; exclude: WireRule[]; require: WireRule[] };

/** The id of an identity provider that a rule refers to. */
export type ProviderOf = (ref: IdpRef) => Result<string>;

const lists = ['include', 'exclude', 'require'] as const;

/** Selectors that the API calls otherwise than the manifest in its own way of writing. */
const selectors: Readonly<Record<string, string>> = { azure: 'azureAD' };

/** The rules in the words of the API, or what is wrong with them and where. */
export function toWireRules(rules: AccessRules, path: string, providerOf: ProviderOf): Result<WireRules> {
  const made: WireRules = { include: [], exclude: [], require: [] };
  for (const list of lists) {
    for (const [index, rule] of (rules[list] ?? []).entries()) {
      const wire = toWire(rule, { path: `${path}.${list}[${index}]`, all: list === 'require', providerOf });
      if (!wire.ok) return wire;
      made[list].push(...wire.value);
    }
  }
  if (made.include.length > 0) return { ok: true, value: made };
  return invalid(`${path}.include: none of its rules says anything`);
}

type Wired = Result<readonly WireRule[]>;
type Place = { readonly path: string; readonly all: boolean; readonly providerOf: ProviderOf };

function toWire(rule: AccessRule, place: Place): Wired {
  const made: WireRule[] = [];
  for (const [field, value] of Object.entries(rule)) {
    const wire = toSelectors(field as keyof AccessRule, value, { ...place, path: `${place.path}.${field}` });
    if (!wire.ok) return wire;
    made.push(...wire.value);
  }
  return { ok: true, value: made };
}

/** One field; a field with a list becomes a rule for each entry, since the API takes one. */
function toSelectors(field: keyof AccessRule, value: AccessRule[keyof AccessRule], place: Place): Wired {
  if (value === undefined || value === false) return { ok: true, value: [] };
  if (value === true) return { ok: true, value: [{ [snakeCase(field)]: {} }] };
  if (field === 'ipRanges') return each((value as { ip: readonly string[] }).ip, place, (ip) => toIpRule(ip, place));
  if (field === 'country') {
    const { country } = value as { readonly country: readonly string[] };
    return each(country, place, (code) => ({ ok: true, value: { geo: { country_code: code } } }));
  }
  if (field === 'github') return toGithub(value as NonNullable<AccessRule['github']>, place);
  return named(selectors[field] ?? snakeCase(field), withProvider(value, place));
}

function toIpRule(ip: string, { path }: Place): Result<WireRule> {
  const network = hostNetwork(ip) ?? canonicalNetwork(ip);
  if (network === undefined) return invalid(`${path}.ip: ${ip} is no network`);
  return { ok: true, value: { ip: { ip: network } } };
}

function toGithub({ teams = [], ...organization }: NonNullable<AccessRule['github']>, place: Place): Wired {
  const whole = withProvider(organization, place);
  if (!whole.ok || teams.length === 0) return named('github-organization', whole);
  return each(teams, place, (team) => ({ ok: true, value: { 'github-organization': { ...whole.value, team } } }));
}

function named(selector: string, fields: Result<Record<string, string>>): Wired {
  return fields.ok ? { ok: true, value: [{ [selector]: fields.value }] } : fields;
}

/** In `require` rules must all hold, and nobody is in two countries at once. */
function each(entries: readonly string[], { path, all }: Place, toRule: (entry: string) => Result<WireRule>): Wired {
  if (all && entries.length > 1) {
    return invalid(`${path}: in require all rules must hold, so several of these cannot; put them in a group`);
  }
  const made: WireRule[] = [];
  for (const entry of entries) {
    const rule = toRule(entry);
    if (!rule.ok) return rule;
    made.push(rule.value);
  }
  return { ok: true, value: made };
}

type WithProvider = { readonly identityProviderId?: string | undefined; readonly idpRef?: IdpRef | undefined };

function withProvider(value: object, { path, providerOf }: Place): Result<Record<string, string>> {
  const { idpRef, ...fields } = value as WithProvider;
  const wire = toSnakeCase(fields) as Record<string, string>;
  const isLogin = path.endsWith('.loginMethod');
  if (!isLogin && !/\.(gsuite|github|azure|okta|oidc|saml|authContext)$/.test(path)) return { ok: true, value: wire };
  const field = isLogin ? 'id' : 'identity_provider_id';
  if (wire[field]) return { ok: true, value: wire };
  if (!idpRef) return invalid(`${path}: needs ${isLogin ? 'id' : 'identityProviderId'} or idpRef`);
  const id = providerOf(idpRef);
  return id.ok ? { ok: true, value: { ...wire, [field]: id.value } } : id;
}

function invalid(message: string): Result<never> {
  return { ok: false, reason: 'Invalid', message };
}
