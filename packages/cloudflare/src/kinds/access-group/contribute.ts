import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accessWords, commonStatus, nameAtCloudflare } from '../../refs/access/access-shape.ts';
import { resolveRules } from '../../refs/access/resolve-rules.ts';
import type { ResolvedRules } from '../../refs/access/resolve-rules.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { accessGroupContract } from '../../targets/access-group/contract.ts';
import { accessGroupKind } from './resource.ts';
import type { AccessGroup } from './resource.ts';

export const accessGroupContributor = defineContributor<AccessGroup, ResolvedRules>({
  kind: accessGroupKind,
  ...finalizersOf('accessgroup'),
  resolve: ({ spec }, refs) => resolveRules(spec, refs),
  contribute: ({ metadata, spec }, { account, rules }) => {
    const { accountId, credentials } = account;
    const key = { accountId, owner: `AccessGroup/${metadata.name ?? ''}` };
    const config = {
      name: nameAtCloudflare(metadata, spec),
      ...rules,
      ...(spec.isDefault && { isDefault: true }),
      ...adoptWish(metadata),
    };
    return [contribution(accessGroupContract, key, config, { credentials })];
  },
  status: ({ status }, view) => commonStatus(view, status, 'groupId'),
  ready: accessWords,
});
