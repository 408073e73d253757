import type { Result } from '@tributary/runtime';
import { canonicalNetwork, hostNetwork } from '../../refs/canonical-network.ts';
import { snakeCase, toSnakeCase } from '../../refs/snake-case.ts';
import type { ApplicationSpec } from './resource.ts';

export type WireFields = Record<string, unknown>;

const login = ['sessionDuration', 'allowedIdps', 'autoRedirectToIdentity', 'customPages'] as const;
const denial = ['customDenyUrl', 'customNonIdentityDenyUrl'] as const;
const launcher = ['appLauncherVisible', 'logoUrl', 'tags'] as const;
const names = ['domain', 'selfHostedDomains', 'destinations', 'domainType', 'privateAddress'] as const;
const cookies = [
  'enableBindingCookie',
  'httpOnlyCookieAttribute',
  'pathCookieAttribute',
  'sameSiteCookieAttribute',
] as const;
const web = [
  ...login,
  ...denial,
  ...launcher,
  ...names,
  ...cookies,
  ...(['skipInterstitial', 'optionsPreflightBypass', 'serviceAuth401Redirect', 'customDenyMessage'] as const),
  ...(['allowAuthenticateViaWarp', 'gatewayRules', 'corsHeaders', 'scimConfig'] as const),
] as const;

/** What an application of a type has. The others are not taken by the API, or mean nothing. */
const fieldsOf: Readonly<Record<ApplicationSpec['type'], readonly (keyof ApplicationSpec)[]>> = {
  self_hosted: web,
  ssh: web,
  vnc: web,
  saas: ['allowedIdps', 'autoRedirectToIdentity', 'customPages', ...launcher, 'saasApp', 'scimConfig'],
  bookmark: ['domain', ...launcher],
  app_launcher: [...login, ...denial, 'appLauncherCustomization'],
  warp: [...login, ...denial],
  biso: [...login, ...denial],
  dash_sso: [...login, ...denial],
  infrastructure: ['targetContexts'],
};

/** Required, or filled in by the schema: said whether they mean something or not. */
const alwaysSaid = new Set<string>(['domain', 'sessionDuration', 'autoRedirectToIdentity', 'appLauncherVisible']);
const notFields = new Set<string>(['name', 'type', 'cloudflare', 'policies', 'reusablePolicyRefs', 'allowedIdpRefs']);

/** The application in the words of the API, but for name, type, policies and secrets; or what its type has no place for. */
export function toFields(spec: ApplicationSpec, identityProviders: readonly string[]): Result<WireFields> {
  const allowed = new Set<string>(fieldsOf[spec.type]);
  const given = Object.entries(spec).filter(([field, value]) => value !== undefined && !notFields.has(field));
  const wrong = given.find(([field]) => !allowed.has(field) && !alwaysSaid.has(field));
  if (wrong) {
    return { ok: false, reason: 'Invalid', message: `spec.${wrong[0]}: an application of type ${spec.type} has none` };
  }
  const plain = given
    .filter(([field]) => allowed.has(field) && !(field in special))
    .map(([field, value]) => [wireName(field), toSnakeCase(value)]);
  const made = Object.entries(special).flatMap(([field, toWire]) => (allowed.has(field) ? [toWire(spec)] : []));
  const providers = allowed.has('allowedIdps') && identityProviders.length > 0;
  return {
    ok: true,
    value: Object.assign(
      Object.fromEntries(plain) as WireFields,
      providers && { allowed_idps: identityProviders },
      ...made,
    ) as WireFields,
  };
}

function wireName(field: string): string {
  return field === 'serviceAuth401Redirect' ? 'service_auth_401_redirect' : snakeCase(field);
}

