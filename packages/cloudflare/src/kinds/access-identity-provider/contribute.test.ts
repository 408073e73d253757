import { expect, test } from 'vitest';
import type { KubeObject } from '@tributary/runtime';
import { fakeRefs } from '../../refs/testing/fake-refs.ts';
import { accessIdentityProviderContributor as contributor } from './contribute.ts';
import { accessIdentityProviderKind } from './resource.ts';
import type { AccessIdentityProvider } from './resource.ts';

const credentials = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'CloudflareCredentials',
  metadata: { name: 'main' },
  spec: { accountId: 'acc', isDefault: true },
} as KubeObject;

function providerOf(spec: object): AccessIdentityProvider {
  const parsed = accessIdentityProviderKind.parseSpec({ cloudflare: {}, ...spec });
  if (!parsed.ok) throw new Error(parsed.message);
  return { metadata: { name: 'login', uid: 'u' }, spec: parsed.value };
}

function configOf(spec: object): unknown {
  const object = providerOf(spec);
  const resolved = contributor.resolve(object, fakeRefs([credentials]));
  if (!resolved.ok) throw new Error(resolved.message);
  return contributor.contribute(object, resolved.value)[0]?.config;
}

test('every option has its name at the API, and certificates are a list', () => {
  const config = {
    clientId: 'c',
    appsDomain: 'd',
    authUrl: 'a',
    tokenUrl: 't',
    certsUrl: 'k',
    scopes: ['s'],
    claims: ['l'],
    pkceEnabled: true,
    emailClaimName: 'm',
    attributes: ['x'],
    idpPublicCert: 'pem',
    idpPublicCerts: ['old'],
    issuerUrl: 'i',
    ssoTargetUrl: 'o',
    signRequest: true,
    emailAttributeName: 'e',
    headerAttributes: [{ attributeName: 'an', headerName: 'hn', required: false }],
    directoryId: 'dir',
    supportGroups: true,
    conditionalAccessEnabled: false,
    oktaAccount: 'ok',
    oktaAuthorizationServerId: 'as',
    oneloginAccount: 'on',
    pingEnvId: 'pi',
    centrifyAccount: 'ca',
    centrifyAppId: 'ci',
    redirectUrl: 'r',
  };
  expect(
    configOf({ type: 'oidc', name: 'Login', config, scimConfig: { enabled: true, seatDeprovision: false } }),
  ).toEqual({
    name: 'Login',
    config: {
      client_id: 'c',
      apps_domain: 'd',
      auth_url: 'a',
      token_url: 't',
      certs_url: 'k',
      scopes: ['s'],
      claims: ['l'],
      pkce_enabled: true,
      email_claim_name: 'm',
      attributes: ['x'],
      idp_public_certs: ['pem'],
      issuer_url: 'i',
      sso_target_url: 'o',
      sign_request: true,
      email_attribute_name: 'e',
      header_attributes: [{ attribute_name: 'an', header_name: 'hn' }],
      directory_id: 'dir',
      support_groups: true,
      conditional_access_enabled: false,
      okta_account: 'ok',
      authorization_server_id: 'as',
      onelogin_account: 'on',
      ping_env_id: 'pi',
      centrify_account: 'ca',
      centrify_app_id: 'ci',
      redirect_url: 'r',
    },
    scimConfig: { enabled: true, seat_deprovision: false },
  });
});

test('certificates of the older form count where there is no other', () => {
  expect(configOf({ type: 'saml', config: { idpPublicCerts: ['a', 'b'] } })).toMatchObject({
    config: { idp_public_certs: ['a', 'b'] },
  });
});

test('secrets in clear text are named by their places and by a hash, and nothing more', () => {
  const spec = {
    type: 'okta',
    config: { clientSecret: 's3cret', apiToken: 't0ken' },
    scimConfig: { enabled: true, secret: 'sc1m' },
  };
  const config = configOf(spec);
  expect(config).toMatchObject({
    secrets: {
      namespace: 'cloudflare-operator-system',
      name: 'accessidentityprovider-login',
      entries: {
        'config.client_secret': 'config.client_secret',
        'config.api_token': 'config.api_token',
        'scim_config.secret': 'scim_config.secret',
      },
    },
  });
  expect(JSON.stringify(config)).not.toMatch(/s3cret|t0ken|sc1m/);
});

test('what Cloudflare has no option for is refused by name', () => {
  const headerAttributes = [{ attributeName: 'a', headerName: 'h', required: true }];
  expect(
    contributor.resolve(providerOf({ type: 'saml', config: { headerAttributes } }), fakeRefs([credentials])),
  ).toEqual({
    ok: false,
    state: 'broken',
    reason: 'InvalidConfig',
    message: 'spec.config.headerAttributes[0].required: Cloudflare has no such option any more',
  });
});
