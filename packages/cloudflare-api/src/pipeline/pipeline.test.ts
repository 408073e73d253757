import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CloudflareClientOptions } from '../create-cloudflare-client.ts';
import { isCloudflareError } from '../errors/cloudflare-error.ts';
import { ok, refused } from '../testing/stub-server.ts';
import type { Responder } from '../testing/stub-server.ts';
import { startTestWorld } from '../testing/test-client.ts';
import type { TestWorld } from '../testing/test-client.ts';
import type { Layer } from './call.ts';

let clock: SimulatedClock;
let world: TestWorld | undefined;
beforeEach(() => (clock = createSimulatedClock()));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(
  respond: Responder,
  options?: Partial<CloudflareClientOptions>,
  faults?: Layer,
): Promise<TestWorld> {
  world = await startTestWorld(respond, { clock, ...(faults && { faults }) }, options);
  return world;
}

async function classOf(work: PromiseLike<unknown>): Promise<string> {
  return Promise.resolve(work).then(
    () => 'ok',
    (error: unknown) => (isCloudflareError(error) ? error.class : String(error)),
  );
}

const zone = { zone_id: 'z1' };

test('a rate limit silences the credential at every priority until the API’s time, and is logged once', async () => {
  const replies = [refused(429, 10000, 'slow down', { 'retry-after': '120' }), ok({ id: 1 }), ok({ id: 2 })];
  const { client, server, lines, budgets, waits } = await start(() => replies.shift()!);
  expect(await classOf(client.zones.get(zone))).toBe('rate-limited');
  expect(budgets.at(-1)).toMatchObject({ remaining: 0, pausedForMs: 120_000 });
  const later = [client.zones.get(zone), client.withPriority('drift').zones.get(zone)];
  await clock.advance(119_999);
  expect(server.seen).toHaveLength(1);
  await clock.advance(1);
  await Promise.all(later);
  expect(server.seen).toHaveLength(3);
  expect(waits.slice(1)).toEqual([
    { priority: 'change', waitedMs: 120_000 },
    { priority: 'drift', waitedMs: 120_000 },
  ]);
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      fields: { credentialId: client.credentialId, pauseMs: 120_000, path: '/zones/z1' },
      message: 'Cloudflare asks us to slow down',
    },
  ]);
});

test('a limit that comes with another status, by code or by its words, silences the credential too', async () => {
  const replies = [refused(400, 971, 'please wait'), refused(403, 10000, 'You are being rate limited')];
  const { client } = await start(() => replies.shift()!);
  expect(await classOf(client.zones.get(zone))).toBe('rate-limited');
  expect(client.budget().pausedForMs).toBe(60_000);
  await clock.advance(60_000);
  expect(await classOf(client.zones.get(zone))).toBe('rate-limited');
  expect(client.budget().pausedForMs).toBe(60_000);
});

test('the budget of all priorities is one, and follows the headers of every answer', async () => {
  const headers = { ratelimit: '"default";r=3;t=60', 'ratelimit-policy': '"default";q=5;w=60' };
  const { client } = await start(() => ({ ...ok({}), headers }));
  await client.withPriority('deletion').zones.get(zone);
  expect(client.budget()).toMatchObject({ quota: 5, windowMs: 60_000, remaining: 3, inFlight: 0 });
  expect(client.withPriority('drift').budget()).toEqual(client.budget());
});

test('a waiting call can be aborted and is never sent', async () => {
  const { client, server } = await start(() => ok({}), { budget: { quota: 1, windowMs: 60_000 } });
  await client.zones.get(zone);
  const controller = new AbortController();
  const waiting = classOf(client.zones.get(zone, { signal: controller.signal }));
  await clock.settle();
  controller.abort(new Error('stop'));
  expect(await waiting).toBe('Error: stop');
  await clock.advance(120_000);
  expect(server.seen).toHaveLength(1);
});

