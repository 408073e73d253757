import type { KubeObject } from '@tributary/runtime';

// What the lives of objects are made of.

const ours = 'networking.cloudflare-operator.io/v1alpha2';

export function custom(kind: string, name: string, spec: object, metadata: object = {}): KubeObject {
  return { apiVersion: ours, kind, metadata: { name, ...metadata }, spec } as KubeObject;
}

export function dnsRecord(name: string, spec: object, metadata: object = {}): KubeObject {
  const fields = { name: `${name}.example.net`, type: 'A', ttl: 300, cloudflare: { domain: 'example.net' }, ...spec };
  return custom('DNSRecord', name, fields, { namespace: 'default', ...metadata });
}

export function domain(name: string, spec: object = {}): KubeObject {
  return custom('CloudflareDomain', name.replaceAll('.', '-'), { domain: name, ...spec });
}

export function tunnelBinding(name: string, hosts: readonly string[]): KubeObject {
  return {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
    kind: 'TunnelBinding',
    metadata: { name, namespace: 'default' },
    subjects: hosts.map((fqdn) => ({ name: 'web', spec: { fqdn } })),
    tunnelRef: { kind: 'ClusterTunnel', name: 'edge' },
  } as KubeObject;
}
