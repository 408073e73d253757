import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { clusterTunnelKind, tunnelIngressClassConfigKind } from '@tributary/cloudflare';
import type { BenchWorld } from './bench-world.ts';
import { createManifest } from './create-manifest.ts';
import { until } from '../until.ts';

type Ingress = KubeObject & {
  readonly spec: {
    readonly ingressClassName: string;
    readonly rules: readonly { readonly host: string; readonly http: object }[];
  };
};

const group = 'networking.k8s.io';
export const ingressKind = defineKind<Ingress>({
  group,
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  scope: 'Namespaced',
});
export const classKind = defineKind({
  group,
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
});
export const serviceKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
});

export function newIngress(index: number): Ingress {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  const rules = [{ host: `app-${index}.example.net`, http: { paths } }];
  return { metadata: { name: `app-${index}`, namespace: 'default' }, spec: { ingressClassName: 'tunnel', rules } };
}

/** A tunnel, a class for it without DNS, and a Service. Resolves with the id of the tunnel once it is there. */
export async function applyTunnelAndClass({ client }: BenchWorld): Promise<string> {
  await createManifest(client, serviceKind, {
    metadata: { name: 'web', namespace: 'default' },
    spec: { ports: [{ name: 'http', port: 80 }], selector: { app: 'web' } },
  });
  await createManifest(client, clusterTunnelKind, {
    metadata: { name: 'burst' },
    spec: { newTunnel: { name: 'burst' }, cloudflare: { credentialsRef: { name: 'main' } } },
  });
  await createManifest(client, tunnelIngressClassConfigKind, {
    metadata: { name: 'tunnel', namespace: 'default' },
    spec: { tunnelRef: { kind: 'ClusterTunnel', name: 'burst' }, dnsManagement: 'Manual' },
  });
  await createManifest(client, classKind, {
    metadata: { name: 'tunnel' },
    spec: {
      controller: 'cloudflare-operator.io/ingress-controller',
      parameters: {
        apiGroup: 'networking.cloudflare-operator.io',
        kind: 'TunnelIngressClassConfig',
        name: 'tunnel',
        namespace: 'default',
        scope: 'Namespace',
      },
    },
  });
  let tunnelId = '';
  await until(
    'the tunnel is made',
    async () => {
      tunnelId = (await client.get(clusterTunnelKind, { name: 'burst' })).status?.tunnelId ?? '';
      return tunnelId !== '';
    },
    60_000,
  );
  return tunnelId;
}

type Rule = { readonly hostname?: string };

/** The rules that the tunnel has at Cloudflare. */
export function rulesOf({ sim }: BenchWorld, tunnelId: string): readonly Rule[] {
  const path = `/accounts/${sim.accountId}/cfd_tunnel/${tunnelId}/configurations`;
  const { body } = sim.dashboard('GET', path);
  const { result } = body as { readonly result?: { readonly config?: { readonly ingress?: readonly Rule[] } | null } };
  return result?.config?.ingress ?? [];
}
