import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();
const words = text.optional();
const flag = z.boolean().optional();
const many = z.array(text).optional();

const type = z.enum([
  ...(['onetimepin', 'azureAD', 'saml', 'centrify', 'facebook', 'github', 'google-apps', 'google'] as const),
  ...(['linkedin', 'oidc', 'okta', 'onelogin', 'pingone', 'yandex'] as const),
]);

/** The options of all types; which ones count depends on the type. */
const config = z.object({
  clientId: words,
  clientSecret: words.describe('In clear text; better by configSecretRef'),
  appsDomain: words.describe('Of Google Workspace'),
  // OIDC
  authUrl: words,
  tokenUrl: words,
  certsUrl: words,
  scopes: many,
  claims: many,
  pkceEnabled: flag,
  emailClaimName: words,
  // SAML
  attributes: many,
  idpPublicCert: words,
  idpPublicCerts: many,
  issuerUrl: words,
  ssoTargetUrl: words,
  signRequest: flag,
  emailAttributeName: words,
  headerAttributes: z.array(z.object({ attributeName: text, headerName: text, required: flag })).optional(),
  // Microsoft
  directoryId: words,
  supportGroups: flag,
  conditionalAccessEnabled: flag,
  // Others
  apiToken: words.describe('In clear text; better by configSecretRef'),
  oktaAccount: words,
  oktaAuthorizationServerId: words,
  oneloginAccount: words,
  pingEnvId: words,
  centrifyAccount: words,
  centrifyAppId: words,
  redirectUrl: words.describe('Set by Cloudflare; what stands here is sent and has no effect'),
});

const configSecretRef = z
  .object({
    name: text,
    key: text,
    namespace: words.describe('That of the operator when absent'),
  })
  .describe(
    'A Secret with clientId, clientSecret or apiToken (or CLIENT_ID, …); an entry of another name under `key` is the client secret',
  );

const scimConfig = z.object({
  enabled: flag,
  secret: words,
  userDeprovision: flag,
  seatDeprovision: flag,
  groupMemberDeprovision: flag,
  identityUpdateBehavior: z.enum(['automatic', 'reauth', 'no_action']).optional(),
});

const spec = z.object({
  name: displayName,
  type,
  config: config.optional(),
  configSecretRef: configSecretRef.optional(),
  scimConfig: scimConfig.optional(),
  cloudflare: cloudflareDetails,
});

export const accessIdentityProviderKind = defineClusterKind('AccessIdentityProvider', ['accessidp'], {
  spec,
  status: z.object({ providerId: words, ...accessStatus }),
  columns: { Type: '.spec.type', ProviderID: '.status.providerId', State: '.status.state' },
});

export type AccessIdentityProvider = NonNullable<(typeof accessIdentityProviderKind)['objectType']>;
