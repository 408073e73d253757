import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import type { World } from '../testing/world.ts';
import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import { custom, dnsRecord, domain, tunnelBinding } from './testing/crash-objects.ts';
import { clusterTunnel, service } from './testing/ingress-objects.ts';

const zoneOf = ({ sim }: World): string => sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';

/** A record as somebody else has left it, and what the life before has left taken away. */
const found =
  (name: string, fields: object) =>
  async (world: World): Promise<void> => {
    const path = `/zones/${zoneOf(world)}/dns_records`;
    for (const { id } of listAtDashboard(world.sim, path)) atDashboard(world.sim, 'DELETE', `${path}/${id}`);
    atDashboard(world.sim, 'POST', path, { name: `${name}.example.net`, type: 'A', ttl: 300, ...fields });
  };

const adopted = { annotations: { 'cloudflare-operator.io/adopt': 'true' } };
const old = {
  finalizers: ['dnsrecord.networking.cloudflare-operator.io/finalizer'],
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
};

describeCrashes([
  {
    name: 'a TunnelBinding with its records',
    prepare: applying(domain('example.com'), clusterTunnel(), service('web')),
    steps: [
      applying(tunnelBinding('shop', ['shop.example.com'])),
      applying(tunnelBinding('shop', ['moved.example.com'])),
      deleting(tunnelBinding('shop', [])),
    ],
  },
  {
    name: 'a record that is adopted by annotation, with another content',
    steps: [
      found('www', { content: '198.51.100.1', comment: 'by hand' }),
      applying(dnsRecord('www', { content: '192.0.2.1' }, adopted)),
      deleting(dnsRecord('www', {})),
    ],
  },
  {
    name: 'a record and an object that the Go operator has left',
    steps: [
      found('www', { content: '192.0.2.1', comment: '[managed:DNSRecord/default/www]' }),
      applying(dnsRecord('www', { content: '192.0.2.2' }, old)),
      deleting(dnsRecord('www', {})),
    ],
  },
  {
    name: 'a virtual network of the Go operator',
    steps: [
      async ({ sim }) => {
        const path = `/accounts/${sim.accountId}/teamnet/virtual_networks`;
        const taken = listAtDashboard(sim, `${path}?is_deleted=false`).some(({ name }) => name === 'lab');
        if (!taken) atDashboard(sim, 'POST', path, { name: 'lab', comment: 'x [managed:VirtualNetwork/lab]' });
      },
      applying(custom('VirtualNetwork', 'lab', { comment: 'y', cloudflare: {} })),
      deleting(custom('VirtualNetwork', 'lab', {})),
    ],
  },
]);
