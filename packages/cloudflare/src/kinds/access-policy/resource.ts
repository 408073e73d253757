import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessRule } from '../../refs/access/access-rule.ts';
import { accessStatus, decision, displayName, uuid } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();
const flag = z.boolean().optional();

const approvalGroup = z.object({
  emailAddresses: z.array(text).optional(),
  emailListUuid: uuid.optional(),
  approvalsNeeded: z.int().min(1).default(1),
});

const spec = z.object({
  name: displayName,
  decision,
  precedence: z.int().min(1).optional().describe('The place in applications that name the policy and no place for it'),
  include: z.array(accessRule).min(1).describe('Whom it is about: whoever fits one of these'),
  exclude: z.array(accessRule).optional(),
  require: z.array(accessRule).optional(),
  sessionDuration: text
    .regex(/^[0-9]+(h|m|s)+$/)
    .optional()
    .describe('How long a login lasts'),
  isolationRequired: flag.describe('Only in the isolated browser'),
  purposeJustificationRequired: flag.describe('Whoever comes must say why'),
  purposeJustificationPrompt: text.max(1024).optional(),
  approvalRequired: flag.describe('Somebody must agree first'),
  approvalGroups: z.array(approvalGroup).optional(),
  cloudflare: cloudflareDetails,
});

export const accessPolicyKind = defineClusterKind('AccessPolicy', ['accesspol'], {
  plural: 'accesspolicies',
  spec,
  status: z.object({ policyId: text.optional(), ...accessStatus }),
  columns: { Decision: '.spec.decision', PolicyID: '.status.policyId', State: '.status.state' },
});

export type AccessPolicy = NonNullable<(typeof accessPolicyKind)['objectType']>;
