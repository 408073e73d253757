import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import { settingCatalog } from './setting-catalog.ts';

describe('zones', () => {
  test('the default account has a free and a paid zone with ids of 32 hex digits that never change', async () => {
    const { call, free, sim } = await startTestSim();
    const { result } = await call('GET', `/zones/${free}`);
    expect(result).toMatchObject({
      id: free,
      name: 'example.com',
      status: 'active',
      account: { id: sim.accountId, name: 'Tributary' },
      plan: { legacy_id: 'free', name: 'Free Website' },
    });
    expect(free).toBe((await startTestSim({ random: Math.random })).free);
    expect(sim.zones.map(({ plan }) => plan)).toEqual(['free', 'pro']);
  });

  const zones = [
    ...['b.com', 'a.com', 'c.org'].map((name) => ({ name })),
    { name: 'p.net', status: 'pending' as const },
  ];
  const filters = [
    { query: '', names: ['a.com', 'b.com', 'c.org', 'p.net'] },
    { query: 'name=B.com', names: ['b.com'] },
    { query: 'name=a.com,b.com', names: ['a.com', 'b.com'] },
    { query: 'name=equal:a.com', names: ['a.com'] },
    { query: 'name=not_equal:a.com', names: ['b.com', 'c.org', 'p.net'] },
    { query: 'name=contains:.com', names: ['a.com', 'b.com'] },
    { query: 'name=starts_with:c', names: ['c.org'] },
    { query: 'name=ends_with:org', names: ['c.org'] },
    { query: 'status=pending', names: ['p.net'] },
    { query: 'status=pending&name=a.com', names: [] },
    { query: 'status=pending&name=a.com&match=any', names: ['a.com', 'p.net'] },
    { query: `account.id=${'0'.repeat(32)}`, names: [] },
    { query: 'account.name=Tributary&type=full&direction=desc', names: ['p.net', 'c.org', 'b.com', 'a.com'] },
  ];
  for (const { query, names } of filters) {
    test(`the list with "${query}": ${names.join(', ') || 'nothing'}`, async () => {
      const { call } = await startTestSim({ zones });
      const { result } = await call('GET', `/zones?${query}`);
      expect((result as { name: string }[]).map(({ name }) => name)).toEqual(names);
    });
  }

  test('a page holds at most 50 zones and at least five', async () => {
    const { call } = await startTestSim({ zones: Array.from({ length: 120 }, (_, i) => ({ name: `z${i}.com` })) });
    expect(await call('GET', '/zones?per_page=500&page=3')).toMatchObject({
      info: { page: 3, per_page: 50, count: 20, total_count: 120, total_pages: 3 },
    });
    expect(await call('GET', '/zones?per_page=1')).toMatchObject({ info: { per_page: 5, count: 5 } });
    expect(await call('GET', '/zones')).toMatchObject({ info: { per_page: 20 } });
    expect((await call('GET', '/zones?page=4&per_page=50')).result).toEqual([]);
  });

  const names = [
    { name: 'new.org', codes: [] },
    { name: 'example.com', codes: [1061] },
    { name: 'not a name', codes: [1002] },
    { name: 'sub.example.com', codes: [1116] },
    { name: 'x.invalid', codes: [1099] },
    { name: 'cloudflare.com', codes: [1052] },
  ];
  for (const { name, codes } of names) {
    test(`creating ${name}: ${codes.join('') || 'pending'}`, async () => {
      const { call, sim } = await startTestSim();
      const answer = await call('POST', '/zones', { name, account: { id: sim.accountId } });
      const made = { name, status: 'pending', plan: { legacy_id: 'free' } };
      expect(answer).toMatchObject({ codes, result: codes.length === 0 ? made : null });
    });
  }

  test('one property is changed per call; a deleted zone is one that nobody can see', async () => {
    const { call, free } = await startTestSim();
    expect((await call('PATCH', `/zones/${free}`, { paused: true })).result).toMatchObject({ paused: true });
    expect((await call('PATCH', `/zones/${free}`, { paused: true, type: 'full' })).codes).toEqual([1015]);
    expect((await call('DELETE', `/zones/${free}`)).result).toEqual({ id: free });
    expect(await call('GET', `/zones/${free}`)).toMatchObject({ status: 403, codes: [9109] });
  });

  test('records can be created in a pending zone', async () => {
    const { call, free } = await startTestSim({ zones: [{ name: 'p.net', status: 'pending' }] });
    expect(
      (await call('POST', `/zones/${free}/dns_records`, { type: 'A', name: '@', content: '192.0.2.1' })).status,
    ).toBe(200);
  });
});

