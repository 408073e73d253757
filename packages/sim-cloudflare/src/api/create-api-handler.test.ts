import { describe, expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';

const limited = '0123456789abcdefghijABCDEFGHIJ0123456789';

describe('the envelope', () => {
  test('a success has result, empty errors and messages, and paging where there is a list', async () => {
    const { call, free } = await startTestSim();
    const { text, headers } = await call('GET', `/zones/${free}/dns_records`);
    expect(JSON.parse(text)).toEqual({
      result: [],
      success: true,
      errors: [],
      messages: [],
      result_info: { page: 1, per_page: 100, count: 0, total_count: 0, total_pages: 0 },
    });
    expect(headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-SIM$/);
    expect(headers.get('content-type')).toBe('application/json');
  });

  test('a failure has a null result and its errors', async () => {
    const { call, free } = await startTestSim();
    const { status, text } = await call('GET', `/zones/${free}/dns_records/0123`);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual({
      result: null,
      success: false,
      errors: [{ code: 81044, message: 'Record does not exist.' }],
      messages: [],
    });
  });
});

describe('who calls', () => {
  const strangers = [
    { name: 'no credential', headers: {}, path: '/zones', status: 400, codes: [9106] },
    {
      name: 'a malformed bearer',
      headers: { authorization: 'Token abc' },
      path: '/zones',
      status: 400,
      codes: [6003, 6111],
    },
    {
      name: 'an unknown token at zones',
      headers: { authorization: 'Bearer nobody' },
      path: '/zones',
      status: 403,
      codes: [9109],
    },
    {
      name: 'an unknown token elsewhere',
      headers: { authorization: 'Bearer nobody' },
      path: '/accounts',
      status: 401,
      codes: [10000],
    },
    {
      name: 'an unknown token to verify',
      headers: { authorization: 'Bearer nobody' },
      path: '/user/tokens/verify',
      status: 401,
      codes: [1000],
    },
    {
      name: 'a key without an email',
      headers: { 'x-auth-key': 'k' },
      path: '/zones',
      status: 400,
      codes: [6003, 6102],
    },
    {
      name: 'an email without a key',
      headers: { 'x-auth-email': 'e' },
      path: '/zones',
      status: 400,
      codes: [6003, 6103],
    },
    {
      name: 'an unknown key',
      headers: { 'x-auth-email': 'e', 'x-auth-key': 'k' },
      path: '/zones',
      status: 403,
      codes: [9103],
    },
  ];
  for (const { name, headers, path, status, codes } of strangers) {
    test(`${name} is refused with ${codes.join(' and ')}`, async () => {
      const { call } = await startTestSim();
      expect(await call('GET', path, undefined, { headers })).toMatchObject({ status, codes });
    });
  }

  test('the global key may do everything', async () => {
    const { call } = await startTestSim({ user: { email: 'me@example.com', key: 'abc' } });
    const headers = { 'x-auth-email': 'me@example.com', 'x-auth-key': 'abc' };
    expect((await call('GET', '/zones', undefined, { headers })).result).toHaveLength(2);
    expect(await call('GET', '/user/tokens/verify', undefined, { headers })).toMatchObject({
      status: 400,
      codes: [1001],
    });
  });

  test('a token is verified where it belongs: at its user or at its account', async () => {
    const { call, sim, account } = await startTestSim();
    sim.credentials.add({ value: limited, accountOwner: sim.accountId });
    expect((await call('GET', '/user/tokens/verify')).result).toMatchObject({ status: 'active' });
    expect((await call('GET', `${account}/tokens/verify`)).codes).toEqual([1000]);
    expect((await call('GET', `${account}/tokens/verify`, undefined, { token: limited })).result).toMatchObject({
      status: 'active',
    });
    expect((await call('GET', '/user/tokens/verify', undefined, { token: limited })).codes).toEqual([1000]);
    expect((await call('GET', '/user', undefined, { token: limited })).codes).toEqual([9109]);
  });

  test('a user is told the accounts that it is a member of; a token of an account has no user', async () => {
    const { call, sim } = await startTestSim();
    sim.credentials.add({ value: limited, accountOwner: sim.accountId });
    const memberships = await call('GET', '/memberships');
    expect(memberships.result).toMatchObject([{ status: 'accepted', account: { id: sim.accountId } }]);
    expect((await call('GET', '/memberships?status=pending')).result).toEqual([]);
    expect((await call('GET', '/memberships?account.name=Nobody')).result).toEqual([]);
    expect((await call('GET', '/memberships', undefined, { token: limited })).codes).toEqual([9109]);
  });

  test('a token that is disabled, past its time or revoked is nobody; verify still tells the first two', async () => {
    const { call, sim, clock } = await startTestSim();
    const expiresOn = new Date(clock.now() + 1000).toISOString();
    const { id } = sim.credentials.add({ value: limited, expiresOn });
    expect((await call('GET', '/zones', undefined, { token: limited })).status).toBe(200);
    await clock.advance(1000);
    expect((await call('GET', '/zones', undefined, { token: limited })).codes).toEqual([9109]);
    expect((await call('GET', '/user/tokens/verify', undefined, { token: limited })).result).toMatchObject({
      status: 'expired',
    });
    sim.credentials.add({ value: limited, status: 'disabled' });
    expect((await call('GET', '/user/tokens/verify', undefined, { token: limited })).result).toMatchObject({
      status: 'disabled',
    });
    sim.credentials.revoke(id);
    expect((await call('GET', '/user/tokens/verify', undefined, { token: limited })).codes).toEqual([1000]);
  });
});

describe('what a token may do', () => {
  const other = 'f'.repeat(32);
  const rows = [
    { name: 'reads with the read group', permissions: ['DNS Read'], method: 'GET', status: 200, codes: [] },
    { name: 'reads with the write group', permissions: ['DNS Write'], method: 'GET', status: 200, codes: [] },
    {
      name: 'does not write with the read group',
      permissions: ['DNS Read'],
      method: 'POST',
      status: 403,
      codes: [10000],
    },
    {
      name: 'does nothing with the group of another product',
      permissions: ['Zone Write'],
      method: 'GET',
      status: 403,
      codes: [10000],
    },
  ];
  for (const { name, permissions, method, status, codes } of rows) {
    test(`it ${name}`, async () => {
      const { call, sim, free } = await startTestSim();
      sim.credentials.add({ value: limited, permissions });
      const body = method === 'POST' ? { type: 'A', name: '@', content: '192.0.2.1' } : undefined;
      expect(await call(method, `/zones/${free}/dns_records`, body, { token: limited })).toMatchObject({
        status,
        codes,
      });
    });
  }

  test('a zone that the token cannot see and one that does not exist look the same', async () => {
    const { call, sim, free, paid } = await startTestSim();
    sim.credentials.add({ value: limited, zones: [paid] });
    for (const zone of [free, other]) {
      expect(await call('GET', `/zones/${zone}`, undefined, { token: limited })).toMatchObject({
        status: 403,
        codes: [9109],
      });
    }
    expect((await call('GET', '/zones', undefined, { token: limited })).result).toMatchObject([{ id: paid }]);
  });

  test('an account that the token cannot see and one that does not exist look the same', async () => {
    const { call, sim } = await startTestSim({ accounts: [{ name: 'one' }, { name: 'two' }] });
    sim.credentials.add({ value: limited, accounts: [other] });
    for (const account of [sim.accountId, other]) {
      expect(await call('GET', `/accounts/${account}/cfd_tunnel`, undefined, { token: limited })).toMatchObject({
        status: 403,
        codes: [9109],
      });
    }
    expect((await call('GET', '/accounts', undefined, { token: limited })).result).toEqual([]);
    expect((await call('GET', '/accounts?name=two')).result).toMatchObject([{ name: 'two' }]);
  });

  test('without the Zone group the list of zones is empty', async () => {
    const { call, sim } = await startTestSim();
    sim.credentials.add({ value: limited, permissions: ['DNS Write'] });
    expect(await call('GET', '/zones', undefined, { token: limited })).toMatchObject({ status: 200, result: [] });
  });
});

describe('paths and bodies', () => {
  const rows = [
    { name: 'an unknown path', method: 'GET', path: '/nothing', status: 404, codes: [7003, 7000] },
    { name: 'an empty zone id', method: 'GET', path: '/zones//dns_records', status: 404, codes: [7003, 7000] },
    {
      name: 'a malformed zone id',
      method: 'GET',
      path: '/zones/example.com/dns_records',
      status: 404,
      codes: [7003, 7000],
    },
    {
      name: 'a malformed account id',
      method: 'GET',
      path: '/accounts/me/cfd_tunnel',
      status: 404,
      codes: [7003, 7000],
    },
    { name: 'a method that zones do not have', method: 'PUT', path: '/zones', status: 405, codes: [7001] },
  ];
  for (const { name, method, path, status, codes } of rows) {
    test(`${name} is refused with ${codes.join(' and ')}`, async () => {
      const { call } = await startTestSim();
      expect(await call(method, path)).toMatchObject({ status, codes });
    });
  }

  test('deleting with an empty id meets the collection, which cannot be deleted', async () => {
    const { call, account } = await startTestSim();
    expect(await call('DELETE', `${account}/cfd_tunnel/`)).toMatchObject({ status: 405, codes: [10405] });
  });

  test('a fixed word in a path is never taken for an id', async () => {
    const { call, free } = await startTestSim();
    expect(await call('DELETE', `/zones/${free}/dns_records/batch`)).toMatchObject({ status: 405, codes: [7001] });
  });

  test('a body that is no JSON is refused and changes nothing', async () => {
    const { call, free, sim } = await startTestSim();
    expect(await call('POST', `/zones/${free}/dns_records`, '{"type":')).toMatchObject({ status: 400, codes: [6007] });
    expect(sim.journal.calls().at(-1)).toMatchObject({ changed: false, body: '[not JSON]', errorCodes: [6007] });
  });
});

describe('the rate limit', () => {
  test('every answer tells what is left, and who has used it up waits for the rest of the window', async () => {
    const { call, clock, sim } = await startTestSim({ rateLimit: { quota: 2, windowSeconds: 300 } });
    const first = await call('GET', '/zones');
    expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=300');
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=300');
    expect(first.headers.has('retry-after')).toBe(false);
    await clock.advance(100_000);
    expect((await call('GET', '/nothing')).headers.get('ratelimit')).toBe('"default";r=0;t=200');
    await clock.advance(50_500);
    const refused = await call('POST', '/zones', {});
    expect(refused).toMatchObject({ status: 429, codes: [971] });
    expect(refused.headers.get('retry-after')).toBe('150');
    await clock.advance(149_499);
    expect((await call('GET', '/zones')).status).toBe(429);
    await clock.advance(1);
    expect((await call('GET', '/zones')).status).toBe(200);
    expect(sim.journal.count({ status: 429 })).toBe(2);
  });

  test('a call past the limit uses up no fault', async () => {
    const { call, sim } = await startTestSim({ rateLimit: { quota: 1, windowSeconds: 300 } });
    await call('GET', '/zones');
    sim.faults.arm({ fault: { kind: 'server-error', when: 'before' } });
    expect((await call('GET', '/zones')).status).toBe(429);
    expect(sim.faults.list()).toMatchObject([{ met: 0, hit: 0 }]);
  });

  test('all credentials of a user share one budget, a token of an account has its own', async () => {
    const { call, sim } = await startTestSim({ rateLimit: { quota: 1, windowSeconds: 300 } });
    sim.credentials.add({ value: 'a'.repeat(40) });
    sim.credentials.add({ value: limited, accountOwner: sim.accountId });
    expect((await call('GET', '/zones')).status).toBe(200);
    expect((await call('GET', '/zones', undefined, { token: 'a'.repeat(40) })).status).toBe(429);
    expect((await call('GET', '/zones', undefined, { token: limited })).status).toBe(200);
  });

  test('the real limit is 1,200 calls in five minutes; off, the headers show it untouched', async () => {
    const real = await startTestSim({ rateLimit: 'real' });
    expect((await real.call('GET', '/zones')).headers.get('ratelimit')).toBe('"default";r=1199;t=300');
    const off = await startTestSim();
    expect((await off.call('GET', '/zones')).headers.get('ratelimit')).toBe('"default";r=1200;t=300');
  });
});
