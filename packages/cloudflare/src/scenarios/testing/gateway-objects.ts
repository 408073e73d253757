import type { KubeObject } from '@tributary/runtime';

// What a user writes to have Gateways and routes on a tunnel.

const ours = 'networking.cloudflare-operator.io';
const official = 'gateway.networking.k8s.io';

/** A GatewayClass and its settings, which lie in the operator's namespace. */
export function gatewayClass(name = 'cloudflare', spec: object = {}, tunnel = 'edge'): readonly KubeObject[] {
  const namespace = 'cloudflare-operator-system';
  const config = { tunnelRef: { kind: 'ClusterTunnel', name: tunnel }, dnsManagement: 'Manual', ...spec };
  const kind = 'TunnelGatewayClassConfig';
  return [
    { apiVersion: `${ours}/v1alpha2`, kind, metadata: { name, namespace }, spec: config } as KubeObject,
    {
      apiVersion: `${official}/v1`,
      kind: 'GatewayClass',
      metadata: { name },
      spec: {
        controllerName: 'cloudflare-operator.io/gateway-controller',
        parametersRef: { group: ours, kind, name, namespace },
      },
    } as KubeObject,
  ];
}

export const http = { name: 'http', port: 80, protocol: 'HTTP' } as const;

export function gateway(name = 'edge', listeners: readonly object[] = [http], spec: object = {}): KubeObject {
  return {
    apiVersion: `${official}/v1`,
    kind: 'Gateway',
    metadata: { name, namespace: 'default' },
    spec: { gatewayClassName: 'cloudflare', listeners, ...spec },
  } as KubeObject;
}

export type RouteOptions = {
  readonly kind?: string;
  readonly namespace?: string;
  readonly hostnames?: readonly string[];
  readonly parents?: readonly object[];
  readonly rules?: readonly object[];
  readonly annotations?: Readonly<Record<string, string>>;
};

export const toWeb = { backendRefs: [{ name: 'web', port: 80 }] };

export function route(name: string, options: RouteOptions = {}): KubeObject {
  const { kind = 'HTTPRoute', namespace = 'default', annotations, parents = [{ name: 'edge' }] } = options;
  const stream = kind === 'TCPRoute' || kind === 'UDPRoute';
  const hostnames = stream ? undefined : (options.hostnames ?? [`${name}.example.com`]);
  return {
    apiVersion: `${official}/${stream ? 'v1alpha2' : 'v1'}`,
    kind,
    metadata: { name, namespace, ...(annotations && { annotations }) },
    spec: { parentRefs: parents, ...(hostnames && { hostnames }), rules: options.rules ?? [toWeb] },
  } as KubeObject;
}
