import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { priorities } from '../../engine/l4-state/source.ts';
import { tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import type { TunnelConfigurationRule } from '../../targets/tunnel-configuration/contract.ts';
import { toOriginRequest } from '../origin-request.ts';
import { readAnnotations } from '../origins/annotations.ts';
import type { OriginWishes } from '../origins/annotations.ts';
import { optionsOf } from '../origins/service-origin.ts';
import type { TunnelFound } from '../tunnel-of.ts';
import type { Route } from './gateway-kinds.ts';
import { resolveBackend } from './resolve-backend.ts';
import type { ResolvedBackend } from './resolve-backend.ts';
import type { RouteRule } from './route-rules.ts';
import type { RouteType } from './route-types.ts';
import type { ParentView } from './view-route.ts';

export const annotationPrefix = 'cloudflare-operator.io/';

/** A route with what its rules lead to. */
export type ResolvedRoute = {
  readonly wishes: OriginWishes;
  readonly rules: readonly { readonly rule: RouteRule; readonly origin: ResolvedBackend }[];
  /** What of its rules was dropped, and why. */
  readonly dropped: readonly string[];
};

export function resolveRules(route: Route, type: RouteType, refs: Pick<Refs, 'get' | 'list'>): ResolvedRoute {
  const wishes = readAnnotations(route.metadata.annotations, annotationPrefix);
  const all = type.toRules(route);
  const kept = all.filter(({ problems }) => problems.length === 0);
  return {
    wishes,
    rules: kept.map((rule) => ({ rule, origin: resolveBackend(rule.backend, { route, type, wishes }, refs) })),
    dropped: all.flatMap(({ problems }) => problems),
  };
}

/** What the route asks of each tunnel that its Gateways lead to. */
export function routeContributions(views: readonly ParentView[], resolved: ResolvedRoute): readonly Contribution[] {
  const byTunnel = new Map<string, { readonly tunnel: TunnelFound; readonly rules: TunnelConfigurationRule[] }>();
  for (const { attached, way } of views) {
    if (!attached.ok || !way) continue;
    const { tunnel, config } = way;
    const id = `${tunnel.accountId}/${tunnel.tunnelId}`;
    const known = byTunnel.get(id) ?? { tunnel, rules: [] };
    const hosts = [...new Set(attached.at.flatMap((each) => each.hosts))];
    known.rules.push(...toRules(resolved, hosts, toOriginRequest(config.spec.defaultOriginRequest).value));
    byTunnel.set(id, known);
  }
  return [...byTunnel.values()].map(({ tunnel, rules }) => {
    const { accountId, tunnelId, credentials } = tunnel;
    const options = { credentials, priority: resolved.wishes.priority ?? priorities.normal };
    return contribution(tunnelConfigurationContract, { accountId, tunnelId }, { rules: unique(rules) }, options);
  });
}

function toRules(
  { rules, wishes }: ResolvedRoute,
  hosts: readonly (string | undefined)[],
  classOptions: OriginWishes['originRequest'],
): readonly TunnelConfigurationRule[] {
  return rules.flatMap(({ rule, origin }) => {
    const options = optionsOf(origin, classOptions, { ...rule.options, ...wishes.originRequest });
    return rule.paths.flatMap((path) =>
      hosts.map((hostname) => ({
        ...(hostname !== undefined && { hostname }),
        ...(path !== undefined && { path }),
        service: origin.service,
        ...(Object.keys(options).length > 0 && { originRequest: options }),
      })),
    );
  });
}

/** Of two rules for one host and path the first has it, as among the rules of a route it must. */
function unique(rules: readonly TunnelConfigurationRule[]): TunnelConfigurationRule[] {
  const places = new Map<string, TunnelConfigurationRule>();
  for (const rule of rules) {
    const place = JSON.stringify([rule.hostname, rule.path]);
    if (!places.has(place)) places.set(place, rule);
  }
  return [...places.values()];
}
