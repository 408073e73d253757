import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accountObjectStatus, accountObjectWords, ownedConfigOf } from '../../refs/account-object.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { devicePostureRuleContract } from '../../targets/device-posture-rule/contract.ts';
import { toWireInput } from './posture-input.ts';
import { devicePostureRuleKind } from './resource.ts';
import type { DevicePostureRule } from './resource.ts';

export const devicePostureRuleContributor = defineContributor<DevicePostureRule, Account>({
  kind: devicePostureRuleKind,
  ...finalizersOf('deviceposturerule'),
  resolve: ({ spec }, refs) => credentialsOf(refs, spec.cloudflare, undefined),
  contribute: (object, { accountId, credentials }) => {
    const { type, schedule, expiration, match, input } = object.spec;
    const body = {
      type,
      ...(schedule && { schedule }),
      ...(expiration && { expiration }),
      ...(match && { match }),
      ...(input && { input: toWireInput(input) }),
    };
    const key = { accountId, owner: `DevicePostureRule/${object.metadata.name ?? ''}` };
    return [contribution(devicePostureRuleContract, key, ownedConfigOf(object, body), { credentials })];
  },
  status: ({ status }, view) => accountObjectStatus(view, status, 'ruleId'),
  ready: accountObjectWords,
});
