import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { AccessKey } from '../access-contract.ts';
import { accountCalls, namedAccessObject, unseenDifference } from '../account-object.ts';
import type { AccessDesired, AccessObserved } from '../account-object.ts';
import { ruleComparison, ruleLists } from '../access-rules.ts';
import { differingFields } from '../compare-fields.ts';
import { firstWins } from '../first-wins.ts';
import { accessGroupContract } from './contract.ts';
import type { AccessGroupConfig } from './contract.ts';

export const accessGroupTarget = defineTarget<AccessKey, AccessGroupConfig, AccessDesired, AccessObserved>({
  ...namedAccessObject(accountCalls<AccessKey>(({ zeroTrust }) => zeroTrust.access.groups)),
  contract: accessGroupContract,
  aggregate: (sources, key) => {
    const { winner, losers } = firstWins(sources, `Access group ${sources[0]?.config.name ?? ''}`);
    const { name, include = [], exclude = [], require = [], isDefault } = winner.config;
    if ('lookup' in key) return { ok: true, desired: { name, body: {}, lookup: true }, losers: [] };
    const unseen = isDefault ? { is_default: true } : {};
    return { ok: true, desired: { name, body: { name, include, exclude, require, ...unseen }, unseen }, losers };
  },
  difference: (wanted, observed, remembered) => {
    if (wanted.lookup) return [];
    return [
      ...differingFields(wanted.body, observed, ['name', ...ruleLists], ruleComparison),
      ...unseenDifference(wanted, observed, remembered),
    ];
  },
});
