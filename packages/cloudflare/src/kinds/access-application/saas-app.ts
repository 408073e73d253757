import { mapOf } from '@tributary/runtime';
import { z } from 'zod';

const text = z.string();
const words = text.optional();
const flag = z.boolean().optional();

const source = z.object({
  name: text.describe('The attribute or claim of the identity provider'),
  nameByIdp: mapOf(text).optional().describe('Another one by the id of the identity provider'),
});

/** The application as a service provider, by SAML or OpenID Connect. */
export const saasApp = z.object({
  authType: z.enum(['saml', 'oidc']),
  // SAML
  consumerServiceUrl: words,
  spEntityId: words,
  nameIdFormat: z.enum(['id', 'email']).optional(),
  defaultRelayState: words,
  customAttributes: z
    .array(z.object({ name: text, nameFormat: words, friendlyName: words, required: flag, source }))
    .optional(),
  nameIdTransformJsonata: words,
  samlAttributeTransformJsonata: words,
  // OpenID Connect
  redirectUris: z.array(text).optional(),
  grantTypes: z.array(text).optional(),
  scopes: z.array(text).optional(),
  appLauncherUrl: words,
  groupFilterRegex: words,
  customClaims: z.array(z.object({ name: text, required: flag, scope: words, source })).optional(),
  allowPkceWithoutClientSecret: flag,
  accessTokenLifetime: words,
  refreshTokenOptions: z.object({ lifetime: words }).optional(),
  hybridAndImplicitOptions: z
    .object({ returnIdTokenFromAuthorizationEndpoint: flag, returnAccessTokenFromAuthorizationEndpoint: flag })
    .optional(),
});

/** Users that Cloudflare makes known to the application. */
export const scimConfig = z.object({
  enabled: flag,
  remoteUri: words,
  idpUid: words,
  deactivateOnDelete: flag,
  authentication: z
    .object({
      scheme: z.enum(['httpbasic', 'oauthbearertoken', 'oauth2']),
      user: words,
      password: words,
      token: words,
      clientId: words,
      clientSecret: words,
      authorizationUrl: words,
      tokenUrl: words,
      scopes: z.array(text).optional(),
    })
    .optional(),
  mappings: z
    .array(
      z.object({
        schema: text,
        enabled: flag,
        filter: words,
        transformJsonata: words,
        strictness: z.enum(['strict', 'loose']).optional(),
        operations: z.object({ create: flag, update: flag, delete: flag }).optional(),
      }),
    )
    .optional(),
});
