import type { Kind } from '@tributary/runtime';
import { grpcRouteKind, httpRouteKind, tcpRouteKind, udpRouteKind } from './gateway-kinds.ts';
import type { Route } from './gateway-kinds.ts';
import { grpcRules, httpRules, tcpRules, udpRules } from './route-rules.ts';
import type { RouteRule } from './route-rules.ts';

/** What the kinds of routes differ in. */
export type RouteType = {
  readonly kind: Kind<Route>;
  readonly toRules: (route: Route) => readonly RouteRule[];
  /** Streams have no host name of their own, and cloudflared tells them apart by nothing else. */
  readonly stream: boolean;
};

/** Gives a TCPRoute the host names that its specification has no field for, with commas between them. */
export const hostnameAnnotation = 'cloudflare-operator.io/hostname';

function routeType<R>(
  kind: Kind<Route<R>>,
  toRules: (route: Route<R>) => readonly RouteRule[],
  stream: boolean,
): RouteType {
  return { kind, toRules: toRules as RouteType['toRules'], stream };
}

export const httpRouteType = routeType(httpRouteKind, httpRules, false);
export const grpcRouteType = routeType(grpcRouteKind, grpcRules, false);
export const tcpRouteType = routeType(tcpRouteKind, tcpRules, true);
export const udpRouteType = routeType(udpRouteKind, udpRules, true);

export const routeTypes: readonly RouteType[] = [httpRouteType, grpcRouteType, tcpRouteType, udpRouteType];

export function hostnamesOf({ stream }: RouteType, { spec, metadata }: Route): readonly string[] {
  if (!stream) return spec?.hostnames ?? [];
  const text = metadata.annotations?.[hostnameAnnotation] ?? '';
  return text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
}
