import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimCloudflare } from '../start-sim-cloudflare.ts';
import type { SimCloudflare } from '../start-sim-cloudflare.ts';

let sim: SimCloudflare;
let root: string;

beforeAll(async () => {
  sim = await startSimCloudflare();
  root = sim.url.replace('/client/v4', '/__sim');
});
afterAll(async () => sim.stop());

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; value: unknown }> {
  const response = await fetch(`${root}${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return { status: response.status, value: await response.json() };
}

async function api(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${sim.token}` };
  return fetch(`${sim.url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

test('tells a client all that it needs to begin', async () => {
  expect((await ask('GET', '/')).value).toEqual({
    url: sim.url,
    accountId: sim.accountId,
    zones: sim.zones,
    token: sim.token,
  });
});

test('shows the journal, filtered and without itself', async () => {
  await ask('DELETE', '/journal');
  await api('GET', '/zones?name=example.com');
  await api('POST', '/zones', { name: 'x', secret: 's' });
  const { value } = await ask('GET', '/journal');
  expect(value).toMatchObject([
    { method: 'GET', path: '/zones', query: 'name=example.com', status: 200, family: 'zones', changed: false },
    { method: 'POST', body: { name: 'x', secret: '[redacted]' }, status: 403, errorCodes: [9109] },
  ]);
  expect((await ask('GET', '/journal?write=true&path=/zones&status=403')).value).toHaveLength(1);
  expect((await ask('GET', `/journal?method=GET&afterSeq=${(value as { seq: number }[])[0]!.seq}`)).value).toEqual([]);
});

test('arms, lists and disarms faults', async () => {
  const { value } = await ask('POST', '/faults', {
    fault: { kind: 'server-error', when: 'before', status: 502 },
    match: { path: '/zones' },
  });
  expect((await api('GET', '/zones')).status).toBe(502);
  expect((await ask('GET', '/faults')).value).toMatchObject([{ ...(value as object), hit: 1 }]);
  await ask('DELETE', `/faults?id=${(value as { id: number }).id}`);
  expect((await ask('GET', '/faults')).value).toEqual([]);
  expect((await ask('POST', '/faults', {})).status).toBe(400);
});

test('plays the dashboard and changes the state past all rules', async () => {
  const zone = sim.zones[0]!.id;
  sim.faults.arm({ fault: { kind: 'server-error', when: 'before' } });
  const made = await ask('POST', '/dashboard', {
    method: 'POST',
    path: `/zones/${zone}/dns_records`,
    body: { type: 'A', name: '@', content: '192.0.2.1' },
  });
  sim.faults.clear();
  expect(made.value).toMatchObject({ status: 200, body: { success: true } });
  expect(sim.journal.calls().at(-1)).toMatchObject({ tokenId: 'dashboard', changed: true });
  const [row] = sim.state.rows('dns_records', zone);
  const id = String(row!['id']);
  await ask('POST', '/state', { table: 'dns_records', scope: zone, id, fields: { content: 'nonsense' } });
  expect((await (await api('GET', `/zones/${zone}/dns_records/${id}`)).json()) as object).toMatchObject({
    result: { content: 'nonsense' },
  });
  await ask('POST', '/state', { table: 'dns_records', scope: zone, id });
  expect((await api('GET', `/zones/${zone}/dns_records/${id}`)).status).toBe(404);
  await ask('POST', '/state', { table: 'dns_records', scope: zone, row: { ...row, id: 'mine' } });
  expect((await ask('GET', '/state')).value).toMatchObject({ dns_records: { [zone]: [{ id: 'mine' }] } });
  expect((await ask('POST', '/state', { table: 'dns_records', scope: zone, id: 'gone' })).status).toBe(404);
  expect((await ask('POST', '/state', { table: 'dns_records' })).status).toBe(400);
});

test('lets replicas come and go', async () => {
  const made = sim.dashboard('POST', `/accounts/${sim.accountId}/cfd_tunnel`, { name: 'web' });
  const { result } = made.body as { result: { id: string; token: string } };
  expect((await ask('POST', '/connectors', { token: result.token })).value).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(sim.state.rows('connectors', result.id)).toHaveLength(1);
  expect((await ask('POST', '/connectors', { token: 'bm9wZQ==' })).status).toBe(401);
  await ask('DELETE', `/connectors?tunnel_id=${result.id}`);
  expect(sim.state.rows('connectors', result.id)).toEqual([]);
});

test('starts again', async () => {
  await api('GET', '/zones');
  sim.faults.arm({ fault: { kind: 'dropped', when: 'before' } });
  await ask('POST', '/reset');
  expect(sim.journal.calls()).toEqual([]);
  expect(sim.faults.list()).toEqual([]);
  expect(sim.state.rows('tunnels', sim.accountId)).toEqual([]);
  expect((await api('GET', '/zones')).status).toBe(200);
});

test('says what it knows when asked for something else, and what is wrong with a body', async () => {
  expect(await ask('GET', '/nothing')).toMatchObject({
    status: 404,
    value: { error: expect.stringContaining('GET /__sim/journal') },
  });
  const broken = await fetch(`${root}/faults`, { method: 'POST', body: '{' });
  expect(broken.status).toBe(400);
});
