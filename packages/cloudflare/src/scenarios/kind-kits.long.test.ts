import type { KubeObject } from '@tributary/runtime';
import { getCondition } from '@tributary/runtime';
import { describeKind } from '../engine/l2-controllers/testing/kind-kit.ts';
import { accessTunnelKind } from '../kinds/access-tunnel/resource.ts';
import { tunnelIngressClassConfigKind } from '../kinds/tunnel-ingress-class-config/resource.ts';
import { gatewayClassKind, grpcRouteKind, tcpRouteKind, udpRouteKind } from '../refs/gateway/gateway-kinds.ts';
import type { Route } from '../refs/gateway/gateway-kinds.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { gatewayClass } from './testing/gateway-objects.ts';
import { prepareTunnel, routeCase, toTunnel } from './testing/tunnel-kits.ts';

// What is made of the same parts as the kinds of kind-kits.test.ts, or asks nothing of Cloudflare.

describeKind('a GRPCRoute', routeCase(grpcRouteKind, 'HTTP'));
describeKind('a TCPRoute', routeCase(tcpRouteKind, 'TCP'));

describeKind('a UDPRoute, which a tunnel cannot carry', {
  ...routeCase(udpRouteKind, 'UDP'),
  readOnly: true,
  writes: 1,
  isReady: (world, generation) => {
    const seen: Route | undefined = world.get(udpRouteKind, { namespace: 'default', name: 'app' });
    const accepted = getCondition(seen?.status?.parents?.[0]?.conditions, 'Accepted');
    return accepted?.status === 'False' && accepted.observedGeneration === generation;
  },
});

const [settings, officialClass] = gatewayClass();

describeKind('a GatewayClass', {
  kind: gatewayClassKind,
  writes: 1,
  readOnly: true,
  prepare: async (world) => {
    await prepareTunnel(world);
    if (settings) await world.apply(settings);
  },
  object: () => officialClass as KubeObject,
  change: () => ({
    spec: { ...(officialClass as KubeObject & { readonly spec: object }).spec, description: 'For everybody' },
  }),
  isReady: (world, generation) => {
    const accepted = getCondition(world.get(gatewayClassKind, { name: 'cloudflare' })?.status?.conditions, 'Accepted');
    return accepted?.status === 'True' && accepted.observedGeneration === generation;
  },
});

describeKind('settings of a class of Ingresses', {
  kind: tunnelIngressClassConfigKind,
  writes: 1,
  readOnly: true,
  prepare: prepareTunnel,
  object: () =>
    ({
      apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
      kind: 'TunnelIngressClassConfig',
      metadata: { name: 'more', namespace: 'default' },
      spec: { tunnelRef: { kind: 'ClusterTunnel', name: 'edge' } },
    }) as KubeObject,
  change: () => ({ spec: { tunnelRef: { kind: 'ClusterTunnel', name: 'edge' }, dnsManagement: 'Manual' } }),
  references: toTunnel,
});

const target = (fqdn: string): object => ({ target: { fqdn, protocol: 'ssh', svc: { name: 'database', port: 22 } } });

describeKind('an AccessTunnel', {
  kind: accessTunnelKind,
  writes: 2,
  readOnly: true,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
    kind: 'AccessTunnel',
    metadata: { name: 'db', namespace: 'default' },
    ...target('db.example.com'),
  }),
  change: () => target('other.example.com'),
  isReady: (world, generation) =>
    JSON.stringify(world.get(deploymentKind, { namespace: 'default', name: 'db' }) ?? {}).includes(
      generation === 1 ? 'db.example.com' : 'other.example.com',
    ),
});
