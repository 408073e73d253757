import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import type { World } from '../../testing/world.ts';
import { dnsRecordKind } from './resource.ts';

const head = { apiVersion: 'networking.cloudflare-operator.io/v1alpha2', kind: 'DNSRecord', metadata: { name: 'www' } };
const zone = ({ sim }: World): object => ({ zoneId: sim.zones.find(({ name }) => name === 'example.net')?.id });

describeKind('a DNS record', {
  kind: dnsRecordKind,
  object: (world) => ({
    ...head,
    spec: { name: 'www.example.net', type: 'A', content: '192.0.2.1', cloudflare: zone(world) },
  }),
  change: () => ({ spec: { content: '192.0.2.2' } }),
});

describeKind('a DNS record by its domain, from a Service', {
  kind: dnsRecordKind,
  prepare: async (world) =>
    world.apply(
      '{ apiVersion: v1, kind: Service, metadata: { name: shop }, spec: { ports: [{ port: 80 }], externalIPs: [192.0.2.1] } }',
    ),
  object: () => ({
    ...head,
    spec: {
      name: 'www',
      sourceRef: { service: { name: 'shop', addressType: 'ExternalIP' } },
      cloudflare: { domain: 'example.net' },
    },
  }),
  change: () => ({ spec: { ttl: 300 } }),
  references: [{ kind: serviceKind, ref: { namespace: 'default', name: 'shop' } }],
  // The lookup of the zone is a SyncState too.
  writes: 6,
});