/** Fields that the API has in another form. */
const special: Readonly<Record<string, (spec: ApplicationSpec) => WireFields>> = {
  allowedIdps: () => ({}),
  domain: toDomains,
  selfHostedDomains: () => ({}),
  destinations: () => ({}),
  domainType: () => ({}),
  privateAddress: () => ({}),
  gatewayRules: ({ gatewayRules }) => (gatewayRules ? { gateway_rules: gatewayRules.map((id) => ({ id })) } : {}),
  targetContexts: ({ targetContexts = [] }) => ({
    target_criteria: toSnakeCase(targetContexts, new Set(['targetAttributes'])),
  }),
  appLauncherCustomization: ({ appLauncherCustomization: look }) => toLook(look ?? {}),
  saasApp: ({ saasApp }) => (saasApp ? { saas_app: toSaas(saasApp) } : {}),
  scimConfig: ({ scimConfig }) => (scimConfig ? { scim_config: toScim(scimConfig) } : {}),
};

/** The primary name first, then the others, each once: the API derives one form from the other. */
function toDomains({
  type,
  domain,
  selfHostedDomains = [],
  destinations = [],
  domainType,
  privateAddress,
}: ApplicationSpec): WireFields {
  if (type === 'bookmark') return { domain };
  const isPrivate = domainType === 'private';
  const named = [...(isPrivate ? [] : [domain]), ...selfHostedDomains].filter((name) => name !== '');
  const all = [
    ...named.map((uri): WireFields => ({ type: 'public', uri })),
    ...[...(isPrivate && domain ? [domain] : []), ...(privateAddress ? [privateAddress] : [])].map(toPrivate),
    ...(toSnakeCase(destinations) as WireFields[]),
  ];
  const unique = new Map(all.map((destination) => [JSON.stringify(destination), destination]));
  return { ...(!isPrivate && domain && { domain }), destinations: [...unique.values()] };
}

function toPrivate(address: string): WireFields {
  const cidr = hostNetwork(address) ?? canonicalNetwork(address);
  return cidr === undefined ? { type: 'private', hostname: address } : { type: 'private', cidr };
}

function toLook(look: NonNullable<ApplicationSpec['appLauncherCustomization']>): WireFields {
  const { headerBackgroundColor: header, backgroundColor: background, ...rest } = look;
  return {
    ...(toSnakeCase(rest) as WireFields),
    ...(header && { header_bg_color: header }),
    ...(background && { bg_color: background }),
  };
}

function toSaas(saas: NonNullable<ApplicationSpec['saasApp']>): WireFields {
  const wire = toSnakeCase(saas, new Set(['nameByIdp'])) as WireFields;
  const { customAttributes, customClaims } = saas;
  return {
    ...wire,
    ...(customAttributes && {
      custom_attributes: customAttributes.map((attribute) => withNames(attribute, toNameList)),
    }),
    ...(customClaims && { custom_claims: customClaims.map((claim) => withNames(claim, (map) => map)) }),
  };
}

type Sourced = { readonly source: { readonly name: string; readonly nameByIdp?: Record<string, string> | undefined } };

/** Attributes of SAML take a list of names, claims of OpenID Connect a map. */
function withNames(item: Sourced, toNames: (map: Record<string, string>) => unknown): WireFields {
  const { source, ...rest } = item;
  const { name, nameByIdp } = source;
  const byProvider = nameByIdp && { name_by_idp: toNames(nameByIdp) };
  return { ...(toSnakeCase(rest) as WireFields), source: { name, ...byProvider } };
}

function toNameList(map: Record<string, string>): unknown {
  return Object.entries(map).map(([provider, name]) => ({ idp_id: provider, source_name: name }));
}

/** Without its secrets, and with the API's word for loose. */
function toScim({ authentication, mappings, ...rest }: NonNullable<ApplicationSpec['scimConfig']>): WireFields {
  const { password: _password, token: _token, clientSecret: _secret, ...shown } = authentication ?? {};
  return {
    ...(toSnakeCase(rest) as WireFields),
    ...(authentication && { authentication: toSnakeCase(shown) }),
    ...(mappings && {
      mappings: mappings.map((mapping) => ({
        ...(toSnakeCase(mapping) as WireFields),
        ...(mapping.strictness === 'loose' && { strictness: 'passthrough' }),
      })),
    }),
  };
}
