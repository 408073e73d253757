import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { serviceKind } from '../builtin-kinds.ts';
import type { OriginWishes } from '../origins/annotations.ts';
import { protocolOf, servicePort, toOrigin } from '../origins/service-origin.ts';
import type { Origin } from '../origins/service-origin.ts';
import type { BackendRef, Route } from './gateway-kinds.ts';
import { isGranted } from './reference-grants.ts';
import type { RouteType } from './route-types.ts';

/** Where a rule leads. Where nobody answers the rule is kept, so that the host stays the route's. */
export type ResolvedBackend = Origin & { readonly problem?: { readonly reason: string; readonly message: string } };

export type BackendQuestion = { readonly route: Route; readonly type: RouteType; readonly wishes: OriginWishes };

/** The answer that the Gateway API wants where a backend is missing. */
const broken = 'http_status:500';
const streams: ReadonlySet<string> = new Set(['tcp', 'ssh', 'rdp', 'smb', 'bastion']);

export function resolveBackend(
  backend: BackendRef | undefined,
  { route, type, wishes }: BackendQuestion,
  refs: Pick<Refs, 'get' | 'list'>,
): ResolvedBackend {
  if (!backend) return { service: broken };
  const { group = '', kind = 'Service', name, port: number } = backend;
  const own = route.metadata.namespace ?? '';
  const namespace = backend.namespace || own;
  if (group !== '' || kind !== 'Service') {
    return failed('InvalidKind', `${kind} ${name}: a tunnel leads to Services only`);
  }
  const reference = { from: { kind: type.kind.kind, namespace: own }, to: { group, kind, namespace, name } };
  if (!isGranted(reference, refs)) {
    return failed(
      'RefNotPermitted',
      `no ReferenceGrant of namespace ${namespace} lets this route refer to Service ${name}`,
    );
  }
  const service = refs.get(serviceKind, { namespace, name });
  if (!service) return failed('BackendNotFound', `Service ${namespace}/${name} is not there`);
  const port = servicePort(service, { number });
  if (!port) return failed('BackendNotFound', `Service ${namespace}/${name} has no port ${number ?? ''}`);
  const classDefault = type.stream ? 'tcp' : 'http';
  const protocol = protocolOf(service, port, { wishes, classDefault });
  // What a Service says of its port may be about requests; this route is about streams.
  if (type.stream && !streams.has(protocol.scheme)) return toOrigin(service, port, { scheme: 'tcp' });
  return toOrigin(service, port, protocol);
}

function failed(reason: string, message: string): ResolvedBackend {
  return { service: broken, problem: { reason, message } };
}