test('every call is counted by product, method, status and outcome', async () => {
  const replies = [ok([]), refused(404, 81044, 'gone'), refused(200, 1004, 'bad')];
  const { client, calls } = await start(() => replies.shift()!);
  await classOf(client.zones.list());
  await classOf(client.dns.records.delete('r1', zone));
  await classOf(client.dns.records.create({ ...zone, type: 'A', name: 'a', ttl: 1, content: 'x' }));
  expect(calls.map((call) => [call.family, call.method, call.status, call.class])).toEqual([
    ['zones', 'GET', 200, 'ok'],
    ['dns', 'DELETE', 404, 'not-found'],
    ['dns', 'POST', 200, 'validation'],
  ]);
});

test('the duration leaves out the wait for the budget', async () => {
  const slow: Layer = (next) => async (call) => {
    await new Promise<void>((resolve) => void clock.after(250, resolve));
    return next(call);
  };
  const { client, calls, waits } = await start(() => ok({}), { budget: { quota: 1, windowMs: 1000 } }, slow);
  const both = Promise.all([client.zones.get(zone), client.zones.get(zone)]);
  await clock.runUntil(() => calls.length === 2);
  await both;
  expect(calls.map(({ durationMs }) => durationMs)).toEqual([250, 250]);
  expect(waits.map(({ waitedMs }) => waitedMs)).toEqual([0, 1000]);
});

test('the log tells of each call what is no secret, and nothing of headers, bodies and values', async () => {
  const { client, lines } = await start(() => ({ ...ok({ token: 'SECRET-RESULT' }), headers: { 'cf-ray': 'ray1' } }));
  const tunnel = { account_id: 'a1', name: 'web', tunnel_secret: 'SECRET-BODY', config_src: 'cloudflare' } as const;
  await client.zeroTrust.tunnels.cloudflared.create(tunnel, { query: { hint: 'SECRET-QUERY' } });
  expect(lines).toEqual([
    {
      level: 'debug',
      message: 'call to Cloudflare',
      fields: {
        credentialId: client.credentialId,
        method: 'POST',
        path: '/accounts/a1/cfd_tunnel',
        query: ['hint'],
        priority: 'change',
        status: 200,
        class: 'ok',
        apiCode: undefined,
        requestId: 'ray1',
        durationMs: 0,
      },
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/SECRET|secret-token/u);
});

test('neither credential nor what a request carried is in an error, in the log, or in a metric', async () => {
  const echo: Responder = ({ headers, body }) => {
    const { tunnel_secret: carried } = JSON.parse(body) as { tunnel_secret: string };
    return refused(400, 1004, `bad ${headers.authorization} in ${body}, ${carried} is too short`);
  };
  const { client, lines, calls, budgets } = await start(echo);
  const secret = 'cGxlYXNlIGRvIG5vdCBsb29r';
  const params = { account_id: 'a1', name: 'visible-name', tunnel_secret: secret };
  const error = await Promise.resolve(client.zeroTrust.tunnels.cloudflared.create(params)).catch((e: unknown) => e);
  const shown = JSON.stringify([error, (error as Error).message, (error as Error).stack, lines, calls, budgets]);
  expect(shown).toContain('visible-name');
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain('secret-token-of-the-tests');
});

test('a fault next to the network is judged like the network: the answer is lost after the effect', async () => {
  const lose: Layer = (next) => async (call) => {
    const answer = await next(call);
    if (call.method === 'POST') throw new Error('socket hang up');
    return answer;
  };
  const { client, server, calls } = await start(() => ok({ id: 'n1' }), {}, lose);
  const error = await Promise.resolve(
    client.zeroTrust.networks.virtualNetworks.create({ account_id: 'a1', name: 'n' }),
  ).catch((e: unknown) => e);
  expect(error).toMatchObject({ class: 'transient', effect: 'unknown', detail: 'no answer came: socket hang up' });
  expect(server.seen).toHaveLength(1);
  expect(calls).toMatchObject([{ status: 0, class: 'transient' }]);
  expect(client.budget().inFlight).toBe(0);
});
