import { listAll } from '@tributary/cloudflare-api';
import type { Contract } from '../../engine/l4-state/contract.ts';
import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call, Target } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { networkRouteContract, privateServiceContract } from './contract.ts';
import type { RouteConfig, RouteKey } from './contract.ts';

export type DesiredRoute = { readonly network: string; readonly tunnelId: string; readonly comment: string };

export type ObservedRoute = {
  readonly id: string;
  readonly network: string;
  readonly tunnelId: string;
  readonly virtualNetworkId: string;
  readonly inDefaultNetwork: boolean;
  readonly comment: string;
  readonly createdAt: string | undefined;
};

/** A NetworkRoute and the address of a Service are the same thing to Cloudflare. */
export const networkRouteTarget = routeTarget(networkRouteContract);
export const privateServiceTarget = routeTarget(privateServiceContract);

function routeTarget(
  contract: Contract<RouteKey, RouteConfig>,
): Target<RouteKey, RouteConfig, DesiredRoute, ObservedRoute> {
  return defineTarget({
    contract,
    aggregate: (sources, { network }) => {
      const { winner, losers } = firstWins(sources, `route ${network}`);
      const { tunnelId, comment = '' } = winner.config;
      // How long a comment may be is not known; the schema allows 500 characters.
      const marked = withMark(comment, winner.ref, Number.POSITIVE_INFINITY);
      return { ok: true, desired: { network, tunnelId, comment: marked.ok ? marked.text : comment }, losers };
    },
    scope: ({ accountId }) => accountId,
    observe: { lookup, list: ({ accountId }, call) => routesOf({ account_id: accountId }, call) },
    idOf: ({ id }) => id,
    markedText: ({ comment }) => comment,
    bornAt: ({ createdAt }) => createdAt,
    relation: ({ network }, observed, { virtualNetworkId }) =>
      observed.network === network && isIn(observed, virtualNetworkId) ? 'same' : 'none',
    difference: (wanted, observed) => [
      ...(observed.tunnelId === wanted.tunnelId ? [] : ['tunnel_id']),
      ...(observed.comment === wanted.comment ? [] : ['comment']),
    ],
    create: {
      repeatable: 'natural-key',
      run: async ({ network, tunnelId, comment }, { accountId, virtualNetworkId }, { api, signal }) => {
        const made = await api.zeroTrust.networks.routes.create(
          {
            account_id: accountId,
            network,
            tunnel_id: tunnelId,
            comment,
            ...(virtualNetworkId !== '' && { virtual_network_id: virtualNetworkId }),
          },
          { signal },
        );
        return toObserved(made, virtualNetworkId === '' ? made.virtual_network_id : undefined);
      },
    },
    update: async ({ key, wanted, observed }, { api, signal }) => {
      const body = { account_id: key.accountId, tunnel_id: wanted.tunnelId, comment: wanted.comment };
      const changed = await api.zeroTrust.networks.routes.edit(observed.id, body, { signal });
      return toObserved(changed, observed.inDefaultNetwork ? observed.virtualNetworkId : undefined);
    },
    giveUp: () => 'delete',
    remove: async ({ id }, { accountId }, { api, signal }) => {
      await api.zeroTrust.networks.routes.delete(id, { account_id: accountId }, { signal });
    },
    outputs: ({ id, virtualNetworkId, tunnelId }) => ({ data: { routeId: id, virtualNetworkId, tunnelId } }),
  });
}

function isIn(observed: ObservedRoute, virtualNetworkId: string): boolean {
  return virtualNetworkId === '' ? observed.inDefaultNetwork : observed.virtualNetworkId === virtualNetworkId;
}

type Answer = Awaited<ReturnType<Call['api']['zeroTrust']['networks']['routes']['get']>>;

function toObserved(answer: Answer, defaultNetworkId: string | undefined): ObservedRoute {
  const { id = '', network = '', tunnel_id: tunnelId = '', virtual_network_id: virtualNetworkId = '' } = answer;
  const inDefaultNetwork = virtualNetworkId === defaultNetworkId;
  const { comment = '', created_at: createdAt } = answer;
  return { id, network, tunnelId, virtualNetworkId, inDefaultNetwork, comment, createdAt };
}

async function lookup({ key, id }: Asked<RouteKey, unknown>, call: Call): Promise<readonly ObservedRoute[]> {
  const { accountId, network, virtualNetworkId } = key;
  const { api, signal } = call;
  const known = id && (await unlessGone(api.zeroTrust.networks.routes.get(id, { account_id: accountId }, { signal })));
  // What we made in the default network stays ours when another one becomes the default.
  if (known) return [toObserved(known, virtualNetworkId === '' ? known.virtual_network_id : undefined)];
  const exact = { account_id: accountId, network_subset: network, network_superset: network };
  return routesOf({ ...exact, ...(virtualNetworkId !== '' && { virtual_network_id: virtualNetworkId }) }, call);
}

type RouteQuery = Parameters<Call['api']['zeroTrust']['networks']['routes']['list']>[0];

async function routesOf(query: RouteQuery, { api, signal }: Call): Promise<readonly ObservedRoute[]> {
  const { routes, virtualNetworks } = api.zeroTrust.networks;
  const all = listAll(routes.list({ ...query, is_deleted: false, per_page: 1000 }, { signal }));
  // A route tells its network and not whether that is the default one.
  const defaults =
    query.virtual_network_id === undefined
      ? virtualNetworks.list({ account_id: query.account_id, is_default_network: true, is_deleted: false }, { signal })
      : undefined;
  const [found, [standard] = []] = await Promise.all([all, defaults && listAll(defaults)]);
  return found.map((route) => toObserved(route, standard?.id));
}
