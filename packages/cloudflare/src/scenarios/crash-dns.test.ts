import { service } from './testing/ingress-objects.ts';
import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import { custom, dnsRecord, domain } from './testing/crash-objects.ts';

const ip = (last: number): object => ({ content: `192.0.2.${last}` });
const shop = (...externalIPs: readonly string[]) => ({
  ...service('shop'),
  spec: { ports: [{ port: 80 }], externalIPs },
});
const fromShop = { sourceRef: { service: { name: 'shop', addressType: 'ExternalIP' } }, addressSelection: 'All' };
const dynamic = dnsRecord('shop', { type: undefined, ...fromShop });
const batch = ['a', 'b', 'c'];
const second = custom('CloudflareCredentials', 'second', { accountId: 'ACCOUNT', secretRef: { name: 'main-token' } });

describeCrashes([
  {
    name: 'credentials and a domain',
    steps: [
      applying(second, domain('example.com', { ssl: { mode: 'full' } })),
      applying(domain('example.com', { ssl: { mode: 'strict' } })),
      deleting(domain('example.com'), second),
    ],
  },
  {
    name: 'a DNS record with an address',
    steps: [applying(dnsRecord('www', ip(1))), applying(dnsRecord('www', ip(2))), deleting(dnsRecord('www', {}))],
  },
  {
    name: 'a DNS record from a Service',
    prepare: applying(shop('192.0.2.1')),
    steps: [applying(dynamic, shop('192.0.2.1')), applying(shop('192.0.2.1', '192.0.2.2')), deleting(dynamic)],
  },
  {
    name: 'three DNS records in a batch',
    steps: [
      applying(...batch.map((name) => dnsRecord(name, ip(1)))),
      applying(...batch.map((name) => dnsRecord(name, ip(2)))),
      deleting(...batch.map((name) => dnsRecord(name, {}))),
    ],
  },
]);