describe('zone settings', () => {
  test('all of them come in one answer, each with what the plan lets change', async () => {
    const { call, free, paid } = await startTestSim();
    const read = async (zone: string): Promise<Map<string, Record<string, unknown>>> =>
      new Map(((await call('GET', `/zones/${zone}/settings`)).result as { id: string }[]).map((row) => [row.id, row]));
    const settings = await read(free);
    expect([...settings.keys()]).toEqual(Object.keys(settingCatalog));
    expect(settings.get('ssl')).toEqual({ id: 'ssl', value: 'full', modified_on: null, editable: true });
    expect(settings.get('polish')).toMatchObject({ editable: false });
    expect((await read(paid)).get('polish')).toMatchObject({ editable: true });
    expect(settings.get('0rtt')).toMatchObject({ value: 'off' });
    expect(settings.get('development_mode')).toMatchObject({ time_remaining: 0 });
  });

  const changes = [
    { id: 'ssl', value: 'strict', codes: [] },
    { id: 'ssl', value: 'stricter', codes: [1007] },
    { id: 'browser_cache_ttl', value: 0, codes: [] },
    { id: 'browser_cache_ttl', value: '0', codes: [1007] },
    { id: 'challenge_ttl', value: 1, codes: [1007] },
    { id: 'security_header', value: 'on', codes: [1007] },
    { id: 'minify', value: {}, codes: [1003] },
    { id: 'polish', value: 'lossy', codes: [1015] },
    { id: 'advanced_ddos', value: 'off', codes: [1015] },
    { id: 'ciphers', value: [], codes: [1023] },
  ];
  for (const { id, value, codes } of changes) {
    test(`${id} to ${JSON.stringify(value)}: ${codes.join('') || 'changed'}`, async () => {
      const { call, free } = await startTestSim();
      const answer = await call('PATCH', `/zones/${free}/settings/${id}`, { value });
      const changed = { id, value, modified_on: '2026-01-05T12:00:00.000Z' };
      expect(answer).toMatchObject({ codes, result: codes.length === 0 ? changed : null });
      const read = await call('GET', `/zones/${free}/settings/${id}`);
      expect(read.result?.modified_on ?? null).toBe(codes.length === 0 ? changed.modified_on : null);
    });
  }

  test('an object is read back with all its fields', async () => {
    const { call, free } = await startTestSim();
    const value = { strict_transport_security: { enabled: true, max_age: 86_400 } };
    expect((await call('PATCH', `/zones/${free}/settings/security_header`, { value })).result.value).toEqual({
      strict_transport_security: {
        enabled: true,
        max_age: 86_400,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    });
    expect((await call('PATCH', `/zones/${free}/settings/nel`, { enabled: false })).result.value).toEqual({
      enabled: false,
    });
  });

  test('many at once answer what changed, or change nothing at all', async () => {
    const { call, free } = await startTestSim();
    const good = {
      items: [
        { id: 'ssl', value: 'strict' },
        { id: 'ipv6', value: 'off' },
      ],
    };
    expect((await call('PATCH', `/zones/${free}/settings`, good)).result).toMatchObject([
      { id: 'ssl', value: 'strict' },
      { id: 'ipv6', value: 'off' },
    ]);
    const bad = {
      items: [
        { id: 'ssl', value: 'off' },
        { id: 'ipv6', value: 'maybe' },
      ],
    };
    expect(await call('PATCH', `/zones/${free}/settings`, bad)).toMatchObject({ status: 400, codes: [1007] });
    expect((await call('GET', `/zones/${free}/settings/ssl`)).result.value).toBe('strict');
    expect((await call('PATCH', `/zones/${free}/settings`, {})).codes).toEqual([1012]);
    expect((await call('GET', `/zones/${free}/settings/nothing`)).codes).toEqual([1003]);
  });
});
