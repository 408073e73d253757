import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCloudflareClient } from './create-cloudflare-client.ts';
import type { CloudflareClientDeps, CloudflareClientOptions } from './create-cloudflare-client.ts';
import { CloudflareError } from './errors/cloudflare-error.ts';
import type { Layer } from './pipeline/call.ts';
import type { ApiFetch } from './pipeline/transport.ts';
import { testHeaders } from './testing/test-call.ts';
import { reasonOf } from './testing/reason-of.ts';
import { ok, refused } from './testing/stub-server.ts';
import type { Responder } from './testing/stub-server.ts';
import { startTestWorld, testToken } from './testing/test-client.ts';
import type { TestWorld } from './testing/test-client.ts';

let clock: SimulatedClock;
let world: TestWorld | undefined;
beforeEach(() => (clock = createSimulatedClock()));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(
  respond: Responder,
  options: Partial<CloudflareClientOptions> = {},
  deps: Pick<CloudflareClientDeps, 'faults'> = {},
): Promise<TestWorld> {
  world = await startTestWorld(respond, { clock, ...deps }, options);
  return world;
}

async function failureOf(work: PromiseLike<unknown>): Promise<CloudflareError> {
  const error = await reasonOf(work);
  if (!(error instanceof CloudflareError)) throw new Error('not a CloudflareError', { cause: error });
  return error;
}

const zone = { zone_id: 'z1' };

