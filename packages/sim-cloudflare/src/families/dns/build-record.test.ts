import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';

type Input = Readonly<Record<string, unknown>>;

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
