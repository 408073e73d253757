import { crdKind } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { nodeKind, serviceKind } from '../../refs/builtin-kinds.ts';
import type { LoadBalancerStatus, Service } from '../../refs/builtin-kinds.ts';
import { gatewayKind, httpRouteKind } from '../../refs/gateway/gateway-kinds.ts';
import type { Gateway } from '../../refs/gateway/gateway-kinds.ts';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import type { DnsRecord } from './resource.ts';

type SourceRef = NonNullable<DnsRecord['spec']['sourceRef']>;
type NamespacedRef = { readonly name: string; readonly namespace?: string | undefined };

export type SourceAddresses = {
  /** `Service default/web`, for people. */
  readonly what: string;
  readonly resourceVersion: string;
  readonly addresses: readonly string[];
};

export type SourceResult = SourceAddresses | { readonly what: string; readonly addresses: undefined };

/** All that can have addresses. */
export const sourceKinds = [serviceKind, ingressKind, gatewayKind, httpRouteKind, nodeKind];

/** The addresses that another object has now; undefined when that object is not there. */
export function sourceAddresses(refs: Refs, source: SourceRef, namespace: string): SourceResult {
  const { service, ingress, httpRoute, gateway, node } = source;
  if (service) {
    return from(refs, serviceKind, { namespace, ...service }, (found) => serviceAddresses(found, service.addressType));
  }
  if (ingress)
    return from(refs, ingressKind, { namespace, ...ingress }, ({ status }) => balanced(status?.loadBalancer));
  if (gateway) return from(refs, gatewayKind, { namespace, ...gateway }, gatewayAddresses, true);
  if (httpRoute) {
    return from(refs, httpRouteKind, { namespace, ...httpRoute }, (route) => parentAddresses(refs, route), true);
  }
  return from(refs, nodeKind, { name: node?.name ?? '' }, ({ status }) =>
    (status?.addresses ?? []).filter(({ type }) => type === node?.addressType).map(({ address }) => address),
  );
}

function from<T extends KubeObject>(
  refs: Refs,
  kind: Kind<T>,
  { name, namespace: given }: NamespacedRef,
  addressesOf: (found: T) => readonly string[],
  optional = false,
): SourceResult {
  const namespace = kind.scope === 'Cluster' ? undefined : given;
  const what = `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  // A kind that the cluster does not have can never be read completely, so ask for the kind first.
  const isServed = !optional || refs.get(crdKind, { name: `${kind.plural}.${kind.group}` }) !== undefined;
  const found = isServed ? refs.get(kind, { namespace, name }) : undefined;
  if (!found || found.metadata.deletionTimestamp) return { what, addresses: undefined };
  const addresses = [...new Set(addressesOf(found).filter((address) => address !== ''))];
  return { what, resourceVersion: found.metadata.resourceVersion ?? '', addresses };
}

type ServiceAddressType = NonNullable<SourceRef['service']>['addressType'];

function serviceAddresses({ spec = {}, status = {} }: Service, type: ServiceAddressType): readonly string[] {
  const entries = status.loadBalancer?.ingress ?? [];
  switch (type) {
    case 'LoadBalancerIP':
      return entries.map(({ ip = '' }) => ip);
    case 'LoadBalancerHostname':
      return entries.map(({ hostname = '' }) => hostname);
    case 'ExternalIP':
      return spec.externalIPs ?? [];
    case 'ExternalName':
      return spec.type === 'ExternalName' ? [spec.externalName ?? ''] : [];
    case 'ClusterIP':
      return (spec.clusterIPs ?? [spec.clusterIP ?? '']).filter((address) => address !== 'None');
    default:
      return type satisfies never;
  }
}

function balanced(balancer: LoadBalancerStatus | undefined): readonly string[] {
  return (balancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip ?? hostname);
}

function gatewayAddresses({ status }: Gateway): readonly string[] {
  return (status?.addresses ?? []).map(({ value }) => value);
}

type Parents = KubeObject & {
  readonly spec?: { readonly parentRefs?: readonly (NamespacedRef & { readonly kind?: string })[] };
};

/** Of all Gateways that the route is attached to; those that are not there are passed over. */
function parentAddresses(refs: Refs, { metadata, spec }: Parents): readonly string[] {
  const gateways = (spec?.parentRefs ?? []).filter(({ kind = 'Gateway' }) => kind === 'Gateway');
  return gateways.flatMap(({ name, namespace = metadata.namespace }) => {
    const found = refs.get(gatewayKind, { namespace, name });
    return found ? gatewayAddresses(found) : [];
  });
}
