import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { accessRuleLists, ownedOrLookedUp } from '../access-contract.ts';
import type { AccessKey } from '../access-contract.ts';

const config = z.object({
  name: z.string(),
  ...accessRuleLists,
  isDefault: z.boolean().optional(),
  adopt: z.boolean().optional(),
});

export type AccessGroupConfig = z.output<typeof config>;

/** Outputs: `name`. */
export const accessGroupContract = defineContract<AccessKey, AccessGroupConfig>({
  type: 'AccessGroup',
  sources: 'one',
  config,
  ...ownedOrLookedUp,
});
