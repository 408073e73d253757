import type { HookContext } from '../registry/resource-type.ts';
import type { ResolveService } from './create-webhook-client.ts';
import { TransportError } from './webhook-transport.ts';

type Port = { readonly name?: string; readonly port?: number };
type ServiceSpec = { readonly type?: string; readonly externalName?: string; readonly ports?: readonly Port[] };
type Endpoint = {
  readonly addresses?: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
};
type Slice = { readonly ports?: readonly Port[]; readonly endpoints?: readonly Endpoint[] };

/**
 * Finds the endpoint behind a Service by its EndpointSlices, as kube-apiserver does with --enable-aggregator-routing:
 * the addresses of Services themselves lead nowhere without a kube-proxy.
 */
export function serviceResolver({ get, list }: Pick<HookContext, 'get' | 'list'>): ResolveService {
  return (namespace, name, port) => {
    const service = get('', 'services', namespace, name);
    if (service === undefined) throw new TransportError(`service ${JSON.stringify(name)} not found`);
    const spec = (service['spec'] ?? {}) as ServiceSpec;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    const named = (spec.ports ?? []).find((found) => found.port === port);
    if (named === undefined) {
      throw new TransportError(`no service port ${port} found for service ${JSON.stringify(name)}`);
    }
    for (const slice of list('discovery.k8s.io', 'endpointslices', namespace)) {
      if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue;
      const { ports = [], endpoints = [] } = slice as unknown as Slice;
      const open = ports.find((found) => (found.name ?? '') === (named.name ?? ''))?.port;
      const host = endpoints.find(({ conditions }) => conditions?.ready !== false)?.addresses?.[0];
      if (host !== undefined && open !== undefined) return { host, port: open };
    }
    throw new TransportError(`no endpoints available for service ${JSON.stringify(name)}`);
  };
}
