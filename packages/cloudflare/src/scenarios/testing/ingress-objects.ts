import type { KubeObject } from '@tributary/runtime';

// What a user writes to have Ingresses on a tunnel.

const group = 'networking.cloudflare-operator.io';
const ours = `${group}/v1alpha2`;

export function clusterTunnel(name = 'edge', spec: object = {}): KubeObject {
  const fields = { newTunnel: { name }, cloudflare: {}, ...spec };
  return { apiVersion: ours, kind: 'ClusterTunnel', metadata: { name }, spec: fields } as KubeObject;
}

/** An IngressClass and its settings, which lie in the operator's namespace. */
export function ingressClass(name = 'cloudflare', spec: object = {}, tunnel = 'edge'): readonly KubeObject[] {
  const namespace = 'cloudflare-operator-system';
  const config = { tunnelRef: { kind: 'ClusterTunnel', name: tunnel }, dnsManagement: 'Manual', ...spec };
  const parameters = { apiGroup: group, kind: 'TunnelIngressClassConfig', name, namespace, scope: 'Namespace' };
  return [
    { apiVersion: ours, kind: 'TunnelIngressClassConfig', metadata: { name, namespace }, spec: config } as KubeObject,
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name },
      spec: { controller: 'cloudflare-operator.io/ingress-controller', parameters },
    } as KubeObject,
  ];
}

export function service(name: string, port = 80): KubeObject {
  const metadata = { name, namespace: 'default' };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port, name: 'main' }] } } as KubeObject;
}

export type IngressOptions = {
  readonly host?: string;
  readonly path?: string;
  readonly backend?: string;
  readonly className?: string;
  readonly annotations?: Readonly<Record<string, string>>;
};

export function ingress(name: string, options: IngressOptions = {}): KubeObject {
  const { host = `${name}.example.com`, path = '/', backend = 'web', className = 'cloudflare', annotations } = options;
  const paths = [{ path, pathType: 'Prefix', backend: { service: { name: backend, port: { number: 80 } } } }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'default', ...(annotations && { annotations }) },
    spec: { ingressClassName: className, rules: [{ host, http: { paths } }] },
  } as KubeObject;
}
