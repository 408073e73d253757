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

const refused: readonly { name: string; input: Input; codes: readonly number[]; paid?: true }[] = [
  { name: 'a bad address of version 4', input: { type: 'A', name: 'a', content: '192.0.2' }, codes: [1004, 9005] },
  { name: 'an address with a zone', input: { type: 'AAAA', name: 'a', content: 'fe80::1%eth0' }, codes: [1004, 9006] },
  {
    name: 'an address as the target of a CNAME',
    input: { type: 'CNAME', name: 'a', content: '192.0.2.1' },
    codes: [1004, 9007],
  },
  {
    name: 'a mail exchanger that is no name',
    input: { type: 'MX', name: 'a', content: 'a b', priority: 1 },
    codes: [1004, 9009],
  },
  {
    name: 'a mail exchanger without priority',
    input: { type: 'MX', name: 'a', content: 'mx.example.net' },
    codes: [1004, 9101],
  },
  {
    name: 'a priority that is too large',
    input: { type: 'MX', name: 'a', content: 'mx.example.net', priority: 65_536 },
    codes: [1004, 9102],
  },
  { name: 'an unknown type', input: { type: 'WKS', name: 'a', content: 'x' }, codes: [1004, 9020] },
  { name: 'a missing name', input: { type: 'A', content: '192.0.2.1' }, codes: [1004, 9000] },
  {
    name: 'a label that is too long',
    input: { type: 'A', name: 'x'.repeat(64), content: '192.0.2.1' },
    codes: [1004, 9000],
  },
  { name: 'a wildcard inside a name', input: { type: 'A', name: 'a.*.b', content: '192.0.2.1' }, codes: [1004, 9000] },
  {
    name: 'a ttl that is too short',
    input: { type: 'A', name: 'a', content: '192.0.2.1', ttl: 59 },
    codes: [1004, 9021],
  },
  {
    name: 'a ttl that is too long',
    input: { type: 'A', name: 'a', content: '192.0.2.1', ttl: 86_401 },
    codes: [1004, 9021],
  },
  { name: 'proxied text', input: { type: 'TXT', name: 'a', content: 'x', proxied: true }, codes: [1004, 9004] },
  {
    name: 'a proxied challenge',
    input: { type: 'CNAME', name: '_acme-challenge.a', content: 'b.example.net', proxied: true },
    codes: [1004, 9041],
  },
  {
    name: 'a private address behind the proxy',
    input: { type: 'A', name: 'a', content: '10.0.0.1', proxied: true },
    codes: [1004, 9003],
  },
  {
    name: 'a private address of version 6 behind the proxy',
    input: { type: 'AAAA', name: 'a', content: 'fd00::1', proxied: true },
    codes: [1004, 9003],
  },
  { name: 'SRV without data', input: { type: 'SRV', name: 'a', content: '1 2 3 x' }, codes: [1004, 9101] },
  {
    name: 'SRV without a port',
    input: { type: 'SRV', name: 'a', data: { priority: 1, weight: 1, target: 'x' } },
    codes: [1004, 9101],
  },
  {
    name: 'a number that is none',
    input: { type: 'CAA', name: 'a', data: { flags: 'x', tag: 'issue', value: 'ca' } },
    codes: [1004, 9102],
  },
  {
    name: 'a tag on a free zone',
    input: { type: 'A', name: 'a', content: '192.0.2.1', tags: ['owner:me'] },
    codes: [1004, 9300],
  },
  {
    name: 'a 21st tag on a paid zone',
    input: { type: 'A', name: 'a', content: '192.0.2.1', tags: Array.from({ length: 21 }, (_, i) => `t${i}:x`) },
    codes: [1004, 9300],
    paid: true,
  },
  {
    name: 'a tag with a bad name',
    input: { type: 'A', name: 'a', content: '192.0.2.1', tags: ['a b:c'] },
    codes: [1004, 9302],
    paid: true,
  },
  {
    name: 'a comment of 101 characters on a free zone',
    input: { type: 'A', name: 'a', content: '192.0.2.1', comment: 'c'.repeat(101) },
    codes: [1004, 9301],
  },
  {
    name: 'a comment of 501 characters on a paid zone',
    input: { type: 'A', name: 'a', content: '192.0.2.1', comment: 'c'.repeat(501) },
    codes: [1004, 9301],
    paid: true,
  },
  {
    name: 'a comment of two lines',
    input: { type: 'A', name: 'a', content: '192.0.2.1', comment: 'a\nb' },
    codes: [1004, 9301],
  },
  {
    name: 'a setting that the plan does not have',
    input: { type: 'CNAME', name: 'a', content: 'b.example.net', settings: { flatten_cname: true } },
    codes: [9227],
  },
  {
    name: 'content of more than 4096 bytes',
    input: { type: 'TXT', name: 'a', content: 'x'.repeat(4097) },
    codes: [1004, 9011],
  },
];

