import { describe, expect, test } from 'vitest';
import { accessApplicationKind } from './resource.ts';
import type { ApplicationSpec } from './resource.ts';
import { toFields } from './to-fields.ts';

function specOf(fields: object): ApplicationSpec {
  const parsed = accessApplicationKind.parseSpec({ domain: 'wiki.example.com', cloudflare: {}, ...fields });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

const always = { session_duration: '24h', app_launcher_visible: true, auto_redirect_to_identity: false };
const wiki = { type: 'public', uri: 'wiki.example.com' };
const own = { domain: 'wiki.example.com', destinations: [wiki] };

const cases: readonly (readonly [string, object, object])[] = [
  ['nothing but a domain', {}, { ...always, ...own }],
  [
    'further names, each once',
    {
      selfHostedDomains: ['docs.example.com', 'wiki.example.com'],
      destinations: [wiki, { type: 'private', cidr: '10.0.0.0/8', portRange: '22', l4Protocol: 'tcp', vnetId: 'v' }],
    },
    {
      ...always,
      domain: 'wiki.example.com',
      destinations: [
        wiki,
        { type: 'public', uri: 'docs.example.com' },
        { type: 'private', cidr: '10.0.0.0/8', port_range: '22', l4_protocol: 'tcp', vnet_id: 'v' },
      ],
    },
  ],
  [
    'a private name and address',
    { domainType: 'private', domain: 'db.internal', privateAddress: '10.0.0.1' },
    {
      ...always,
      destinations: [
        { type: 'private', hostname: 'db.internal' },
        { type: 'private', cidr: '10.0.0.1/32' },
      ],
    },
  ],
  [
    'all its switches and texts',
    {
      enableBindingCookie: true,
      httpOnlyCookieAttribute: false,
      pathCookieAttribute: true,
      sameSiteCookieAttribute: 'lax',
      logoUrl: 'https://logo',
      skipInterstitial: true,
      optionsPreflightBypass: true,
      serviceAuth401Redirect: true,
      customDenyMessage: 'no',
      customDenyUrl: 'https://no',
      customNonIdentityDenyUrl: 'https://nobody',
      allowAuthenticateViaWarp: true,
      tags: ['a'],
      customPages: ['p'],
      gatewayRules: ['r'],
      corsHeaders: { allowedMethods: ['GET'], allowAllOrigins: true, maxAge: 10 },
    },
    {
      ...always,
      ...own,
      enable_binding_cookie: true,
      http_only_cookie_attribute: false,
      path_cookie_attribute: true,
      same_site_cookie_attribute: 'lax',
      logo_url: 'https://logo',
      skip_interstitial: true,
      options_preflight_bypass: true,
      service_auth_401_redirect: true,
      custom_deny_message: 'no',
      custom_deny_url: 'https://no',
      custom_non_identity_deny_url: 'https://nobody',
      allow_authenticate_via_warp: true,
      tags: ['a'],
      custom_pages: ['p'],
      gateway_rules: [{ id: 'r' }],
      cors_headers: { allowed_methods: ['GET'], allow_all_origins: true, max_age: 10 },
    },
  ],
  [
    'SCIM without its secrets',
    {
      scimConfig: {
        enabled: true,
        remoteUri: 'https://scim',
        idpUid: 'u',
        deactivateOnDelete: true,
        authentication: { scheme: 'httpbasic', user: 'me', password: 's3cret' },
        mappings: [{ schema: 'urn', strictness: 'loose', transformJsonata: '$', operations: { create: true } }],
      },
    },
    {
      ...always,
      ...own,
      scim_config: {
        enabled: true,
        remote_uri: 'https://scim',
        idp_uid: 'u',
        deactivate_on_delete: true,
        authentication: { scheme: 'httpbasic', user: 'me' },
        mappings: [{ schema: 'urn', strictness: 'passthrough', transform_jsonata: '$', operations: { create: true } }],
      },
    },
  ],
  [
    'a service provider by SAML',
    {
      type: 'saas',
      saasApp: {
        authType: 'saml',
        consumerServiceUrl: 'https://acs',
        spEntityId: 'sp',
        nameIdFormat: 'email',
        customAttributes: [
          { name: 'mail', friendlyName: 'Mail', source: { name: 'email', nameByIdp: { IdP1: 'upn' } } },
        ],
      },
    },
    {
      app_launcher_visible: true,
      auto_redirect_to_identity: false,
      saas_app: {
        auth_type: 'saml',
        consumer_service_url: 'https://acs',
        sp_entity_id: 'sp',
        name_id_format: 'email',
        custom_attributes: [
          {
            name: 'mail',
            friendly_name: 'Mail',
            source: { name: 'email', name_by_idp: [{ idp_id: 'IdP1', source_name: 'upn' }] },
          },
        ],
      },
    },
  ],
  [
    'a service provider by OpenID Connect',
    {
      type: 'saas',
      saasApp: {
        authType: 'oidc',
        redirectUris: ['https://r'],
        customClaims: [{ name: 'c', scope: 'email', source: { name: 'email', nameByIdp: { IdP1: 'upn' } } }],
        refreshTokenOptions: { lifetime: '30d' },
        hybridAndImplicitOptions: { returnIdTokenFromAuthorizationEndpoint: true },
      },
    },
    {
      app_launcher_visible: true,
      auto_redirect_to_identity: false,
      saas_app: {
        auth_type: 'oidc',
        redirect_uris: ['https://r'],
        custom_claims: [{ name: 'c', scope: 'email', source: { name: 'email', name_by_idp: { IdP1: 'upn' } } }],
        refresh_token_options: { lifetime: '30d' },
        hybrid_and_implicit_options: { return_id_token_from_authorization_endpoint: true },
      },
    },
  ],
  [
    'the launcher',
    {
      type: 'app_launcher',
      appLauncherCustomization: {
        appLauncherLogoUrl: 'https://l',
        headerBackgroundColor: '#ffffff',
        backgroundColor: '#000000',
        footerLinks: [{ name: 'n', url: 'u' }],
        landingPageDesign: { title: 't', imageUrl: 'i', buttonTextColor: '#ff0000' },
      },
    },
    {
      session_duration: '24h',
      auto_redirect_to_identity: false,
      app_launcher_logo_url: 'https://l',
      header_bg_color: '#ffffff',
      bg_color: '#000000',
      footer_links: [{ name: 'n', url: 'u' }],
      landing_page_design: { title: 't', image_url: 'i', button_text_color: '#ff0000' },
    },
  ],
  [
    'infrastructure',
    { type: 'infrastructure', targetContexts: [{ targetAttributes: { hostName: ['a'] }, port: 22, protocol: 'SSH' }] },
    { target_criteria: [{ target_attributes: { hostName: ['a'] }, port: 22, protocol: 'SSH' }] },
  ],
  ['a bookmark', { type: 'bookmark' }, { app_launcher_visible: true, domain: 'wiki.example.com' }],
];

describe('an application in the words of the API:', () => {
  for (const [name, spec, wire] of cases) {
    test(name, () => expect(toFields(specOf(spec), [])).toEqual({ ok: true, value: wire }));
  }

  test('its identity providers', () => {
    expect(toFields(specOf({ allowedIdps: ['a'] }), ['a', 'b'])).toMatchObject({ value: { allowed_idps: ['a', 'b'] } });
  });
});

test.each([
  ['saasApp', { saasApp: { authType: 'saml' } }],
  ['corsHeaders', { type: 'saas', saasApp: { authType: 'saml' }, corsHeaders: {} }],
  ['targetContexts', { targetContexts: [] }],
  ['appLauncherCustomization', { appLauncherCustomization: {} }],
  ['selfHostedDomains', { type: 'bookmark', selfHostedDomains: ['x.example.com'] }],
])('%s where the type has no place for it is refused by name', (field, spec) => {
  const made = toFields(specOf(spec), []);
  expect(made).toMatchObject({
    ok: false,
    message: expect.stringMatching(`^spec.${field}: an application of type`) as string,
  });
});
