import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { activeState } from '../../refs/active-state.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { oldest } from '../../refs/oldest.ts';
import { virtualNetworkContract } from '../../targets/virtual-network/contract.ts';
import { virtualNetworkKind } from './resource.ts';
import type { VirtualNetwork } from './resource.ts';

export const virtualNetworkContributor = defineContributor<VirtualNetwork, Account>({
  kind: virtualNetworkKind,
  finalizer: 'virtualnetwork.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/virtualnetwork-finalizer'],
  resolve,
  contribute: ({ metadata, spec }, { accountId, credentials }) => {
    const { comment, isDefaultNetwork } = spec;
    const name = nameOf({ metadata, spec });
    const config = { name, ...(comment && { comment }), isDefaultNetwork, ...adoptWish(metadata) };
    return [contribution(virtualNetworkContract, { accountId, name }, config, { credentials })];
  },
  status: ({ status }, view) => {
    const [part] = view.parts;
    return {
      state: activeState(view, status?.state),
      ...(part && { accountId: part.contribution.syncState.accountId }),
      ...(part?.id && view.losses.length === 0 && { virtualNetworkId: part.id }),
      ...(part?.outputs['isDefault'] && { isDefault: part.outputs['isDefault'] === 'true' }),
    };
  },
  ready: { synced: 'Synced', pending: 'Pending', failed: 'CreateFailed' },
});

function nameOf({ metadata, spec }: Pick<VirtualNetwork, 'metadata' | 'spec'>): string {
  return spec.name || (metadata.name ?? '');
}

/** An account has one default network. Two objects that both want to be it would take it from each other for ever. */
function resolve(object: VirtualNetwork, refs: Refs): Resolution<Account> {
  const account = credentialsOf(refs, object.spec.cloudflare, undefined);
  if (!account.ok || !object.spec.isDefaultNetwork) return account;
  const rivals = refs.list(virtualNetworkKind).filter(({ spec }) => {
    const theirs = spec.isDefaultNetwork ? credentialsOf(refs, spec.cloudflare, undefined) : undefined;
    return theirs?.ok && theirs.value.accountId === account.value.accountId;
  });
  const first = oldest([object, ...rivals.filter(({ metadata }) => metadata.name !== object.metadata.name)]);
  if (!first || first.metadata.name === object.metadata.name) return account;
  const message = `spec.isDefaultNetwork: VirtualNetwork ${first.metadata.name ?? ''} is the default of the account already`;
  return { ok: false, state: 'broken', reason: 'DuplicateDefault', message };
}
