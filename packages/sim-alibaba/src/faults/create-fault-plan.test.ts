import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { Fault, FaultRule } from './fault-rule.ts';

const action = 'AllocateEipAddress';

const answers: readonly {
  readonly name: string;
  readonly fault: Fault;
  readonly seen: object;
  readonly left: number;
}[] = [
  {
    name: 'throttling',
    fault: { kind: 'throttled' },
    seen: { status: 400, body: { Code: 'Throttling.User' } },
    left: 0,
  },
  {
    name: 'throttling in other words',
    fault: { kind: 'throttled', code: 'Rejected.Throttling', status: 503, retryAfterMs: 700 },
    seen: { status: 503, retryAfterMs: 700, body: { Code: 'Rejected.Throttling' } },
    left: 0,
  },
  {
    name: 'any refusal',
    fault: { kind: 'error', code: 'Forbidden.RiskControl', status: 403, message: 'no' },
    seen: { status: 403, body: { Code: 'Forbidden.RiskControl', Message: 'no' } },
    left: 0,
  },
  {
    name: 'a server error before the effect',
    fault: { kind: 'server-error', when: 'before' },
    seen: { status: 500, body: { Code: 'InternalError' } },
    left: 0,
  },
  {
    name: 'another one after it',
    fault: { kind: 'server-error', when: 'after', status: 503, code: 'ServiceUnavailable' },
    seen: { status: 503, body: { Code: 'ServiceUnavailable' } },
    left: 1,
  },
  {
    name: 'a page of a gateway',
    fault: { kind: 'html', when: 'before' },
    seen: { status: 502, body: expect.stringMatching(/^<html>/) as string, headers: { 'content-type': 'text/html' } },
    left: 0,
  },
  {
    name: 'a page after the effect',
    fault: { kind: 'html', when: 'after', status: 504 },
    seen: { status: 504 },
    left: 1,
  },
];
for (const { name, fault, seen, left } of answers) {
  test(`on demand: ${name}, once`, async () => {
    const { sim, call } = await startTestSim();
    sim.faults.arm({ match: { action }, fault });
    expect(await call(action)).toMatchObject(seen);
    expect(sim.state.eips()).toHaveLength(left);
    expect(sim.journal.calls()).toMatchObject([{ changed: left === 1, faults: [fault.kind] }]);
    expect((await call(action)).status).toBe(200);
  });
}

for (const { when, left } of [
  { when: 'before' as const, left: 0 },
  { when: 'after' as const, left: 1 },
]) {
  test(`a connection that breaks ${when} the effect is an error of the network`, async () => {
    const { sim, call } = await startTestSim();
    sim.faults.arm({ fault: { kind: 'dropped', when } });
    await expect(call(action)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sim.state.eips()).toHaveLength(left);
    expect(sim.journal.calls()).toMatchObject([{ status: 0, changed: left === 1 }]);
  });

  test(`a call that hangs ${when} the effect ends when its caller gives up`, async () => {
    const { sim, call, clock } = await startTestSim();
    sim.faults.arm({ fault: { kind: 'hang', when } });
    const patience = new AbortController();
    let settled = false;
    const waiting = call(action, {}, { signal: patience.signal });
    const ended = waiting.then(
      () => 'answered',
      (error: Error) => error.message,
    );
    void ended.finally(() => void (settled = true));
    await clock.advance(600_000);
    expect(settled).toBe(false);
    patience.abort(new Error('enough'));
    expect(await ended).toBe('enough');
    expect(sim.state.eips()).toHaveLength(left);
  });

  test(`the caller dies ${when} its third write: it is told nothing more`, async () => {
    let crashed = 0;
    const { sim, call, clock } = await startTestSim({ onCrash: () => void (crashed += 1) });
    sim.faults.arm({ match: { write: true }, skip: 2, fault: { kind: 'crash', when } });
    for (let made = 0; made < 2; made += 1) await call(action);
    await call('DescribeEipAddresses');
    expect(crashed).toBe(0);
    let settled = false;
    void call(action).finally(() => void (settled = true));
    await clock.settle();
    expect({ crashed, settled, made: sim.state.eips().length }).toEqual({ crashed: 1, settled: false, made: 2 + left });
  });
}

