import { gatewayClassKind, gatewayKind, httpRouteKind } from '../refs/gateway/gateway-kinds.ts';
import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import type { Life } from './testing/crash-lives.ts';
import { domain } from './testing/crash-objects.ts';
import { gateway, gatewayClass, route } from './testing/gateway-objects.ts';
import { install } from './testing/gateway-world.ts';
import { clusterTunnel, service } from './testing/ingress-objects.ts';

const kinds = [gatewayClassKind, gatewayKind, httpRouteKind];

const prepared =
  (dnsManagement: string): NonNullable<Life['prepare']> =>
  async (world) => {
    await install(world, 'standard');
    const tunnel = [domain('example.com'), clusterTunnel(), service('web')];
    await applying(...tunnel, ...gatewayClass('cloudflare', { dnsManagement }))(world);
  };

describeCrashes([
  {
    name: 'a Gateway with a route and its record',
    kinds,
    prepare: prepared('Automatic'),
    steps: [
      applying(gateway(), route('app')),
      applying(route('app', { hostnames: ['moved.example.com'] })),
      deleting(route('app'), gateway()),
    ],
  },
  {
    name: 'a route that outlives its Gateway',
    kinds,
    prepare: prepared('Manual'),
    steps: [applying(gateway(), route('app')), deleting(gateway()), deleting(route('app'))],
  },
]);
