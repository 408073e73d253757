import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { Fault } from '../faults/fault-rule.ts';

const action = 'AllocateEipAddress';
const params = { Bandwidth: '10', ClientToken: 't-1' };

test('the same token with the same parameters brings the first answer and no second address', async () => {
  const { call, sim } = await startTestSim();
  const { RequestId: first, ...made } = (await call(action, params)).body;
  const { RequestId: second, ...again } = (await call(action, params)).body;
  expect(again).toEqual(made);
  expect(second).not.toBe(first);
  expect(sim.state.eips()).toHaveLength(1);
  expect(sim.journal.calls()).toMatchObject([
    { changed: true, replayed: false, params },
    { changed: false, replayed: true },
  ]);
});

test('an address that is gone is in the answer all the same', async () => {
  const { call, sim } = await startTestSim();
  const { body } = await call(action, params);
  sim.dashboard.release(body.AllocationId);
  expect((await call(action, params)).body.AllocationId).toBe(body.AllocationId);
  expect(sim.state.eips()).toEqual([]);
});

test('the same token with other parameters is refused', async () => {
  const { call, codeOf, sim } = await startTestSim();
  await call(action, params);
  expect(await codeOf(action, { ...params, Bandwidth: '11' })).toBe('IdempotentParameterMismatch');
  expect(await codeOf(action, { ...params, Name: 'n' })).toBe('IdempotentParameterMismatch');
  expect(sim.state.eips()).toHaveLength(1);
});

test('letters of a token count as they are written; without a token every call is new', async () => {
  const { call, sim } = await startTestSim();
  for (const ClientToken of ['t-1', 'T-1', '', '']) await call(action, { Bandwidth: '10', ClientToken });
  expect(sim.state.eips()).toHaveLength(4);
});

test('while the first call is under way a second one with its token is told so', async () => {
  const { call, codeOf, clock, sim } = await startTestSim({ latencyMs: 100 });
  const first = call(action, params);
  await clock.advance(10);
  const second = codeOf(action, params);
  await clock.advance(200);
  expect((await first).status).toBe(200);
  expect(await second).toBe('LastTokenProcessing');
  expect(sim.state.eips()).toHaveLength(1);
});

test('a refusal is replayed although its reason is gone; a new token is heard', async () => {
  const { codeOf, sim, allocate } = await startTestSim({ quotas: { eips: 1 } });
  const id = await allocate();
  expect(await codeOf(action, params)).toBe('QuotaExceeded.Eip');
  sim.dashboard.release(id);
  expect(await codeOf(action, params)).toBe('QuotaExceeded.Eip');
  expect(await codeOf(action, { ...params, ClientToken: 't-2' })).toBe('');
});

test('a refusal is not replayed where told so', async () => {
  const { codeOf, sim, allocate } = await startTestSim({ quotas: { eips: 1 }, replayRefusals: false });
  const id = await allocate();
  expect(await codeOf(action, params)).toBe('QuotaExceeded.Eip');
  sim.dashboard.release(id);
  expect(await codeOf(action, params)).toBe('');
});

test('a token is forgotten some day', async () => {
  const { call, clock, sim } = await startTestSim({ delays: { tokenMemoryMs: 1000 } });
  await call(action, params);
  await clock.advance(999);
  await call(action, params);
  expect(sim.state.eips()).toHaveLength(1);
  await clock.advance(1);
  await call(action, params);
  expect(sim.state.eips()).toHaveLength(2);
});

test('a token belongs to one account and one action', async () => {
  const accessKeys = [
    { id: 'mine', secret: 's' },
    { id: 'other', secret: 's', accountId: '42' },
  ];
  const { call, codeOf, sim } = await startTestSim({ accessKeys });
  const { AllocationId } = (await call(action, params)).body;
  await call(action, params, { accessKeyId: 'other' });
  expect(sim.state.eips()).toHaveLength(2);
  const bind = { AllocationId, InstanceId: 'i-1', ClientToken: params.ClientToken };
  expect(await codeOf('AssociateEipAddress', bind)).toBe('');
  expect(await codeOf('AssociateEipAddress', bind)).toBe('');
});

const faults: readonly {
  readonly name: string;
  readonly fault: Fault;
  readonly retry: string;
  readonly left: number;
}[] = [
  { name: 'a server error before the effect', fault: { kind: 'server-error', when: 'before' }, retry: '', left: 1 },
  { name: 'a server error after the effect', fault: { kind: 'server-error', when: 'after' }, retry: '', left: 1 },
  { name: 'a page of a gateway after the effect', fault: { kind: 'html', when: 'after' }, retry: '', left: 1 },
  { name: 'throttling', fault: { kind: 'throttled' }, retry: '', left: 1 },
  { name: 'a refusal that does not stick', fault: { kind: 'error', code: 'TaskConflict' }, retry: '', left: 1 },
  {
    name: 'a refusal that sticks',
    fault: { kind: 'error', code: 'TaskConflict', sticks: true },
    retry: 'TaskConflict',
    left: 0,
  },
];
for (const { name, fault, retry, left } of faults) {
  test(`after ${name} the same token brings ${retry || 'exactly one address'}`, async () => {
    const { call, codeOf, sim } = await startTestSim();
    sim.faults.arm({ fault });
    expect((await call(action, params)).status).toBeGreaterThanOrEqual(400);
    expect(await codeOf(action, params)).toBe(retry);
    expect(sim.state.eips()).toHaveLength(left);
  });
}

test('a token that is refused has no effect, also when the answer is lost', async () => {
  const { call, sim } = await startTestSim();
  await call(action, params);
  sim.faults.arm({ fault: { kind: 'dropped', when: 'after' } });
  await expect(call(action, { ...params, Bandwidth: '11' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(sim.state.eips()).toHaveLength(1);
});
