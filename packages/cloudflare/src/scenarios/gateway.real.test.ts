import { crdKind, defineKind } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { tunnelGatewayClassConfigKind } from '../kinds/tunnel-gateway-class-config/resource.ts';
import { serviceKind } from '../refs/builtin-kinds.ts';
import {
  gatewayClassKind,
  gatewayKind,
  grpcRouteKind,
  httpRouteKind,
  tcpRouteKind,
  udpRouteKind,
} from '../refs/gateway/gateway-kinds.ts';
import { gatewayCrds } from '../testing/gateway-crds.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';
import { gateway, gatewayClass, http, route } from './testing/gateway-objects.ts';
import { clusterTunnel, service } from './testing/ingress-objects.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(async () => world.stop());

const kinds: readonly Kind<KubeObject>[] = [
  clusterTunnelKind,
  tunnelGatewayClassConfigKind,
  gatewayClassKind,
  gatewayKind,
  httpRouteKind,
  grpcRouteKind,
  tcpRouteKind,
  udpRouteKind,
  serviceKind,
];

async function create(object: KubeObject): Promise<void> {
  const kind = kinds.find((each) => each.kind === object.kind);
  if (kind) await world.client.create(defineKind<KubeObject>(kind), object);
}

async function install(channel: 'standard' | 'experimental', kind: Kind<KubeObject>): Promise<void> {
  for (const crd of gatewayCrds(channel)) await world.client.create(crdKind, crd);
  await world.until('the kinds are served', async () =>
    world.client.list(kind).then(
      () => true,
      () => false,
    ),
  );
}

type Configured = {
  readonly result?: { readonly config?: { readonly ingress?: readonly { readonly hostname?: string }[] } };
};

const ref = (name: string) => ({ namespace: 'default', name });

test('the official kinds come to a real API server one after the other, take our status, and lead to the tunnel', async () => {
  for (const object of [clusterTunnel(), service('web')]) await create(object);
  await world.until('the tunnel is active', async () => {
    const found = await world.get(clusterTunnelKind, { name: 'edge' });
    return found?.status?.state === 'active';
  });
  const tunnelId = (await world.get(clusterTunnelKind, { name: 'edge' }))?.status?.tunnelId ?? '';
  const hosts = (): readonly string[] => {
    const path = `/accounts/${world.sim.accountId}/cfd_tunnel/${tunnelId}/configurations`;
    const { body } = world.sim.dashboard('GET', path);
    return ((body as Configured).result?.config?.ingress ?? []).flatMap(({ hostname }) => hostname ?? []);
  };
  await install('standard', httpRouteKind);
  const listeners = [http, { name: 'tcp', port: 22, protocol: 'TCP' }];
  for (const object of [...gatewayClass(), gateway('edge', listeners), route('app')]) await create(object);
  await world.until('the route is served', async () => {
    const found = await world.get(gatewayKind, ref('edge'));
    return hosts().length === 1 && found?.status?.listeners?.[0]?.attachedRoutes === 1;
  });
  await world.until('the route is accepted', async () => {
    const found = await world.get(httpRouteKind, ref('app'));
    return found?.status?.parents?.[0]?.conditions?.[0]?.reason === 'Accepted';
  });
  const found = await world.get(gatewayKind, ref('edge'));
  expect(found?.status).toMatchObject({
    addresses: [{ type: 'Hostname', value: `${tunnelId}.cfargotunnel.com` }],
    conditions: [
      { type: 'Accepted', status: 'True' },
      { type: 'Programmed', status: 'True' },
    ],
  });

  await install('experimental', tcpRouteKind);
  await create(
    route('ssh', { kind: 'TCPRoute', annotations: { 'cloudflare-operator.io/hostname': 'ssh.example.com' } }),
  );
  await create(route('cart', { kind: 'GRPCRoute' }));
  await create(route('dns', { kind: 'UDPRoute' }));
  await world.until('what calls by gRPC is served', async () => Promise.resolve(hosts().includes('cart.example.com')));
  await world.until('what a tunnel cannot carry is refused', async () => {
    const refused = await world.get(udpRouteKind, ref('dns'));
    return refused?.status?.parents?.[0]?.conditions?.[0]?.status === 'False';
  });
  await world.client.delete(grpcRouteKind, ref('cart'));
  await world.until('the late kind is served', async () => Promise.resolve(hosts().includes('ssh.example.com')));

  await world.client.delete(httpRouteKind, ref('app'));
  await world.client.delete(gatewayKind, ref('edge'));
  await world.until('all of it is gone', async () => {
    const left = [await world.get(httpRouteKind, ref('app')), await world.get(gatewayKind, ref('edge'))];
    return left.every((each) => each === undefined) && hosts().length === 0;
  });
}, 120_000);
