import fc from 'fast-check';
import { expect, test } from 'vitest';
import { desiredOf, sourceOf, startSimCall } from '../../testing/sim-call.ts';
import type { DnsRecordConfig, DnsRecordKey } from './contract.ts';
import { dnsRecordTarget } from './sync.ts';

// What is sent and what is read back of it must count as equal, or every look at the zone would find drift.

const { sim, call } = await startSimCall();
const paid = sim.zones.find(({ plan }) => plan !== 'free');
const zoneId = paid?.id ?? '';
const zone = paid?.name ?? '';
const owner = { kind: 'DNSRecord', namespace: 'default', name: 'one' };
const key: DnsRecordKey = { accountId: sim.accountId, zoneId, owner: 'DNSRecord/default/one', record: '' };

async function thereAndBack(config: DnsRecordConfig): Promise<readonly string[]> {
  const wanted = desiredOf(dnsRecordTarget.aggregate([sourceOf(owner, config)], key));
  const made = await dnsRecordTarget.create?.run(wanted, key, call);
  if (!made) throw new Error('nothing was made');
  const [seen] = await dnsRecordTarget.observe.lookup({ key, desired: wanted, id: undefined }, call);
  await dnsRecordTarget.remove?.(made, key, call);
  expect(seen?.id).toBe(made.id);
  return seen ? dnsRecordTarget.difference(wanted, seen) : ['missing'];
}

const www = `www.${zone}`;

const cases: readonly (DnsRecordConfig & { readonly why?: string })[] = [
  { name: www, type: 'A', content: '203.0.113.7', ttl: 300 },
  { name: www, type: 'A', content: '203.0.113.7', ttl: 300, proxied: true, why: 'proxied: the TTL is automatic' },
  { name: `WWW.${zone.toUpperCase()}.`, type: 'A', content: '203.0.113.7', why: 'case and dot of the name' },
  { name: `bücher.${zone}`, type: 'A', content: '203.0.113.7', why: 'a name beyond ASCII' },
  { name: `*.${zone}`, type: 'AAAA', content: '2001:DB8:0:0:0:0:0:1' },
  { name: www, type: 'CNAME', content: 'Target.Example.ORG.', proxied: true },
  { name: www, type: 'CNAME', content: 'grüße.example.org' },
  { name: zone, type: 'MX', content: 'mail.example.org.', priority: 0, why: 'priority 0' },
  { name: zone, type: 'MX', content: '10 mail.example.org', why: 'the priority in the text' },
  { name: `sub.${zone}`, type: 'NS', content: 'NS1.example.org.' },
  { name: www, type: 'TXT', content: 'v=spf1 -all' },
  { name: www, type: 'TXT', content: '"quoted" "in pieces"' },
  { name: www, type: 'TXT', content: 'it says "hello" \\ bye' },
  { name: www, type: 'TXT', content: `k=${'x'.repeat(600)}` },
  { name: `_sip._tcp.${zone}`, type: 'SRV', data: { weight: 0, port: 5060, target: 'Sip.example.org.' }, priority: 0 },
  { name: `_sip._tcp.${zone}`, type: 'SRV', content: '10 5 5060 sip.example.org' },
  { name: `_sip._tcp.${zone}`, type: 'SRV', content: '5 5060 sip.example.org', priority: 10 },
  { name: zone, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } },
  { name: zone, type: 'CAA', data: { tag: 'issue', value: 'letsencrypt.org' }, why: 'flags left out' },
  { name: zone, type: 'CAA', content: '0 issue "letsencrypt.org; validationmethods=dns-01"' },
  { name: `_443._tcp.${zone}`, type: 'TLSA', data: { usage: 0, selector: 0, matchingType: 1, certificate: 'AB12' } },
  { name: `x._smimecert.${zone}`, type: 'SMIMEA', data: { usage: 3, certificate: 'ab12' } },
  { name: www, type: 'SSHFP', data: { algorithm: 4, type: 2, fingerprint: 'ABCDEF' } },
  { name: www, type: 'SSHFP', content: '4 2 abcdef' },
  { name: www, type: 'CERT', data: { type: 1, keyTag: 0, algorithm: 0, certificate: 'TUlJ' } },
  { name: `sub.${zone}`, type: 'DS', data: { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' } },
  { name: www, type: 'DNSKEY', data: { flags: 257, protocol: 3, algorithm: 13, publicKey: 'mdsswUyr' } },
  {
    name: www,
    type: 'NAPTR',
    data: { order: 0, preference: 10, flags: 'S', service: 'SIP+D2U', regex: '', replacement: '_sip._udp.example.org' },
  },
  { name: www, type: 'HTTPS', data: { target: '.', value: 'alpn="h3,h2"' }, priority: 1 },
  { name: www, type: 'SVCB', data: { priority: 0, target: 'svc.example.org.', value: '' } },
  { name: www, type: 'URI', data: { weight: 0, target: 'https://example.org/' }, priority: 0 },
  {
    name: www,
    type: 'LOC',
    data: {
      latDegrees: 51,
      latSeconds: '12.748',
      latDirection: 'N',
      longDegrees: 0,
      longDirection: 'W',
      altitude: '10m',
    },
  },
  { name: www, type: 'A', content: '203.0.113.7', comment: 'front door', tags: ['Owner:dns', 'plain'] },
];

test.each(
  cases.map((each) => [`${each.type} ${each.why ?? JSON.stringify(each.data ?? each.content)}`, each] as const),
)('%s reads back as it was sent', async (_, { why: _why, ...config }) => {
  expect(await thereAndBack(config)).toEqual([]);
});

test('any text reads back as it was sent', async () => {
  const text = fc.string({ minLength: 1, maxLength: 400, unit: 'binary-ascii' }).filter((each) => each.trim() !== '');
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      expect(await thereAndBack({ name: www, type: 'TXT', content })).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('any address of version 6 reads back as it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.ipV6(), async (content) => {
      expect(await thereAndBack({ name: www, type: 'AAAA', content })).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