describe('what goes out', () => {
  test('every resource that the operator needs stands at its usual place', async () => {
    const { client, server } = await start(() => ok([]));
    const account = { account_id: 'a1' };
    const { tunnels, networks } = client.zeroTrust;
    await client.accounts.list();
    await client.accounts.tokens.verify(account);
    await client.user.tokens.verify();
    await client.zones.list({ name: 'example.com' });
    await client.zones.settings.get('ssl', zone);
    await client.dns.records.list(zone);
    await client.dns.records.batch({ ...zone, deletes: [{ id: 'r1' }] });
    await tunnels.list(account);
    await tunnels.cloudflared.get('t1', account);
    await tunnels.cloudflared.token.get('t1', account);
    await tunnels.cloudflared.connections.get('t1', account);
    await tunnels.cloudflared.configurations.get('t1', account);
    await tunnels.warpConnector.get('w1', account);
    await tunnels.warpConnector.token.get('w1', account);
    await tunnels.warpConnector.connections.get('w1', account);
    await networks.virtualNetworks.list(account);
    await networks.routes.list(account);
    await networks.hostnameRoutes.list(account);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /accounts',
      'GET /accounts/a1/tokens/verify',
      'GET /user/tokens/verify',
      'GET /zones',
      'GET /zones/z1/settings/ssl',
      'GET /zones/z1/dns_records',
      'POST /zones/z1/dns_records/batch',
      'GET /accounts/a1/tunnels',
      'GET /accounts/a1/cfd_tunnel/t1',
      'GET /accounts/a1/cfd_tunnel/t1/token',
      'GET /accounts/a1/cfd_tunnel/t1/connections',
      'GET /accounts/a1/cfd_tunnel/t1/configurations',
      'GET /accounts/a1/warp_connector/w1',
      'GET /accounts/a1/warp_connector/w1/token',
      'GET /accounts/a1/warp_connector/w1/connections',
      'GET /accounts/a1/teamnet/virtual_networks',
      'GET /accounts/a1/teamnet/routes',
      'GET /accounts/a1/zerotrust/routes/hostname',
    ]);
  });

  test('a token goes out as bearer, with a pinned version of the API and none of the SDK’s own headers', async () => {
    const { client, server } = await start(() => ok({}), { userAgent: 'tributary/1.2.3' });
    await client.zones.get(zone);
    const { headers } = server.seen[0]!;
    expect(headers.authorization).toBe('Bearer v1.0-secret-token-of-the-tests');
    expect(headers['api-version']).toBe('2026-10-15');
    expect(headers['user-agent']).toBe('tributary/1.2.3');
    expect(Object.keys(headers).filter((name) => /^x-(auth|stainless)/u.test(name))).toEqual([]);
  });

  test('a key goes out with its e-mail address and without a bearer', async () => {
    const { client, server } = await start(() => ok({}), {
      credential: { kind: 'key', key: 'k'.repeat(37), email: 'me@example.com' },
    });
    await client.zones.get(zone);
    const { headers } = server.seen[0]!;
    expect(headers['x-auth-key']).toBe('k'.repeat(37));
    expect(headers['x-auth-email']).toBe('me@example.com');
    expect(headers.authorization).toBeUndefined();
  });

  test('nothing of the environment goes out or decides where calls go', async () => {
    const planted = {
      CLOUDFLARE_API_TOKEN: 'leak-token',
      CLOUDFLARE_API_KEY: 'leak-key',
      CLOUDFLARE_EMAIL: 'leak@example.com',
      CLOUDFLARE_API_USER_SERVICE_KEY: 'leak-service',
      CLOUDFLARE_BASE_URL: 'http://127.0.0.1:9/leak',
      CLOUDFLARE_LOG: 'debug',
      CLOUDFLARE_CUSTOM_HEADERS: 'x-leak: leak\nauthorization: Bearer leak\ncf-r2-jurisdiction: leak\nuser-agent: leak',
    };
    const before = { ...process.env };
    Object.assign(process.env, planted);
    try {
      const { client, server } = await start(() => ok([], { page: 1, total_pages: 1 }));
      await client.zones.list();
      await client.withPriority('drift').post('/zones', { body: { name: 'example.com' } });
      for (const request of server.seen) expect(JSON.stringify(request.headers)).not.toContain('leak');
      expect(server.seen).toHaveLength(2);
      expect(client).toMatchObject({ apiToken: null, apiKey: null, apiEmail: null, userServiceKey: null });
      expect(client).toMatchObject({ logLevel: 'off', baseURL: server.baseUrl });
    } finally {
      process.env = before;
    }
  });

  test('the SDK neither retries nor gives up a call that waits, whatever a call asks for', async () => {
    const { client, server } = await start(() => ({ status: 503 }));
    expect(await failureOf(client.zones.get(zone, { maxRetries: 3 }))).toMatchObject({ class: 'transient' });
    expect(server.seen).toHaveLength(1);
    expect(client).toMatchObject({ maxRetries: 0, timeout: 2 ** 31 - 1 });
  });

  test('a base URL may end with slashes', async () => {
    const urls: string[] = [];
    const faults: Layer = () => async (call) => {
      urls.push(`${call.url} ${call.path}`);
      return { status: 204, headers: testHeaders(), text: '', json: undefined };
    };
    const fetch: ApiFetch = async () => Promise.reject(new Error('not reached'));
    const baseUrl = 'https://api.example/v4//';
    const client = createCloudflareClient({ credential: testToken, baseUrl }, { clock, fetch, faults });
    await client.delete('/zones/z1/dns_records/r1');
    expect(urls).toEqual(['https://api.example/v4/zones/z1/dns_records/r1 /zones/z1/dns_records/r1']);
  });

  test('calls share connections', async () => {
    const { client, server } = await start(() => ok({}));
    for (let call = 0; call < 20; call += 1) await client.zones.get(zone);
    expect(server.seen).toHaveLength(20);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('an id that got lost is found out before anything is sent', async () => {
    const { client, server } = await start(() => ok({}));
    const account = { account_id: 'a1' };
    const lost = [
      client.dns.records.delete('', zone),
      client.dns.records.edit('r1', { zone_id: '', name: 'a', ttl: 1, type: 'A' }),
      client.zeroTrust.tunnels.cloudflared.delete('', account),
      client.delete('/zones/z1/dns_records'),
    ];
    for (const call of lost) expect((await failureOf(call)).retry).toEqual({ kind: 'never' });
    expect(server.seen).toEqual([]);
  });

  test('bodies arrive as JSON and queries as the API spells them', async () => {
    const { client, server } = await start(() => ok({ id: 'r1' }));
    await client.dns.records.create({ ...zone, type: 'TXT', name: 'a.example.com', ttl: 1, content: '"x"' });
    await client.zeroTrust.tunnels.cloudflared.delete('t1', { account_id: 'a1' }, { query: { cascade: true } });
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ type: 'TXT', name: 'a.example.com', ttl: 1, content: '"x"' });
    expect(server.seen[0]!.headers['content-type']).toBe('application/json');
    expect(server.seen[1]!.query.get('cascade')).toBe('true');
  });
});

