import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { resolveClass } from '../resolve-class.ts';
import type { TunnelFound } from '../tunnel-of.ts';
import { acceptRoute } from './accept-route.ts';
import type { Attached } from './attach-route.ts';
import { claimOf, gatewayController } from './claim-gateway.ts';
import type { ClaimedGateway, TunnelGatewayClassConfig } from './claim-gateway.ts';
import { gatewayGroup, gatewayKind } from './gateway-kinds.ts';
import type { Gateway, ParentRef, Route } from './gateway-kinds.ts';
import type { RouteType } from './route-types.ts';
import { getServed } from './served-kinds.ts';

/** What one of the Gateways that a route names makes of it. */
export type ParentView = {
  readonly parentRef: ParentRef;
  readonly attached: Attached;
  /** Where its rules go; nothing while that is not known. */
  readonly way?: { readonly config: TunnelGatewayClassConfig; readonly tunnel: TunnelFound };
  /** What is missing between Gateway and tunnel. What the route has there stays as it is. */
  readonly missing?: Missing;
};

type Missing = { readonly state: 'waiting' | 'broken'; readonly message: string };

/** The parents of a route that are ours. */
export function viewRoute(route: Route, type: RouteType, refs: Refs): readonly ParentView[] {
  return (route.spec?.parentRefs ?? []).flatMap((parentRef) => {
    const gateway = gatewayOf(route, parentRef, refs);
    if (!gateway) return [];
    const claim = claimOf(gateway, refs);
    if (claim.is === 'foreign' || (claim.is === 'unknown' && !wasOurs(route, parentRef))) return [];
    return [viewParent({ route, type, parentRef, gateway, claim }, refs)];
  });
}

/** A Gateway that goes takes its routes' rules with it: they were rules of that Gateway. */
function gatewayOf({ metadata }: Route, parentRef: ParentRef, refs: Refs): Gateway | undefined {
  const { group = gatewayGroup, kind = 'Gateway', namespace = metadata.namespace, name } = parentRef;
  if (group !== gatewayGroup || kind !== 'Gateway') return undefined;
  const found = getServed(refs, gatewayKind, { namespace, name });
  return found?.metadata.deletionTimestamp ? undefined : found;
}

function wasOurs({ status }: Route, parentRef: ParentRef): boolean {
  const id = parentId(parentRef);
  return (status?.parents ?? []).some(
    ({ controllerName, parentRef: other }) => controllerName === gatewayController && parentId(other) === id,
  );
}

export function parentId({ group, kind, namespace, name, sectionName, port }: ParentRef): string {
  return JSON.stringify([group ?? gatewayGroup, kind ?? 'Gateway', namespace, name, sectionName, port]);
}

type ParentQuestion = {
  readonly route: Route;
  readonly type: RouteType;
  readonly parentRef: ParentRef;
  readonly gateway: Gateway;
  readonly claim: Exclude<ClaimedGateway, { readonly is: 'foreign' }>;
};

function viewParent({ claim, ...question }: ParentQuestion, refs: Refs): ParentView {
  const { parentRef } = question;
  if (claim.is === 'unknown') return pending(parentRef, 'broken', `GatewayClass ${claim.className} is not there`);
  const { settings } = claim;
  if (!settings.ok) return pending(parentRef, 'broken', settings.message);
  const attached = acceptRoute({ ...question, settings }, refs);
  if (!attached.ok) return { parentRef, attached };
  const tunnel: Resolution<TunnelFound> = resolveClass(settings.config, refs);
  if (!tunnel.ok) return pending(parentRef, tunnel.state, tunnel.message);
  return { parentRef, attached, way: { config: settings.config, tunnel: tunnel.value } };
}

function pending(parentRef: ParentRef, state: Missing['state'], message: string): ParentView {
  return { parentRef, attached: { ok: false, reason: 'Pending', message }, missing: { state, message } };
}
