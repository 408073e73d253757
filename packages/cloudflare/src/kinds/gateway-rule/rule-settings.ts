import { z } from 'zod';

const text = z.string().optional();
const flag = z.boolean().optional();

const resolver = z.object({
  ip: z.string(),
  port: z.int().optional(),
  vnetId: text.describe('The id of the virtual network in which it is'),
  routeThroughPrivateNetwork: flag,
});

/** The options of a rule. Which ones it may have depends on its action, and Cloudflare says so. */
export const ruleSettings = z.object({
  blockPageEnabled: flag,
  blockReason: text,
  overrideIps: z.array(z.string()).optional(),
  overrideHost: text,
  l4Override: z.object({ ip: z.string(), port: z.int() }).optional(),
  bisoAdminControls: z
    .object({
      disablePrinting: flag,
      disableCopyPaste: flag,
      disableDownload: flag,
      disableUpload: flag,
      disableKeyboard: flag,
      disableClipboardRedirection: flag,
    })
    .optional()
    .describe('What is not allowed in an isolated browser'),
  checkSession: z.object({ enforce: z.boolean(), duration: z.string().describe('Such as 30m or 24h') }).optional(),
  addHeaders: z.record(z.string(), z.string()).optional(),
  insecureDisableDnssecValidation: flag,
  egress: z.object({ ipv4: text, ipv4Fallback: text, ipv6: text }).optional(),
  payloadLog: z.object({ enabled: z.boolean() }).optional(),
  untrustedCertificateAction: z.enum(['pass_through', 'block', 'error']).optional(),
  auditSsh: z.object({ commandLogging: z.boolean() }).optional(),
  resolveDnsInternally: z
    .object({ viewId: text, fallback: flag.describe('Ask public DNS where the view has no answer') })
    .optional(),
  resolveDnsThroughCloudflare: flag,
  dnsResolvers: z.object({ ipv4: z.array(resolver).optional(), ipv6: z.array(resolver).optional() }).optional(),
  notificationSettings: z.object({ enabled: z.boolean(), message: text, supportUrl: text }).optional(),
  allowChildBypass: flag,
  bypassParentRule: flag,
  ignoreCnameCategoryMatches: flag,
  ipCategories: flag,
  ipIndicatorFeeds: flag,
  quarantine: z.object({ fileTypes: z.array(z.string()).optional() }).optional(),
});

export type RuleSettings = z.output<typeof ruleSettings>;
