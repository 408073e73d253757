import { defineContract } from '../../engine/l4-state/contract.ts';
import { ownedBy } from '../owned-contract.ts';
import type { OwnedConfig, OwnedKey } from '../owned-contract.ts';

export const devicePostureRuleContract = defineContract<OwnedKey, OwnedConfig>({
  type: 'DevicePostureRule',
  ...ownedBy,
});
