import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import { contribution } from '../engine/l4-state/contract.ts';
import { virtualNetworkContract } from '../targets/virtual-network/contract.ts';
import type { Account } from './credentials-of.ts';
import type { VirtualNetworkRef } from './network-refs.ts';
import { virtualNetworkOf } from './virtual-network-of.ts';

/** The id of the network that routes stand in; one that is only at Cloudflare is looked up by its name. */
export function networkOf(refs: Refs, ref: VirtualNetworkRef | undefined, account: Account): Resolution<string> {
  const name = ref?.cloudflareName;
  if (!name) return virtualNetworkOf(refs, ref);
  const { accountId, credentials } = account;
  const key = { accountId, name, lookup: 'true' } as const;
  const lookup = contribution(virtualNetworkContract, key, { name }, { credentials });
  const { status } = refs.lookUp(lookup) ?? {};
  const id = status?.resultData?.['virtualNetworkId'];
  if (id) return { ok: true, value: id };
  const failed = status?.syncStatus === 'Error';
  const message = failed ? (status.error ?? '') : 'is being looked up';
  const state = failed ? 'broken' : 'waiting';
  return { ok: false, state, reason: 'DependencyError', message: `virtual network ${name}: ${message}` };
}
