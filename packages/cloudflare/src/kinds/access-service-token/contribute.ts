import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accessWords, commonStatus, nameAtCloudflare } from '../../refs/access/access-shape.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { accessServiceTokenContract } from '../../targets/access-service-token/contract.ts';
import { accessServiceTokenKind } from './resource.ts';
import type { AccessServiceToken } from './resource.ts';

type Resolved = { readonly account: Account; readonly namespace: string };

export const accessServiceTokenContributor = defineContributor<AccessServiceToken, Resolved>({
  kind: accessServiceTokenKind,
  ...finalizersOf('accessservicetoken'),
  resolve: ({ spec }, refs) => {
    const account = credentialsOf(refs, spec.cloudflare, undefined);
    if (!account.ok) return account;
    return {
      ok: true,
      value: { account: account.value, namespace: spec.secretRef.namespace || refs.operatorNamespace },
    };
  },
  contribute: ({ metadata, spec }, { account, namespace }) => {
    const { accountId, credentials } = account;
    const key = { accountId, owner: `AccessServiceToken/${metadata.name ?? ''}` };
    const config = {
      name: nameAtCloudflare(metadata, spec),
      duration: spec.duration,
      secret: { ...spec.secretRef, namespace },
      ...adoptWish(metadata),
    };
    return [contribution(accessServiceTokenContract, key, config, { credentials })];
  },
  status: ({ status, spec }, view) => {
    const { secretVersion, ...outputs } = view.parts[0]?.outputs ?? {};
    return {
      ...commonStatus(view, status, 'tokenId'),
      ...(view.losses.length === 0 && outputs),
      ...(secretVersion && { clientSecretVersion: Number(secretVersion), secretName: spec.secretRef.name }),
    };
  },
  ready: accessWords,
});
