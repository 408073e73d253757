import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { activeState } from '../../refs/active-state.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { canonicalNetwork } from '../../refs/canonical-network.ts';
import { routePathOf } from '../../refs/route-path.ts';
import type { RoutePath } from '../../refs/route-path.ts';
import { networkRouteContract } from '../../targets/network-route/contract.ts';
import { networkRouteKind } from './resource.ts';
import type { NetworkRoute } from './resource.ts';

type Resolved = RoutePath & { readonly network: string };

export const networkRouteContributor = defineContributor<NetworkRoute, Resolved>({
  kind: networkRouteKind,
  finalizer: 'networkroute.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/networkroute-finalizer'],
  resolve: ({ spec }, refs) => {
    const network = canonicalNetwork(spec.network);
    if (network === undefined) {
      return {
        ok: false,
        state: 'broken',
        reason: 'InvalidConfig',
        message: `spec.network: ${spec.network} is no network`,
      };
    }
    const path = routePathOf(refs, spec, undefined);
    return path.ok ? { ...path, value: { ...path.value, network } } : path;
  },
  contribute: ({ metadata, spec }, { account, network, tunnelId, tunnelName, virtualNetworkId }) => {
    const { accountId, credentials } = account;
    const { comment } = spec;
    const config = {
      network,
      tunnelId,
      tunnelName,
      virtualNetworkId,
      ...(comment && { comment }),
      ...adoptWish(metadata),
    };
    return [contribution(networkRouteContract, { accountId, network, virtualNetworkId }, config, { credentials })];
  },
  status: ({ status }, view) => {
    const [part] = view.parts;
    const { network, tunnelName } = part?.contribution.config ?? {};
    return {
      state: activeState(view, status?.state),
      ...(part && { accountId: part.contribution.syncState.accountId, network, tunnelName }),
      ...(part?.synced && { tunnelId: part.outputs['tunnelId'], virtualNetworkId: part.outputs['virtualNetworkId'] }),
    };
  },
  ready: { synced: 'Synced', pending: 'Pending', failed: 'CreateFailed' },
});