describe('what is refused', () => {
  for (const { name, input, codes, paid: onPaid } of refused) {
    test(`${name}: ${codes.join(' with ')}`, async () => {
      const { call, free, paid } = await startTestSim();
      const zone = onPaid ? paid : free;
      expect(await call('POST', `/zones/${zone}/dns_records`, input)).toMatchObject({ status: 400, codes });
      expect((await call('GET', `/zones/${zone}/dns_records`)).result).toEqual([]);
    });
  }

  test('a paid zone takes longer comments and tags, an Enterprise zone shorter times', async () => {
    const { call, paid, sim } = await startTestSim({
      zones: [{ name: 'a.com' }, { name: 'b.com', plan: 'pro' }, { name: 'c.com', plan: 'enterprise' }],
    });
    const input = { type: 'A', name: 'a', content: '192.0.2.1' };
    const long = await call('POST', `/zones/${paid}/dns_records`, {
      ...input,
      comment: 'c'.repeat(500),
      tags: ['Owner:me', 'bare'],
    });
    expect(long.result).toMatchObject({ tags: ['Owner:me', 'bare:'] });
    expect(long.result.comment).toHaveLength(500);
    expect((await call('POST', `/zones/${sim.zones[2]!.id}/dns_records`, { ...input, ttl: 30 })).result).toMatchObject({
      ttl: 30,
    });
  });

  test('records of one name and type share 8192 characters', async () => {
    const { call, free } = await startTestSim();
    const statuses = [];
    for (const letter of ['a', 'b', 'c', 'd']) {
      statuses.push(
        (await call('POST', `/zones/${free}/dns_records`, { type: 'TXT', name: 'a', content: letter.repeat(2500) }))
          .codes,
      );
    }
    expect(statuses).toEqual([[], [], [], [1004, 9012]]);
  });

  test('the quota of a free zone is 200 records, and usage tells it', async () => {
    const { call, free } = await startTestSim();
    const posts = Array.from({ length: 200 }, (_, i) => ({ type: 'A', name: `n${i}`, content: '192.0.2.1' }));
    expect((await call('POST', `/zones/${free}/dns_records/batch`, { posts })).status).toBe(200);
    expect(
      await call('POST', `/zones/${free}/dns_records`, { type: 'A', name: 'one-more', content: '192.0.2.1' }),
    ).toMatchObject({ status: 400, codes: [81045] });
    expect((await call('GET', `/zones/${free}/dns_records/usage`)).result).toEqual({
      record_quota: 200,
      record_usage: 200,
    });
  });
});

const a = { type: 'A', name: 'x', content: '192.0.2.1' };
const cname = { type: 'CNAME', name: 'x', content: 'y.example.net' };
const ns = { type: 'NS', name: 'x', content: 'ns.example.net' };
const txt = { type: 'TXT', name: 'x', content: 'hello' };
const beside: readonly { name: string; first: Input; second: Input; codes: readonly number[] }[] = [
  { name: 'two addresses may share a name', first: a, second: { ...a, content: '192.0.2.2' }, codes: [] },
  { name: 'text may stand beside a CNAME', first: cname, second: txt, codes: [] },
  { name: 'a CNAME finds an address', first: a, second: cname, codes: [81053] },
  { name: 'a CNAME finds another', first: cname, second: { ...cname, content: 'z.example.net' }, codes: [81053] },
  { name: 'an address finds a CNAME', first: cname, second: a, codes: [81054] },
  { name: 'a delegation finds a CNAME', first: cname, second: ns, codes: [81054] },
  { name: 'an address finds a delegation', first: ns, second: a, codes: [81056] },
  { name: 'text finds a delegation', first: ns, second: txt, codes: [81056] },
  { name: 'a delegation finds an address', first: a, second: ns, codes: [81053] },
  { name: 'a delegation finds text', first: txt, second: ns, codes: [81057] },
  {
    name: 'a delegation has several servers and its DS',
    first: ns,
    second: { ...ns, content: 'ns2.example.net' },
    codes: [],
  },
  { name: 'the same record again', first: a, second: a, codes: [81058] },
  {
    name: 'the same record in other words',
    first: txt,
    second: { ...txt, name: 'X.example.com.', content: '"hello"' },
    codes: [81058],
  },
  { name: 'the same record with another ttl', first: a, second: { ...a, ttl: 300 }, codes: [81057] },
  { name: 'text differs by case', first: txt, second: { ...txt, content: 'HELLO' }, codes: [] },
  {
    name: 'at the apex a server may stand beside an address',
    first: { ...ns, name: '@' },
    second: { ...a, name: '@' },
    codes: [],
  },
];

describe('records of one name', () => {
  for (const { name, first, second, codes } of beside) {
    test(`${name}: ${codes.join(', ') || 'allowed'}`, async () => {
      const { call, free } = await startTestSim();
      expect((await call('POST', `/zones/${free}/dns_records`, first)).status).toBe(200);
      expect(await call('POST', `/zones/${free}/dns_records`, second)).toMatchObject({
        status: codes.length > 0 ? 400 : 200,
        codes,
      });
    });
  }
});
