import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { accessRuleLists, ownedOrLookedUp } from '../access-contract.ts';
import type { AccessKey } from '../access-contract.ts';

const text = z.string();
const flag = z.boolean().optional();

const config = z.object({
  name: text,
  decision: text.optional(),
  ...accessRuleLists,
  sessionDuration: text.optional(),
  isolationRequired: flag,
  purposeJustificationRequired: flag,
  purposeJustificationPrompt: text.optional(),
  approvalRequired: flag,
  approvalGroups: z.array(z.record(text, z.unknown())).optional().describe('As the API has them'),
  adopt: flag,
});

export type AccessPolicyConfig = z.output<typeof config>;

/** Outputs: `name`, `decision`. */
export const accessPolicyContract = defineContract<AccessKey, AccessPolicyConfig>({
  type: 'AccessPolicy',
  sources: 'one',
  config,
  ...ownedOrLookedUp,
});
