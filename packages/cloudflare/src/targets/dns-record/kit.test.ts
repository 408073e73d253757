import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { DnsRecordConfig } from './contract.ts';
import { dnsRecordTarget } from './sync.ts';

const owner = 'Toy/default/one';
const zoneOf = ({ zones }: SimCloudflare): string => zones.find(({ name }) => name === 'example.net')?.id ?? '';
const records = (sim: SimCloudflare): string => `/zones/${zoneOf(sim)}/dns_records`;

const common = {
  target: dnsRecordTarget,
  remote: (sim: SimCloudflare) => listAtDashboard(sim, records(sim)),
} as const;

const address: DnsRecordConfig = { name: 'www.example.net', type: 'A', content: '192.0.2.1', ttl: 300 };

describeTarget('an address', {
  ...common,
  key: (sim) => ({ accountId: sim.accountId, zoneId: zoneOf(sim), owner, record: '' }),
  config: () => address,
  changes: {
    content: () => ({ ...address, content: '192.0.2.2' }),
    name: () => ({ ...address, name: 'new.example.net' }),
    proxy: () => ({ ...address, proxied: true }),
    ttl: () => ({ ...address, ttl: 600 }),
    comment: () => ({ ...address, comment: 'hello' }),
    tags: () => ({ ...address, tags: ['b', 'a:b'] }),
    type: () => ({ ...address, type: 'CNAME', content: 'a.example.org' }),
  },
  edit: (sim, id) => atDashboard(sim, 'PATCH', `${records(sim)}/${id}`, { content: '192.0.2.9', ttl: 1 }),
});

const alias: DnsRecordConfig = { name: 'app.example.net', type: 'CNAME', content: 'a.example.org', proxied: true };

describeTarget('an alias of one of several hosts', {
  ...common,
  key: (sim) => ({ accountId: sim.accountId, zoneId: zoneOf(sim), owner, record: 'app.example.net' }),
  config: () => alias,
  changes: { content: () => ({ ...alias, content: 'b.example.org' }), proxy: () => ({ ...alias, proxied: false }) },
  edit: (sim, id) => atDashboard(sim, 'PATCH', `${records(sim)}/${id}`, { comment: 'mine now' }),
  stranger: (sim) => atDashboard(sim, 'POST', records(sim), { name: 'app', type: 'CNAME', content: 'x.example.org' }),
  rival: (sim) =>
    atDashboard(sim, 'POST', records(sim), {
      name: 'app',
      type: 'CNAME',
      content: 'x.example.org',
      comment: '[managed-by:Other/ns/name]',
    }),
});

const service: DnsRecordConfig = {
  name: '_sip._tcp.example.net',
  type: 'SRV',
  priority: 0,
  data: { weight: 0, port: 5060, target: 'sip.example.net' },
};

describeTarget('a record of parts', {
  ...common,
  key: (sim) => ({ accountId: sim.accountId, zoneId: zoneOf(sim), owner, record: '' }),
  config: () => service,
  changes: {
    data: () => ({ ...service, data: { weight: 0, port: 5061, target: 'sip.example.net' } }),
    priority: () => ({ ...service, priority: 10 }),
  },
});
