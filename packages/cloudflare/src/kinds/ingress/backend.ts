import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import type { IngressBackend } from '../../refs/ingress/ingress-kinds.ts';
import type { OriginWishes } from '../../refs/origins/annotations.ts';
import { protocolOf, servicePort, toOrigin } from '../../refs/origins/service-origin.ts';
import type { Origin } from '../../refs/origins/service-origin.ts';

export type BackendContext = {
  readonly namespace: string;
  readonly wishes: OriginWishes;
  readonly classDefault: string;
  readonly refs: Pick<Refs, 'get'>;
};

/** Where nobody answers the rule is kept, so that the host stays ours. */
export type IngressOrigin = Origin & { readonly problem?: string };

const unavailable = 'http_status:503';

export function originOf({ service: backend }: IngressBackend, context: BackendContext): IngressOrigin {
  const { namespace, refs } = context;
  if (!backend) return { service: unavailable, problem: 'a backend that is not a Service cannot be reached' };
  const service = refs.get(serviceKind, { namespace, name: backend.name });
  if (!service) return { service: unavailable, problem: `Service ${namespace}/${backend.name} is not there` };
  const port = servicePort(service, backend.port);
  if (!port) {
    const asked = backend.port?.name ?? backend.port?.number ?? '';
    return { service: unavailable, problem: `Service ${namespace}/${backend.name} has no port ${asked}` };
  }
  return toOrigin(service, port, protocolOf(service, port, context));
}
