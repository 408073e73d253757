import { namespaceKind } from '@tributary/runtime';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { coversNamespace } from './claim-gateway.ts';
import type { ClassSettings } from './claim-gateway.ts';
import { gatewayGroup } from './gateway-kinds.ts';
import type { Gateway, Listener, ParentRef, Route } from './gateway-kinds.ts';
import { intersectHosts } from './intersect-hosts.ts';
import { judgeListeners } from './judge-listeners.ts';
import type { JudgedListener } from './judge-listeners.ts';
import { matchesLabels } from './matches-labels.ts';

/** Where a route has found its place; hosts that are `undefined` stand for every name. */
export type Attachment = { readonly listener: string; readonly hosts: readonly (string | undefined)[] };

export type Attached =
  | { readonly ok: true; readonly at: readonly Attachment[] }
  | { readonly ok: false; readonly reason: string; readonly message: string };

export type AttachQuestion = {
  readonly route: Route;
  readonly kind: string;
  readonly hostnames: readonly string[];
  readonly parentRef: ParentRef;
  readonly gateway: Gateway;
  readonly settings: ClassSettings;
};

/** The listeners of a Gateway that take the route: by name and port, by kind and namespace, by host name. */
export function attachRoute(question: AttachQuestion, refs: Pick<Refs, 'get'>): Attached {
  const { route, parentRef, gateway, hostnames, settings } = question;
  const named = judgeListeners(gateway).filter(({ listener }) => isMeant(parentRef, listener));
  const usable = named.filter((each) => each.usable);
  if (usable.length === 0) {
    const problem = named.find(({ accepted }) => !accepted.holds)?.accepted ?? named[0]?.conflicted;
    const why = problem ? `: ${problem.message}` : '';
    return refused('NoMatchingParent', `no listener of the Gateway is meant and in order${why}`);
  }
  const { namespace } = route.metadata;
  if (settings.ok && !coversNamespace(settings.config, namespace)) {
    return refused('NotAllowedByListeners', `the class does not watch namespace ${namespace ?? ''}`);
  }
  const open = usable.filter((each) => admits(each, question, refs));
  if (open.length === 0) {
    return refused('NotAllowedByListeners', `allowedRoutes let no ${question.kind} of namespace ${namespace ?? ''} in`);
  }
  const at = open
    .map(({ listener }) => ({ listener: listener.name, hosts: intersectHosts(listener.hostname, hostnames) }))
    .filter(({ hosts }) => hosts.length > 0);
  if (at.length > 0) return { ok: true, at };
  const theirs = open.map(({ listener }) => listener.hostname ?? '*').join(', ');
  return refused(
    'NoMatchingListenerHostname',
    `${hostnames.join(', ')} and the listeners' ${theirs} have nothing in common`,
  );
}

/** The parents of a route that are Gateways of this name. */
export function refersTo({ metadata }: Route, { group, kind, namespace, name }: ParentRef, gateway: Gateway): boolean {
  return (
    (group ?? gatewayGroup) === gatewayGroup &&
    (kind ?? 'Gateway') === 'Gateway' &&
    name === gateway.metadata.name &&
    (namespace ?? metadata.namespace) === gateway.metadata.namespace
  );
}

function isMeant({ sectionName, port }: ParentRef, listener: Listener): boolean {
  return (!sectionName || sectionName === listener.name) && (port === undefined || port === listener.port);
}

function admits(
  { listener, routeKinds }: JudgedListener,
  { route, kind, gateway }: AttachQuestion,
  refs: Pick<Refs, 'get'>,
): boolean {
  if (!routeKinds.includes(kind)) return false;
  const { from = 'Same', selector } = listener.allowedRoutes?.namespaces ?? {};
  const namespace = route.metadata.namespace ?? '';
  if (from === 'All') return true;
  if (from === 'Same') return namespace === gateway.metadata.namespace;
  if (from !== 'Selector' || !selector) return false;
  const found = refs.get(namespaceKind, { name: namespace });
  return found !== undefined && matchesLabels(selector, found.metadata.labels ?? {});
}

function refused(reason: string, message: string): Attached {
  return { ok: false, reason, message };
}
