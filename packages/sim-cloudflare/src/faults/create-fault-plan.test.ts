import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';
import type { Fault } from './fault-rule.ts';

const record = { type: 'A', name: 'a', content: '192.0.2.1' };

async function post(sim: TestSim): ReturnType<TestSim['call']> {
  return sim.call('POST', `/zones/${sim.free}/dns_records`, record);
}

function stored({ sim, free }: TestSim): number {
  return sim.state.rows('dns_records', free).length;
}

const answers: readonly { name: string; fault: Fault; status: number; codes: number[]; left: number }[] = [
  { name: 'a 429 without effect', fault: { kind: 'rate-limited' }, status: 429, codes: [971], left: 0 },
  {
    name: 'a 500 before the effect',
    fault: { kind: 'server-error', when: 'before' },
    status: 500,
    codes: [1000],
    left: 0,
  },
  {
    name: 'a 503 after the effect',
    fault: { kind: 'server-error', when: 'after', status: 503 },
    status: 503,
    codes: [1000],
    left: 1,
  },
  { name: 'a page of the edge', fault: { kind: 'html', when: 'before' }, status: 520, codes: [], left: 0 },
  {
    name: 'a page of the edge after the effect',
    fault: { kind: 'html', when: 'after', status: 524 },
    status: 524,
    codes: [],
    left: 1,
  },
  { name: 'success: false with 200', fault: { kind: 'unsuccessful' }, status: 200, codes: [10001], left: 0 },
  {
    name: 'any refusal',
    fault: { kind: 'refusal', status: 403, code: 10000, message: 'no' },
    status: 403,
    codes: [10000],
    left: 0,
  },
];
for (const { name, fault, status, codes, left } of answers) {
  test(`on demand: ${name}, once`, async () => {
    const world = await startTestSim();
    world.sim.faults.arm({ match: { method: 'POST' }, fault });
    expect(await post(world)).toMatchObject({ status, codes });
    expect(stored(world)).toBe(left);
    expect(world.sim.journal.calls().at(-1)).toMatchObject({ status, changed: left === 1, faults: [fault.kind] });
    expect((await post(world)).status).toBe(left === 1 ? 400 : 200);
  });
}

test('a 429 carries Retry-After only when asked to', async () => {
  const world = await startTestSim();
  world.sim.faults.arm({ fault: { kind: 'rate-limited', retryAfterSeconds: 7 } });
  expect((await post(world)).headers.get('retry-after')).toBe('7');
  world.sim.faults.arm({ fault: { kind: 'rate-limited' } });
  expect((await post(world)).headers.has('retry-after')).toBe(false);
});

test('a page of the edge is HTML', async () => {
  const world = await startTestSim();
  world.sim.faults.arm({ fault: { kind: 'html', when: 'before' } });
  expect((await post(world)).headers.get('content-type')).toBe('text/html; charset=UTF-8');
});

for (const { when, left } of [
  { when: 'before' as const, left: 0 },
  { when: 'after' as const, left: 1 },
]) {
  test(`a connection that breaks ${when} the effect`, async () => {
    const world = await startTestSim();
    world.sim.faults.arm({ fault: { kind: 'dropped', when } });
    await expect(post(world)).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect(stored(world)).toBe(left);
    expect(world.sim.journal.calls().at(-1)).toMatchObject({ status: 0, changed: left === 1 });
  });

  test(`the caller dies ${when} its third write: it is told nothing more`, async () => {
    let crashed = 0;
    const world = await startTestSim({ onCrash: () => void (crashed += 1) });
    world.sim.faults.arm({ match: { write: true }, skip: 2, fault: { kind: 'crash', when } });
    for (const name of ['x', 'y']) await world.call('POST', `/zones/${world.free}/dns_records`, { ...record, name });
    await world.call('GET', '/zones');
    expect(crashed).toBe(0);
    let settled = false;
    void post(world).finally(() => void (settled = true));
    await world.clock.settle();
    expect({ crashed, settled, stored: stored(world) }).toEqual({ crashed: 1, settled: false, stored: 2 + left });
  });
}

