import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { createClientPool } from './client-pool.ts';
import type { ClientPool } from './client-pool.ts';
import type { Credential } from './credential.ts';
import { testHeaders } from './testing/test-call.ts';
import type { ApiFetch } from './pipeline/transport.ts';

const token = (name: string): Credential => ({ kind: 'token', token: `token-${name}` });
const idleMs = 600_000;

function start(fetch?: ApiFetch): {
  readonly pool: ClientPool;
  readonly clock: ReturnType<typeof createSimulatedClock>;
} {
  const clock = createSimulatedClock();
  const success: ApiFetch = async () => ({
    status: 200,
    headers: testHeaders({ 'content-type': 'application/json' }),
    text: async () => '{"success":true,"errors":[],"result":{}}',
  });
  const pool = createClientPool({ baseUrl: 'https://api.example/v4', idleMs }, { fetch: fetch ?? success, clock });
  return { pool, clock };
}

test('a credential has one client, and with it one budget', async () => {
  const { pool } = start();
  const client = pool.clientFor(token('a'));
  expect(pool.clientFor({ ...token('a') })).toBe(client);
  expect(pool.clientFor(token('b'))).not.toBe(client);
  await client.zones.get({ zone_id: 'z' });
  expect(client.budget().remaining).toBe(1199);
  expect(pool.clientFor(token('b')).budget().remaining).toBe(1200);
  expect(pool.size()).toBe(2);
});

test('a client that nobody asks for is closed, one that is asked for stays', async () => {
  const { pool, clock } = start();
  const unused = pool.clientFor(token('a'));
  const used = pool.clientFor(token('b'));
  await clock.advance(idleMs - 1);
  pool.clientFor(token('b'));
  await clock.advance(1);
  expect(pool.size()).toBe(1);
  await expect(unused.zones.get({ zone_id: 'z' })).rejects.toMatchObject({ code: 'cloudflare/closed' });
  expect(pool.clientFor(token('b'))).toBe(used);
  await clock.runUntilIdle();
  expect(pool.size()).toBe(0);
});

test('a client with a call under way, or in a pause, is kept', async () => {
  const waiting = Promise.withResolvers<Awaited<ReturnType<ApiFetch>>>();
  const { pool, clock } = start(async () => waiting.promise);
  const client = pool.clientFor(token('a'));
  const call = Promise.resolve(client.zones.get({ zone_id: 'z' }, { timeout: 10 * idleMs })).catch((e: unknown) => e);
  await clock.advance(2 * idleMs);
  expect(pool.size()).toBe(1);
  const headers = testHeaders({ 'retry-after': '3600' });
  waiting.resolve({ status: 429, headers, text: async () => '{"success":false,"errors":[]}' });
  expect(await call).toMatchObject({ class: 'rate-limited' });
  await clock.advance(3 * idleMs);
  expect(pool.size()).toBe(1);
  await clock.runUntilIdle();
  expect(pool.size()).toBe(0);
});

test('closing the pool closes every client and leaves no timer', async () => {
  const { pool, clock } = start();
  const client = pool.clientFor(token('a'));
  pool.close();
  await expect(client.zones.get({ zone_id: 'z' })).rejects.toMatchObject({ code: 'cloudflare/closed' });
  expect(pool.size()).toBe(0);
  expect(clock.pending()).toBe(0);
  expect(pool.clientFor(token('a'))).not.toBe(client);
  pool.close();
});