describe('what comes back', () => {
  test('the result of a success, of an empty answer, and of plain text', async () => {
    const replies = [ok({ id: 'z1', name: 'example.com' }), { status: 204 }, { body: '$ORIGIN example.com.' }];
    const { client } = await start(() => replies.shift()!);
    expect(await client.zones.get(zone)).toEqual({ id: 'z1', name: 'example.com' });
    expect(await client.delete('/zones/z1/dns_records/r1')).toBeNull();
    expect(await client.get('/zones/z1/dns_records/export')).toBe('$ORIGIN example.com.');
  });

  test('a refusal is a typed error that says how to go on, and is sent once', async () => {
    const { client, server } = await start(() =>
      refused(409, 1013, 'You already have a tunnel with this name', { 'cf-ray': 'ray1' }),
    );
    const error = await failureOf(client.zeroTrust.tunnels.cloudflared.create({ account_id: 'a1', name: 'web' }));
    expect(error).toMatchObject({
      code: 'cloudflare/already-exists',
      class: 'already-exists',
      family: 'tunnels',
      status: 409,
      apiCode: 1013,
      requestId: 'ray1',
      effect: 'none',
      retry: { kind: 'backoff' },
      detail: 'You already have a tunnel with this name (1013)',
      message: 'POST /accounts/a1/cfd_tunnel was answered 409: You already have a tunnel with this name (1013)',
    });
    expect(server.seen).toHaveLength(1);
  });

  test('a refusal with status 200 is an error too', async () => {
    const { client } = await start(() => refused(200, 81044, 'Record does not exist.'));
    expect(await failureOf(client.dns.records.get('r1', zone))).toMatchObject({ class: 'not-found', status: 200 });
  });

  test('a redirect is not followed: it would take the credential along', async () => {
    const { client, server } = await start(({ path }) =>
      path === '/zones/z1' ? { status: 302, headers: { location: '/client/v4/zones/z2' }, body: '' } : ok({}),
    );
    expect(await failureOf(client.zones.get(zone))).toMatchObject({ class: 'transient', status: 302 });
    expect(server.seen.map(({ path }) => path)).toEqual(['/zones/z1']);
  });

  test('a page of the edge is a disturbance with its title, and may have had an effect', async () => {
    const page = '<!DOCTYPE html><html><head><title>520: unknown error</title></head><body>…</body></html>';
    const { client } = await start(() => ({ status: 520, headers: { 'content-type': 'text/html' }, body: page }));
    const error = await failureOf(
      client.dns.records.create({ ...zone, type: 'A', name: 'a', ttl: 1, content: '192.0.2.1' }),
    );
    expect(error).toMatchObject({
      class: 'transient',
      effect: 'unknown',
      detail: 'a page instead of an answer: 520: unknown error',
    });
  });

  test('a dropped connection leaves the effect of a write unknown, and that of a read none', async () => {
    const { client, server } = await start(() => (response) => void response.destroy());
    const write = await failureOf(client.zeroTrust.networks.virtualNetworks.create({ account_id: 'a1', name: 'n' }));
    expect(write).toMatchObject({ class: 'transient', status: 0, effect: 'unknown', retry: { kind: 'backoff' } });
    expect(write.message).toMatch(/^POST \/accounts\/a1\/teamnet\/virtual_networks: no answer came: /u);
    expect(await failureOf(client.zones.get(zone))).toMatchObject({ class: 'transient', effect: 'none' });
    expect(server.seen).toHaveLength(2);
  });

  test('a server that cannot be reached has done nothing', async () => {
    const { client, server } = await start(() => ok({}));
    await server.close();
    const error = await failureOf(client.dns.records.delete('r1', zone));
    expect(error).toMatchObject({ class: 'transient', effect: 'none' });
    expect(error.detail).toContain('ECONNREFUSED');
  });

  test('an answer that does not begin is given up in time', async () => {
    const { client, server } = await start(() => () => undefined, { timeouts: { answerMs: 5000 } });
    const failure = failureOf(client.zones.get(zone));
    await server.arrived(1);
    await clock.advance(5000);
    expect(await failure).toMatchObject({ class: 'transient', detail: 'no answer came: nothing within 5000 ms' });
  });

  test('a call may ask for another time than the client', async () => {
    const { client, server } = await start(() => () => undefined);
    const failure = failureOf(client.zones.get(zone, { timeout: 1500 }));
    await server.arrived(1);
    await clock.advance(1500);
    expect((await failure).detail).toContain('within 1500 ms');
  });
});