test('a rule matches by action, parameters, kind of call and key, and lets the first ones pass', async () => {
  const { sim, codeOf, call } = await startTestSim();
  const fault: Fault = { kind: 'error', code: 'Hit' };
  const met = async (rule: Omit<FaultRule, 'fault'>): Promise<boolean> => {
    const id = sim.faults.arm({ ...rule, fault });
    const code = await codeOf('DescribeEipAddresses', { AllocationId: 'eip-1' });
    sim.faults.disarm(id);
    return code === 'Hit';
  };
  expect(await met({})).toBe(true);
  expect(await met({ match: { action: ['ReleaseEipAddress', 'DescribeEipAddresses'] } })).toBe(true);
  expect(await met({ match: { action } })).toBe(false);
  expect(await met({ match: { params: { AllocationId: 'eip-1' } } })).toBe(true);
  expect(await met({ match: { params: { AllocationId: 'eip-2' } } })).toBe(false);
  expect(await met({ match: { write: false } })).toBe(true);
  expect(await met({ match: { write: true } })).toBe(false);
  expect(await met({ match: { accessKeyId: sim.accessKeyId } })).toBe(true);
  expect(await met({ match: { accessKeyId: 'other' } })).toBe(false);
  expect(await met({ skip: 1 })).toBe(false);
  sim.faults.arm({ fault, match: { write: true } });
  sim.faults.clear();
  expect((await call(action)).status).toBe(200);
});

test('a rule hits as often as it says; a chance is drawn from the given randomness', async () => {
  const draws = [0.1, 0.9, 0.1];
  const { sim, codeOf } = await startTestSim({ random: () => draws[0] ?? 0 });
  sim.faults.arm({ fault: { kind: 'error', code: 'Hit' }, times: 2 });
  const codes = [];
  for (let call = 0; call < 3; call += 1) codes.push(await codeOf('DescribeEipAddresses'));
  expect(codes).toEqual(['Hit', 'Hit', '']);
  sim.faults.clear();
  sim.faults.arm({ fault: { kind: 'error', code: 'Hit' }, times: 'always', chance: 0.5 });
  const drawn = [];
  for (; draws.length > 0; draws.shift()) drawn.push(await codeOf('DescribeEipAddresses'));
  expect(drawn).toEqual(['Hit', '', 'Hit']);
  expect(sim.faults.list()).toMatchObject([{ met: 3, hit: 2 }]);
});

test('latency is half before and half after the effect; a fault adds to it', async () => {
  const { sim, call, clock } = await startTestSim({ latencyMs: 100 });
  sim.faults.arm({ fault: { kind: 'latency', ms: 50 } });
  let done = false;
  const answer = call(action).finally(() => void (done = true));
  await clock.advance(74);
  expect(sim.state.eips()).toHaveLength(0);
  await clock.advance(1);
  expect(sim.state.eips()).toHaveLength(1);
  await clock.advance(74);
  expect(done).toBe(false);
  await clock.advance(1);
  expect((await answer).status).toBe(200);
  expect(sim.journal.calls()).toMatchObject([{ durationMs: 150 }]);
});

test('a call that its caller gives up on has its effect all the same', async () => {
  const { sim, call, clock } = await startTestSim({ latencyMs: 100 });
  const patience = new AbortController();
  const answer = call(action, {}, { signal: patience.signal });
  const refused = answer.catch((error: unknown) => error);
  await clock.advance(10);
  patience.abort(new Error('enough'));
  expect(await refused).toMatchObject({ message: 'enough' });
  await clock.advance(100);
  expect(sim.state.eips()).toHaveLength(1);
});
