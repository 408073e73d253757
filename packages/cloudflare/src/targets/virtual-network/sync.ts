import { isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { inUse } from '../in-use.ts';
import { unlessGone } from '../unless-gone.ts';
import { virtualNetworkContract } from './contract.ts';
import type { VirtualNetworkConfig, VirtualNetworkKey } from './contract.ts';

type Desired = {
  readonly name: string;
  readonly comment: string;
  readonly isDefault: boolean;
  readonly lookup?: true;
};
type Observed = Awaited<ReturnType<Call['api']['zeroTrust']['networks']['virtualNetworks']['get']>>;

const longestComment = 256;

export const virtualNetworkTarget = defineTarget<VirtualNetworkKey, VirtualNetworkConfig, Desired, Observed>({
  contract: virtualNetworkContract,
  aggregate: (sources, { name, lookup }) => {
    const { winner, losers } = firstWins(sources, `virtual network ${name}`);
    if (lookup) return { ok: true, desired: { name, comment: '', isDefault: false, lookup: true }, losers: [] };
    const { comment = '', isDefaultNetwork: isDefault = false } = winner.config;
    const marked = withMark(comment, winner.ref, longestComment);
    if (marked.ok) return { ok: true, desired: { name, comment: marked.text, isDefault }, losers };
    const message = `spec.comment is ${marked.overBy} characters too long: with our mark it must fit into ${longestComment}`;
    return { ok: false, message, ref: winner.ref };
  },
  scope: ({ accountId }) => accountId,
  observe: {
    lookup,
    list: ({ accountId }, { api, signal }) =>
      listAll(api.zeroTrust.networks.virtualNetworks.list({ account_id: accountId, is_deleted: false }, { signal })),
  },
  idOf: ({ id }) => id,
  markedText: ({ comment }) => comment,
  bornAt: ({ created_at: createdAt }) => createdAt,
  relation: ({ name }, observed) => (observed.name === name ? 'same' : 'none'),
  difference: (wanted, observed) => {
    if (wanted.lookup) return [];
    return [
      ...(observed.name === wanted.name ? [] : ['name']),
      ...(observed.comment === wanted.comment ? [] : ['comment']),
      // A default network is no longer it when another one is made so, and in no other way.
      ...(wanted.isDefault && !observed.is_default_network ? ['is_default_network'] : []),
    ];
  },
  create: {
    allowed: ({ lookup: onlyLooked }) => !onlyLooked,
    repeatable: 'natural-key',
    run: (wanted, { accountId }, { api, signal }) =>
      api.zeroTrust.networks.virtualNetworks.create({ account_id: accountId, ...toBody(wanted) }, { signal }),
  },
  update: ({ key, wanted, observed }, { api, signal }) =>
    api.zeroTrust.networks.virtualNetworks.edit(
      observed.id,
      { account_id: key.accountId, ...toBody(wanted) },
      { signal },
    ),
  giveUp: ({ key }) => (key.lookup ? 'retain' : 'delete'),
  remove,
  outputs: ({ id, is_default_network: isDefault }) => ({
    data: { virtualNetworkId: id, isDefault: String(isDefault) },
  }),
});

function toBody({ name, comment, isDefault }: Desired): { name: string; comment: string; is_default_network?: true } {
  return { name, comment, ...(isDefault && { is_default_network: true as const }) };
}

async function lookup({ key, id }: Asked<VirtualNetworkKey, unknown>, call: Call): Promise<readonly Observed[]> {
  const { accountId, name } = key;
  const { virtualNetworks } = call.api.zeroTrust.networks;
  const { signal } = call;
  const known = id && (await unlessGone(virtualNetworks.get(id, { account_id: accountId }, { signal })));
  if (known) return [known];
  return listAll(virtualNetworks.list({ account_id: accountId, name, is_deleted: false }, { signal }));
}

/** Only our own routes are ours to take away; those of others keep the network, and are named. */
async function remove(observed: Observed, { accountId }: VirtualNetworkKey, { api, signal }: Call): Promise<void> {
  const { virtualNetworks, routes } = api.zeroTrust.networks;
  try {
    await virtualNetworks.delete(observed.id, { account_id: accountId }, { signal });
  } catch (error) {
    // The codes of these refusals are not known for certain, so look for what stands in the way.
    if (!isCloudflareError(error, 'validation', 'in-use', 'conflict')) throw error;
    const inTheWay = observed.is_default_network
      ? 'it is the default network of the account: make another one the default first'
      : await routesIn();
    if (inTheWay === undefined) throw error;
    throw inUse(error, inTheWay);
  }

  async function routesIn(): Promise<string | undefined> {
    const query = { account_id: accountId, virtual_network_id: observed.id, is_deleted: false };
    const found = await listAll(routes.list(query, { signal }));
    const names = found.slice(0, 5).map(({ network, tunnel_name: tunnel }) => `${network} to ${tunnel}`);
    return found.length === 0 ? undefined : `${found.length} routes are in it: ${names.join(', ')}`;
  }
}
