import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { tunnelGatewayClassConfigKind } from './resource.ts';

type Tunnel = KubeObject & { readonly status?: { readonly state?: string } };
const clusterTunnelKind = defineKind<Tunnel>({
  group: 'networking.cloudflare-operator.io',
  version: 'v1alpha2',
  kind: 'ClusterTunnel',
  plural: 'clustertunnels',
  scope: 'Cluster',
});
const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const metadata = { name: 'cloudflare', namespace: 'default' };
const spec = { tunnelRef: { kind: 'ClusterTunnel', name: 'edge' } };

describeKind('settings of a class of Gateways', {
  kind: tunnelGatewayClassConfigKind,
  readOnly: true,
  writes: 1,
  prepare: async (world) => {
    const tunnel = { newTunnel: { name: 'edge' }, cloudflare: {} };
    await world.apply({ apiVersion, kind: 'ClusterTunnel', metadata: { name: 'edge' }, spec: tunnel } as never);
    await world.waitFor(() => world.get(clusterTunnelKind, { name: 'edge' })?.status?.state === 'active');
  },
  object: () => ({ apiVersion, kind: 'TunnelGatewayClassConfig', metadata, spec }) as never,
  change: () => ({ spec: { ...spec, dnsManagement: 'Manual' } }),
  references: [{ kind: clusterTunnelKind, ref: { name: 'edge' } }],
});
