import type { KubeObject } from '@tributary/runtime';

/** A manifest as a person would write it. */
export type Manifest = KubeObject & { readonly apiVersion: string; readonly kind: string };

const ours = 'networking.cloudflare-operator.io/v1alpha2';
const namespace = 'default';
const domain = 'example.net';

/** Objects of several shapes: most are DNSRecords, some VirtualNetworks, some Ingresses of one tunnel, and what those need. */
export function mixedObjects(count: number): readonly Manifest[] {
  return [...tunnelParts(), ...Array.from({ length: count }, (_, index) => mixedObject(index))];
}

function mixedObject(index: number): Manifest {
  switch (index % 10) {
    case 0:
      return toManifest(
        ours,
        'VirtualNetwork',
        { name: `net-${index}` },
        { comment: 'of the bench', cloudflare: { credentialsRef: { name: 'main' } } },
      );
    case 1:
      return toManifest('networking.k8s.io/v1', 'Ingress', { name: `app-${index}`, namespace }, toIngressSpec(index));
    default:
      return toManifest(ours, 'DNSRecord', { name: `host-${index}`, namespace }, toRecordSpec(index));
  }
}

function toRecordSpec(index: number): object {
  return { name: `host-${index}.${domain}`, type: 'A', content: `203.0.113.${index % 250}`, cloudflare: { domain } };
}

function toIngressSpec(index: number): object {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  return { ingressClassName: 'tunnel', rules: [{ host: `app-${index}.${domain}`, http: { paths } }] };
}

function tunnelParts(): readonly Manifest[] {
  const credentialsRef = { name: 'main' };
  return [
    toManifest('v1', 'Service', { name: 'web', namespace }, { ports: [{ name: 'http', port: 80 }] }),
    toManifest(
      ours,
      'ClusterTunnel',
      { name: 'idle' },
      { newTunnel: { name: 'idle' }, cloudflare: { credentialsRef } },
    ),
    toManifest(
      ours,
      'TunnelIngressClassConfig',
      { name: 'tunnel', namespace },
      { tunnelRef: { kind: 'ClusterTunnel', name: 'idle' }, dnsManagement: 'Manual' },
    ),
    toManifest('networking.k8s.io/v1', 'IngressClass', { name: 'tunnel' }, toClassSpec()),
  ];
}

function toClassSpec(): object {
  return {
    controller: 'cloudflare-operator.io/ingress-controller',
    parameters: {
      apiGroup: 'networking.cloudflare-operator.io',
      kind: 'TunnelIngressClassConfig',
      name: 'tunnel',
      namespace,
      scope: 'Namespace',
    },
  };
}

function toManifest(apiVersion: string, kind: string, metadata: KubeObject['metadata'], spec: object): Manifest {
  return { apiVersion, kind, metadata, spec } as Manifest;
}