test('a rule matches by method, path, family, kind of call and token, and lets the first ones pass', async () => {
  const world = await startTestSim();
  const { sim, call, free } = world;
  const fault: Fault = { kind: 'refusal', status: 418, code: 1, message: 'hit' };
  const status = async (rule: Parameters<typeof sim.faults.arm>[0]): Promise<number> => {
    const id = sim.faults.arm(rule);
    const answer = await call('GET', `/zones/${free}/dns_records?per_page=5`);
    sim.faults.disarm(id);
    return answer.status;
  };
  expect(await status({ fault, match: { method: ['PUT', 'GET'] } })).toBe(418);
  expect(await status({ fault, match: { method: 'PUT' } })).toBe(200);
  expect(await status({ fault, match: { path: '/zones/*/dns_records' } })).toBe(418);
  expect(await status({ fault, match: { path: '/zones/*/settings' } })).toBe(200);
  expect(await status({ fault, match: { family: 'dns' } })).toBe(418);
  expect(await status({ fault, match: { family: 'zones' } })).toBe(200);
  expect(await status({ fault, match: { write: false } })).toBe(418);
  expect(await status({ fault, match: { write: true } })).toBe(200);
  expect(await status({ fault, match: { tokenId: 'another' } })).toBe(200);
  expect(await status({ fault, skip: 1 })).toBe(200);
});

test('a rule hits as often as it says; a chance is drawn from the given randomness', async () => {
  const draws = [0.1, 0.9, 0.1];
  const world = await startTestSim({ random: () => draws[0] ?? 0 });
  world.sim.faults.arm({ fault: { kind: 'server-error', when: 'before' }, count: 2 });
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await world.call('GET', '/zones')).status);
  expect(statuses).toEqual([500, 500, 200]);
  world.sim.faults.clear();
  world.sim.faults.arm({ fault: { kind: 'server-error', when: 'before' }, count: 'always', probability: 0.5 });
  const drawn = [];
  for (; draws.length > 0; draws.shift()) drawn.push((await world.call('GET', '/zones')).status);
  expect(drawn).toEqual([500, 200, 500]);
  expect(world.sim.faults.list()).toMatchObject([{ met: 3, hit: 2 }]);
});

test('latency is half before and half after the effect; a fault adds to it', async () => {
  const world = await startTestSim({ latencyMs: 100 });
  world.sim.faults.arm({ fault: { kind: 'latency', ms: 50 } });
  let done = false;
  const answer = post(world).finally(() => void (done = true));
  await world.clock.advance(74);
  expect(stored(world)).toBe(0);
  await world.clock.advance(1);
  expect(stored(world)).toBe(1);
  await world.clock.advance(74);
  expect(done).toBe(false);
  await world.clock.advance(1);
  expect((await answer).status).toBe(200);
  expect(world.sim.journal.calls()).toMatchObject([{ durationMs: 150 }]);
});

test('a call that is aborted on the way has its effect all the same', async () => {
  const world = await startTestSim({ latencyMs: 100 });
  const { sim, free } = world;
  const abort = new AbortController();
  const init = { method: 'POST', headers: { authorization: `Bearer ${sim.token}` }, body: JSON.stringify(record) };
  const answer = sim.fetch(`${sim.url}/zones/${free}/dns_records`, { ...init, signal: abort.signal });
  const refused = answer.catch((error: unknown) => error);
  await world.clock.advance(10);
  abort.abort(new Error('enough'));
  expect(await refused).toMatchObject({ message: 'enough' });
  await world.clock.advance(100);
  expect(stored(world)).toBe(1);
});

test('a slow body comes after its headers', async () => {
  const { sim, clock } = await startTestSim();
  sim.faults.arm({ fault: { kind: 'slow-body', ms: 1000 } });
  const response = await sim.fetch(`${sim.url}/zones`, { headers: { authorization: `Bearer ${sim.token}` } });
  expect(response.status).toBe(200);
  let text = '';
  void response.text().then((body) => void (text = body));
  await clock.advance(999);
  expect(text).toBe('');
  await clock.advance(1);
  expect(text).toContain('"success":true');
});

test('an eventual read shows the state of a while ago, writes see the truth', async () => {
  const world = await startTestSim();
  const list = async (): Promise<number> => (await world.call('GET', `/zones/${world.free}/dns_records`)).result.length;
  world.sim.faults.arm({ match: { method: 'GET' }, count: 'always', fault: { kind: 'eventual-read', lagMs: 1000 } });
  await post(world);
  expect(await list()).toBe(0);
  expect((await post(world)).codes).toEqual([81058]);
  await world.clock.advance(999);
  expect(await list()).toBe(0);
  await world.clock.advance(1);
  expect(await list()).toBe(1);
});
