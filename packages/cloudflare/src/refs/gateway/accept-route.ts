import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { hostnameProblem } from '../tunnels/check-rule.ts';
import { attachRoute, refersTo } from './attach-route.ts';
import type { Attached, Attachment } from './attach-route.ts';
import type { ClassSettings } from './claim-gateway.ts';
import type { Gateway, ParentRef, Route } from './gateway-kinds.ts';
import { hostnameAnnotation, hostnamesOf, routeTypes } from './route-types.ts';
import type { RouteType } from './route-types.ts';
import { listServed } from './served-kinds.ts';

export type AcceptQuestion = {
  readonly route: Route;
  readonly type: RouteType;
  readonly parentRef: ParentRef;
  readonly gateway: Gateway;
  readonly settings: ClassSettings;
};

/** Whether a Gateway of ours takes the route, and where: the route must make sense for a tunnel, and be let in. */
export function acceptRoute(question: AcceptQuestion, refs: Pick<Refs, 'get'>): Attached {
  const { route, type } = question;
  const rules = type.toRules(route);
  const [problem] = rules.flatMap(({ problems }) => problems);
  if (problem !== undefined && rules.every(({ problems }) => problems.length > 0)) {
    return { ok: false, reason: 'UnsupportedValue', message: problem };
  }
  const hostnames = hostnamesOf(type, route);
  const [strange] = hostnames.flatMap((host) => hostnameProblem(host) ?? []);
  if (strange !== undefined) return { ok: false, reason: 'UnsupportedValue', message: strange };
  if (type.stream && hostnames.length === 0) {
    const message = `a tunnel tells streams apart by host name: annotate the route with ${hostnameAnnotation}`;
    return { ok: false, reason: 'UnsupportedValue', message };
  }
  return attachRoute({ ...question, kind: type.kind.kind, hostnames }, refs);
}

export type AttachedRoute = { readonly type: RouteType; readonly route: Route; readonly at: readonly Attachment[] };

/** All routes at a Gateway, the oldest first. */
export function attachedRoutes(
  gateway: Gateway,
  settings: ClassSettings,
  refs: Pick<Refs, 'get' | 'list'>,
): readonly AttachedRoute[] {
  const found = routeTypes.flatMap((type) =>
    listServed(refs, type.kind)
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .flatMap((route): readonly AttachedRoute[] => {
        const parents = (route.spec?.parentRefs ?? []).filter((parentRef) => refersTo(route, parentRef, gateway));
        const at = parents.flatMap((parentRef) => {
          const attached = acceptRoute({ route, type, parentRef, gateway, settings }, refs);
          return attached.ok ? attached.at : [];
        });
        return at.length > 0 ? [{ type, route, at }] : [];
      }),
  );
  return found.toSorted((a, b) => compareText(ageOf(a), ageOf(b)));
}

function ageOf({ route: { metadata }, type }: AttachedRoute): string {
  const { creationTimestamp = '', namespace = '', name = '' } = metadata;
  return `${creationTimestamp} ${namespace}/${name} ${type.kind.kind}`;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
