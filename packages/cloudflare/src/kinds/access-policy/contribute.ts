import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accessWords, commonStatus, nameAtCloudflare } from '../../refs/access/access-shape.ts';
import { resolveRules } from '../../refs/access/resolve-rules.ts';
import type { ResolvedRules } from '../../refs/access/resolve-rules.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { toSnakeCase } from '../../refs/snake-case.ts';
import { accessPolicyContract } from '../../targets/access-policy/contract.ts';
import type { AccessPolicyConfig } from '../../targets/access-policy/contract.ts';
import { accessPolicyKind } from './resource.ts';
import type { AccessPolicy } from './resource.ts';

export const accessPolicyContributor = defineContributor<AccessPolicy, ResolvedRules>({
  kind: accessPolicyKind,
  ...finalizersOf('accesspolicy'),
  resolve: ({ spec }, refs) => resolveRules(spec, refs),
  contribute: ({ metadata, spec }, { account, rules }) => {
    const { accountId, credentials } = account;
    const key = { accountId, owner: `AccessPolicy/${metadata.name ?? ''}` };
    // The place of a shared policy is the application's business.
    const { name: _name, cloudflare: _cloudflare, precedence: _precedence, approvalGroups, ...rest } = spec;
    const config = {
      ...rest,
      ...rules,
      name: nameAtCloudflare(metadata, spec),
      ...(approvalGroups && { approvalGroups: toSnakeCase(approvalGroups) as AccessPolicyConfig['approvalGroups'] }),
      ...adoptWish(metadata),
    };
    return [contribution(accessPolicyContract, key, config, { credentials })];
  },
  status: ({ status }, view) => commonStatus(view, status, 'policyId'),
  ready: accessWords,
});
