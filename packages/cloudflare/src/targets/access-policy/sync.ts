import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { AccessKey } from '../access-contract.ts';
import { accountCalls, namedAccessObject, unseenDifference } from '../account-object.ts';
import type { AccessDesired, AccessObserved } from '../account-object.ts';
import { differingPolicyFields } from '../access-policy-fields.ts';
import { firstWins } from '../first-wins.ts';
import { accessPolicyContract } from './contract.ts';
import type { AccessPolicyConfig } from './contract.ts';

export const accessPolicyTarget = defineTarget<AccessKey, AccessPolicyConfig, AccessDesired, AccessObserved>({
  ...namedAccessObject(accountCalls<AccessKey>(({ zeroTrust }) => zeroTrust.access.policies)),
  contract: accessPolicyContract,
  aggregate: (sources, key) => {
    const { winner, losers } = firstWins(sources, `Access policy ${sources[0]?.config.name ?? ''}`);
    const { name } = winner.config;
    if ('lookup' in key) return { ok: true, desired: { name, body: {}, lookup: true }, losers: [] };
    const unseen = unseenOf(winner.config);
    return { ok: true, desired: { name, body: { ...toBody(winner.config), ...unseen }, unseen }, losers };
  },
  difference: (wanted, observed, remembered) => {
    if (wanted.lookup) return [];
    return [...differingPolicyFields(wanted.body, observed), ...unseenDifference(wanted, observed, remembered)];
  },
  outputs: ({ name, decision }) => ({ data: { name, decision: String(decision) } }),
});

function toBody(config: AccessPolicyConfig): AccessDesired['body'] {
  const { name, decision, include = [], exclude = [], require = [] } = config;
  const { sessionDuration, purposeJustificationPrompt: prompt, approvalGroups } = config;
  return {
    name,
    decision,
    include,
    exclude,
    require,
    ...(sessionDuration && { session_duration: sessionDuration }),
    ...(prompt && { purpose_justification_prompt: prompt }),
    ...(approvalGroups && approvalGroups.length > 0 && { approval_groups: approvalGroups }),
  };
}

/** Read back as if they had never been set. */
function unseenOf(config: AccessPolicyConfig): AccessDesired['body'] {
  const { approvalRequired, isolationRequired, purposeJustificationRequired } = config;
  return {
    ...(approvalRequired && { approval_required: true }),
    ...(isolationRequired && { isolation_required: true }),
    ...(purposeJustificationRequired && { purpose_justification_required: true }),
  };
}
