import { listMap, mapOf } from '@tributary/runtime';
import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessRule } from '../../refs/access/access-rule.ts';
import { accessStatus, decision, displayName, uuid } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { saasApp, scimConfig } from './saas-app.ts';

const text = z.string();
const words = text.optional();
const flag = z.boolean().optional();
const many = z.array(text).optional();
const colour = text.regex(/^#[0-9a-fA-F]{6}$/).optional();
const precedence = z.int().min(1).optional();

const destination = z.object({
  type: z.enum(['public', 'private']),
  uri: words,
  hostname: words,
  cidr: words,
  portRange: words,
  l4Protocol: z.enum(['tcp', 'udp']).optional(),
  vnetId: words,
});

const corsHeaders = z.object({
  allowedMethods: many,
  allowedOrigins: many,
  allowedHeaders: many,
  allowAllMethods: flag,
  allowAllHeaders: flag,
  allowAllOrigins: flag,
  allowCredentials: flag,
  maxAge: z.int().min(0).max(86_400).optional(),
});

const appLauncherCustomization = z.object({
  appLauncherLogoUrl: words,
  headerBackgroundColor: colour,
  backgroundColor: colour,
  skipAppLauncherLoginPage: flag,
  footerLinks: z.array(z.object({ name: text.max(255), url: text })).optional(),
  landingPageDesign: z
    .object({
      title: text.max(255).optional(),
      message: text.max(1024).optional(),
      imageUrl: words,
      buttonColor: colour,
      buttonTextColor: colour,
    })
    .optional(),
});

const targetContext = z.object({
  targetAttributes: mapOf(z.array(text)),
  port: z.int().min(1).max(65_535),
  protocol: z.enum(['SSH', 'RDP']),
});

const policy = z.object({
  name: text.max(253).optional().describe('An AccessGroup of this cluster'),
  groupId: uuid.optional().describe('A group at Cloudflare by its id'),
  cloudflareGroupName: text.max(255).optional().describe('A group at Cloudflare by its name'),
  include: z.array(accessRule).optional().describe('Rules instead of a group'),
  exclude: z.array(accessRule).optional(),
  require: z.array(accessRule).optional(),
  decision,
  precedence: precedence.describe('The place among the policies, the lowest first; that in the list when absent'),
  policyName: text.max(255).optional().describe('The name at Cloudflare'),
  sessionDuration: words,
});

const reusablePolicyRef = z.object({
  name: text.max(253).optional().describe('An AccessPolicy of this cluster'),
  cloudflareId: uuid.optional(),
  cloudflareName: text.max(255).optional(),
  precedence: precedence.describe('That of the AccessPolicy, else after all others when absent'),
});

const type = z.enum([
  ...(['self_hosted', 'saas', 'ssh', 'vnc', 'app_launcher', 'warp', 'biso', 'bookmark', 'dash_sso'] as const),
  'infrastructure',
]);

const spec = z.object({
  name: displayName,
  domain: text.describe('The name, with a path or without, that is protected'),
  selfHostedDomains: z.array(text).max(50).optional().describe('Further names of the same application'),
  destinations: z.array(destination).max(50).optional(),
  domainType: z.enum(['public', 'private']).optional(),
  privateAddress: words.describe('A private address or name that is protected too'),
  type: type.default('self_hosted'),
  sessionDuration: text.default('24h'),
  allowedIdps: many.describe('Identity providers by their ids; all when none is named'),
  allowedIdpRefs: z
    .array(z.object({ name: text }))
    .optional()
    .describe('The same by AccessIdentityProvider'),
  autoRedirectToIdentity: z.boolean().default(false),
  enableBindingCookie: flag,
  httpOnlyCookieAttribute: flag,
  pathCookieAttribute: flag,
  sameSiteCookieAttribute: z.enum(['strict', 'lax', 'none']).optional(),
  logoUrl: words,
  skipInterstitial: flag,
  optionsPreflightBypass: flag,
  appLauncherVisible: z.boolean().default(true),
  serviceAuth401Redirect: flag,
  customDenyMessage: text.max(1024).optional(),
  customDenyUrl: words,
  customNonIdentityDenyUrl: words,
  allowAuthenticateViaWarp: flag,
  tags: many.describe('Made where they are not there yet'),
  customPages: many,
  gatewayRules: many,
  corsHeaders: corsHeaders.optional(),
  saasApp: saasApp.optional(),
  scimConfig: scimConfig.optional(),
  appLauncherCustomization: appLauncherCustomization.optional(),
  targetContexts: z.array(targetContext).optional(),
  policies: z.array(policy).optional().describe('Policies of this application alone'),
  reusablePolicyRefs: z.array(reusablePolicyRef).optional().describe('Policies that applications share'),
  cloudflare: cloudflareDetails,
});

const resolvedPolicy = z.object({
  precedence: z.int(),
  policyId: words,
  groupId: words,
  groupName: words,
  source: z.enum(['k8s', 'groupId', 'cloudflareGroupName']).optional(),
  decision: words,
});

const resolvedReusablePolicy = z.object({
  policyId: words,
  policyName: words,
  source: z.enum(['k8s', 'cloudflareId', 'cloudflareName']).optional(),
  precedence: z.int().optional(),
  decision: words,
});

const status = z.object({
  applicationId: words,
  aud: words,
  domain: words,
  selfHostedDomains: many,
  saasAppClientId: words,
  resolvedPolicies: listMap(resolvedPolicy, ['precedence']).optional(),
  resolvedReusablePolicies: z.array(resolvedReusablePolicy).optional(),
  ...accessStatus,
});

export const accessApplicationKind = defineClusterKind('AccessApplication', ['accessapp'], {
  spec,
  status,
  columns: { Domain: '.spec.domain', Type: '.spec.type', AppID: '.status.applicationId', State: '.status.state' },
});

export type AccessApplication = NonNullable<(typeof accessApplicationKind)['objectType']>;
export type ApplicationSpec = AccessApplication['spec'];
export type PolicySpec = NonNullable<ApplicationSpec['policies']>[number];
