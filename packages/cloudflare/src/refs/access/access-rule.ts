import { z } from 'zod';

const text = z.string();
const id = z.object({ id: text });

/** An identity provider: an object of this cluster, or one that is at Cloudflare by its id or its name. */
const idpRef = z
  .object({ name: text.max(253).optional(), cloudflareId: text.optional(), cloudflareName: text.max(255).optional() })
  .optional()
  .describe('Instead of the id: an AccessIdentityProvider by name, or a provider at Cloudflare');
const provider = { identityProviderId: text.optional(), idpRef };

/** Whom a policy or a group is about. Each field that is given is a rule of its own. */
export const accessRule = z.object({
  email: z.object({ email: text }).optional(),
  emailDomain: z.object({ domain: text }).optional(),
  emailList: id.optional(),
  everyone: z.boolean().optional(),
  ipRanges: z.object({ ip: z.array(text) }).optional(),
  ipList: id.optional(),
  country: z.object({ country: z.array(text) }).optional(),
  group: id.optional().describe('An Access group by its id at Cloudflare'),
  serviceToken: z.object({ tokenId: text }).optional(),
  anyValidServiceToken: z.boolean().optional(),
  certificate: z.boolean().optional(),
  commonName: z.object({ commonName: text }).optional(),
  devicePosture: z.object({ integrationUid: text }).optional(),
  gsuite: z.object({ email: text, ...provider }).optional(),
  github: z.object({ name: text, teams: z.array(text).optional(), ...provider }).optional(),
  azure: z.object({ id: text, ...provider }).optional(),
  okta: z.object({ name: text, ...provider }).optional(),
  oidc: z.object({ claimName: text, claimValue: text, ...provider }).optional(),
  saml: z.object({ attributeName: text, attributeValue: text, ...provider }).optional(),
  authMethod: z.object({ authMethod: text }).optional(),
  authContext: z.object({ id: text, acId: text, ...provider }).optional(),
  loginMethod: z.object({ id: text.optional(), idpRef }).optional(),
  externalEvaluation: z.object({ evaluateUrl: text, keysUrl: text }).optional(),
});

export type AccessRule = z.output<typeof accessRule>;
export type IdpRef = NonNullable<z.output<typeof idpRef>>;

/** The three lists: any of `include`, none of `exclude`, all of `require`. */
export type AccessRules = {
  readonly include?: readonly AccessRule[] | undefined;
  readonly exclude?: readonly AccessRule[] | undefined;
  readonly require?: readonly AccessRule[] | undefined;
};
