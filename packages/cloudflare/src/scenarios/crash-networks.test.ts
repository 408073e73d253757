import { atDashboard } from '../testing/dashboard.ts';
import type { World } from '../testing/world.ts';
import { service } from './testing/ingress-objects.ts';
import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import { custom } from './testing/crash-objects.ts';

const existing = async ({ sim }: World): Promise<void> => {
  atDashboard(sim, 'POST', `/accounts/${sim.accountId}/cfd_tunnel`, { name: 'office', config_src: 'cloudflare' });
};
const tunnel = (more: object = {}) =>
  custom('ClusterTunnel', 'office', { existingTunnel: { name: 'office' }, cloudflare: {}, ...more });
const network = (comment: string) => custom('VirtualNetwork', 'office', { comment, cloudflare: {} });
const to = {
  tunnelRef: { kind: 'ClusterTunnel', name: 'office' },
  virtualNetworkRef: { name: 'office' },
  cloudflare: {},
};
const route = (comment: string) => custom('NetworkRoute', 'lan', { network: '10.20.0.0/16', comment, ...to });
const printer = {
  ...service('printer'),
  spec: { ports: [{ port: 80 }], clusterIP: '10.96.0.77', clusterIPs: ['10.96.0.77'] },
};
const privately = custom(
  'PrivateService',
  'printer',
  { serviceRef: { name: 'printer', port: 80 }, ...to },
  { namespace: 'default' },
);

describeCrashes([
  {
    name: 'a virtual network, a route and a private service',
    prepare: async (world) => {
      await existing(world);
      await applying(tunnel(), printer)(world);
    },
    steps: [
      applying(network('first'), route('first'), privately),
      applying(network('second'), route('second')),
      deleting(privately, route(''), network('')),
    ],
  },
  {
    name: 'a tunnel that was there',
    prepare: existing,
    steps: [applying(tunnel()), applying(tunnel({ enableWarpRouting: true })), deleting(tunnel())],
  },
  {
    name: 'a tunnel of our own',
    steps: [
      applying(custom('ClusterTunnel', 'new', { newTunnel: { name: 'new' }, cloudflare: {} })),
      applying(custom('ClusterTunnel', 'new', { newTunnel: { name: 'new' }, cloudflare: {}, enableWarpRouting: true })),
      deleting(custom('ClusterTunnel', 'new', {})),
    ],
  },
]);
