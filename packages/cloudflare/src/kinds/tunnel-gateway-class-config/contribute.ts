import { crdKind, namespaceKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { attachedRoutes } from '../../refs/gateway/accept-route.ts';
import type { AttachedRoute } from '../../refs/gateway/accept-route.ts';
import { claimOf } from '../../refs/gateway/claim-gateway.ts';
import { gatewayClassKind, gatewayKind } from '../../refs/gateway/gateway-kinds.ts';
import { routeTypes } from '../../refs/gateway/route-types.ts';
import { listServed } from '../../refs/gateway/served-kinds.ts';
import { classState, resolveClass } from '../../refs/resolve-class.ts';
import type { TunnelFound } from '../../refs/tunnel-of.ts';
import { tunnelReads } from '../../refs/tunnels/tunnel-reads.ts';
import { tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import { tunnelGatewayClassConfigKind } from './resource.ts';
import type { TunnelGatewayClassConfig } from './resource.ts';

/** Asks for nothing itself: it shows whether its tunnel is there and what goes by it. */
export const tunnelGatewayClassConfigContributor = defineContributor<TunnelGatewayClassConfig, TunnelFound>({
  kind: tunnelGatewayClassConfigKind,
  reads: [namespaceKind, ...tunnelReads],
  mayRead: [crdKind, gatewayClassKind, gatewayKind, ...routeTypes.map(({ kind }) => kind)],
  resolve: resolveClass,
  contribute: () => [],
  ready: { synced: 'Reconciled', pending: 'Pending', failed: 'Error' },
  status: (object, view, refs) => {
    const { gateways, routes } = usersOf(object, refs);
    const hosts = routes.flatMap(({ at }) => at.flatMap((each) => each.hosts));
    const configVersion = versionOf(object, refs);
    return {
      ...classState(object, view, refs),
      gatewayCount: gateways,
      routeCount: new Set(routes.map(({ route }) => route)).size,
      syncedHostnames: [...new Set(hosts.filter((host) => host !== undefined))].toSorted(),
      ...(configVersion !== undefined && { configVersion }),
    };
  },
});

type Users = { readonly gateways: number; readonly routes: readonly AttachedRoute[] };

function usersOf({ metadata }: TunnelGatewayClassConfig, refs: Refs): Users {
  const attached = listServed(refs, gatewayKind)
    .filter((gateway) => !gateway.metadata.deletionTimestamp)
    .flatMap((gateway) => {
      const claim = claimOf(gateway, refs);
      if (claim.is !== 'ours' || !claim.settings.ok) return [];
      const { namespace, name } = claim.settings.config.metadata;
      const isThis = namespace === metadata.namespace && name === metadata.name;
      return isThis ? [attachedRoutes(gateway, claim.settings, refs)] : [];
    });
  return { gateways: attached.length, routes: attached.flat() };
}

/** Of the configuration that the tunnel has. */
function versionOf(object: TunnelGatewayClassConfig, refs: Refs): number | undefined {
  const tunnel = resolveClass(object, refs);
  if (!tunnel.ok) return undefined;
  const { accountId, tunnelId, credentials } = tunnel.value;
  const { syncState } = contribution(tunnelConfigurationContract, { accountId, tunnelId }, {}, { credentials });
  return refs.syncState(syncState.name)?.status?.configVersion;
}
