import { crdKind, namespaceKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Contributor, Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { serviceKind } from '../builtin-kinds.ts';
import { ruleNotices } from '../tunnels/rule-notices.ts';
import { tunnelReads } from '../tunnels/tunnel-reads.ts';
import { gatewayController, tunnelGatewayClassConfigKind } from './claim-gateway.ts';
import { gatewayClassKind, gatewayKind, referenceGrantKind } from './gateway-kinds.ts';
import type { Route } from './gateway-kinds.ts';
import { resolveRules, routeContributions } from './route-contributions.ts';
import type { ResolvedRoute } from './route-contributions.ts';
import { parentStatuses } from './route-status.ts';
import type { RouteType } from './route-types.ts';
import { viewRoute } from './view-route.ts';

type Resolved = ResolvedRoute & { readonly contributions: readonly Contribution[] };

/** A kind of routes: its objects are sources of the tunnels that their Gateways lead to. */
export function defineRouteContributor(type: RouteType): Contributor<Route, Resolved> {
  const { kind } = type;
  return defineContributor<Route, Resolved>({
    kind,
    optional: true,
    finalizer: `${kind.kind.toLowerCase()}.cloudflare-operator.io/finalizer`,
    ready: false,
    reads: [crdKind, namespaceKind, serviceKind, tunnelGatewayClassConfigKind, ...tunnelReads],
    mayRead: [gatewayClassKind, gatewayKind, referenceGrantKind],
    // One that we have said something about stays ours until that is taken back.
    selects: (route, refs) => hasOurStatus(route) || viewRoute(route, type, refs).length > 0,
    resolve: (route, refs) => resolveRoute(route, type, refs),
    contribute: (_route, { contributions }) => contributions,
    status: (route, { losses }, refs, now) => {
      const views = viewRoute(route, type, refs);
      return { parents: parentStatuses(route, views, resolveRules(route, type, refs), losses, now) };
    },
    events: (_route, { wishes }, view) => ruleNotices(wishes.problems, view),
  });
}

function hasOurStatus({ status }: Route): boolean {
  return (status?.parents ?? []).some(({ controllerName }) => controllerName === gatewayController);
}

function resolveRoute(route: Route, type: RouteType, refs: Refs): Resolution<Resolved> {
  const views = viewRoute(route, type, refs);
  const resolved = resolveRules(route, type, refs);
  const contributions = routeContributions(views, resolved);
  const missing = views.find((view) => view.missing)?.missing;
  // Its other Gateways need not wait for the one that is not in order.
  if (missing) return { ok: false, reason: 'Pending', ...missing, meanwhile: contributions };
  return { ok: true, value: { ...resolved, contributions } };
}
