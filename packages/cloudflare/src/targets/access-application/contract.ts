import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { secretUse } from '../../engine/l4-state/secret-use.ts';
import { accessRuleLists } from '../access-contract.ts';

const text = z.string();
const precedence = z.int();

/** A policy of the application's own. */
const ownPolicy = z.object({
  precedence,
  name: text,
  decision: text,
  ...accessRuleLists,
  sessionDuration: text.optional(),
});

/** One that several applications may share. */
const sharedPolicy = z.object({ precedence, id: text });

const config = z.object({
  name: text,
  type: text,
  /** As the API has them: everything but name, type and policies, and without secrets. */
  fields: z.record(text, z.unknown()),
  ownPolicies: z.array(ownPolicy),
  sharedPolicies: z.array(sharedPolicy),
  secrets: secretUse.optional(),
  adopt: z.boolean().optional(),
});

export type AccessApplicationKey = { readonly accountId: string; readonly owner: string };
export type AccessApplicationConfig = z.output<typeof config>;
export type OwnPolicy = AccessApplicationConfig['ownPolicies'][number];
export type SharedPolicy = AccessApplicationConfig['sharedPolicies'][number];

/** Outputs: `aud`, `domain`, `selfHostedDomains` and `policyIds` (by name) as JSON, `saasAppClientId`. */
export const accessApplicationContract = defineContract<AccessApplicationKey, AccessApplicationConfig>({
  type: 'AccessApplication',
  sources: 'one',
  config,
  readable: ({ owner }) => owner,
  cloudflareId: ({ owner }) => owner,
});
