import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';

type Input = Readonly<Record<string, unknown>>;

const normalised: readonly { name: string; input: Input; reads: Input }[] = [
  { name: '@ is the zone', input: { type: 'A', name: '@', content: '192.0.2.1' }, reads: { name: 'example.com' } },
  {
    name: 'a relative name is put below the zone',
    input: { type: 'A', name: 'www', content: '192.0.2.1' },
    reads: { name: 'www.example.com' },
  },
  {
    name: 'a name of another zone is relative too',
    input: { type: 'A', name: 'a.example.org', content: '192.0.2.1' },
    reads: { name: 'a.example.org.example.com' },
  },
  {
    name: 'names are lower case without a trailing dot',
    input: { type: 'A', name: 'WWW.Example.COM.', content: '192.0.2.1' },
    reads: { name: 'www.example.com' },
  },
  {
    name: 'names are punycode',
    input: { type: 'A', name: 'bücher', content: '192.0.2.1' },
    reads: { name: 'xn--bcher-kva.example.com' },
  },
  {
    name: 'a wildcard stays',
    input: { type: 'A', name: '*.dev', content: '192.0.2.1' },
    reads: { name: '*.dev.example.com' },
  },
  {
    name: 'an address of version 6 is compressed',
    input: { type: 'AAAA', name: 'a', content: '2001:DB8:0:0:0:0:0:1' },
    reads: { content: '2001:db8::1' },
  },
  {
    name: 'a target loses its trailing dot',
    input: { type: 'CNAME', name: 'a', content: 'Target.Example.net.' },
    reads: { content: 'target.example.net' },
  },
  {
    name: 'text is quoted',
    input: { type: 'TXT', name: 'a', content: 'v=spf1 -all' },
    reads: { content: '"v=spf1 -all"' },
  },
  {
    name: 'quoted text stays',
    input: { type: 'TXT', name: 'a', content: '"one" "two"' },
    reads: { content: '"one" "two"' },
  },
  {
    name: 'quotes inside text are escaped',
    input: { type: 'TXT', name: 'a', content: 'say "hi"' },
    reads: { content: String.raw`"say \"hi\""` },
  },
  {
    name: 'long text is split',
    input: { type: 'TXT', name: 'a', content: 'x'.repeat(300) },
    reads: { content: `"${'x'.repeat(255)}" "${'x'.repeat(45)}"` },
  },
  {
    name: 'defaults are filled in',
    input: { type: 'A', name: 'a', content: '192.0.2.1' },
    reads: { ttl: 1, proxied: false, proxiable: true, comment: null, tags: [], settings: {}, meta: {} },
  },
  {
    name: 'proxied means automatic ttl',
    input: { type: 'A', name: 'a', content: '192.0.2.1', ttl: 300, proxied: true },
    reads: { ttl: 1, proxied: true },
  },
  {
    name: 'MX keeps its priority on top',
    input: { type: 'MX', name: '@', content: 'mx.example.net.', priority: 10 },
    reads: { content: 'mx.example.net', priority: 10, proxiable: false },
  },
  {
    name: 'SRV content leaves the priority out and shows it on top',
    input: {
      type: 'SRV',
      name: '_sip._tcp',
      data: { priority: '1', weight: 5, port: 5060, target: 'sip.example.net.' },
    },
    reads: {
      content: '5 5060 sip.example.net',
      priority: 1,
      data: { priority: 1, weight: 5, port: 5060, target: 'sip.example.net' },
    },
  },
  {
    name: 'CAA',
    input: { type: 'CAA', name: '@', data: { flags: '0', tag: 'issue', value: 'ca.example' } },
    reads: { content: '0 issue "ca.example"', data: { flags: 0, tag: 'issue', value: 'ca.example' } },
  },
  {
    name: 'LOC',
    input: {
      type: 'LOC',
      name: '@',
      data: {
        lat_degrees: 51,
        lat_minutes: 30,
        lat_seconds: 12.7,
        lat_direction: 'N',
        long_degrees: 0,
        long_direction: 'W',
        altitude: 10,
      },
    },
    reads: { content: '51 30 12.7 N 0 0 0 W 10.00m 0.00m 0.00m 0.00m' },
  },
  {
    name: 'TLSA',
    input: { type: 'TLSA', name: '_443._tcp', data: { usage: 3, selector: 1, matching_type: 1, certificate: 'ab' } },
    reads: { content: '3 1 1 ab' },
  },
  {
    name: 'SSHFP',
    input: { type: 'SSHFP', name: 'a', data: { algorithm: 4, type: 2, fingerprint: 'ab' } },
    reads: { content: '4 2 ab' },
  },
  {
    name: 'CERT',
    input: { type: 'CERT', name: 'a', data: { type: 1, key_tag: 2, algorithm: 3, certificate: 'ab' } },
    reads: { content: '1 2 3 ab' },
  },
  {
    name: 'DS',
    input: { type: 'DS', name: 'a', data: { key_tag: 1, algorithm: 13, digest_type: 2, digest: 'ab' } },
    reads: { content: '1 13 2 ab' },
  },
  {
    name: 'DNSKEY',
    input: { type: 'DNSKEY', name: 'a', data: { flags: 257, protocol: 3, algorithm: 13, public_key: 'ab' } },
    reads: { content: '257 3 13 ab' },
  },
  {
    name: 'NAPTR',
    input: {
      type: 'NAPTR',
      name: 'a',
      data: { order: 1, preference: 2, flags: 'S', service: 'SIP', regex: '', replacement: '.' },
    },
    reads: { content: '1 2 "S" "SIP" "" .' },
  },
  {
    name: 'HTTPS',
    input: { type: 'HTTPS', name: 'a', data: { priority: 1, target: '.', value: 'alpn="h3"' } },
    reads: { content: '1 . alpn="h3"' },
  },
  {
    name: 'URI',
    input: { type: 'URI', name: 'a', priority: 7, data: { weight: 5, target: 'https://example.net/' } },
    reads: { content: '5 "https://example.net/"', priority: 7 },
  },
  {
    name: 'settings of other types are dropped',
    input: { type: 'A', name: 'a', content: '192.0.2.1', settings: { ipv4_only: true, flatten_cname: false } },
    reads: { settings: { ipv4_only: true } },
  },
];

describe('what is read back', () => {
  for (const { name, input, reads } of normalised) {
    test(name, async () => {
      const { call, free } = await startTestSim();
      const created = await call('POST', `/zones/${free}/dns_records`, input);
      expect(created).toMatchObject({ status: 200, codes: [], result: reads });
      expect(created.result.id).toMatch(/^[0-9a-f]{32}$/);
      expect((await call('GET', `/zones/${free}/dns_records/${created.result.id}`)).result).toEqual(created.result);
    });
  }
});
