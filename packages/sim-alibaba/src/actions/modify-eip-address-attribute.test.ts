import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';

const changes: readonly { name: string; params: Record<string, string>; code: string; seen: object }[] = [
  { name: 'the bandwidth', params: { Bandwidth: '200' }, code: '', seen: { Bandwidth: '200', Name: 'old' } },
  {
    name: 'name and description',
    params: { Name: 'a', Description: 'b' },
    code: '',
    seen: { Name: 'a', Description: 'b', Bandwidth: '5' },
  },
  { name: 'too much bandwidth', params: { Bandwidth: '201' }, code: 'InvalidParameter', seen: { Bandwidth: '5' } },
  {
    name: 'a bandwidth in words',
    params: { Bandwidth: 'x', Name: 'a' },
    code: 'InvalidBandwidth.Malformed',
    seen: { Name: 'old' },
  },
  {
    name: 'a name that is a page',
    params: { Bandwidth: '9', Name: 'http://x' },
    code: 'InvalidParameter',
    seen: { Bandwidth: '5' },
  },
];
for (const { name, params, code, seen } of changes) {
  test(`changing ${name}: ${code || 'done'}`, async () => {
    const { codeOf, describe, allocate } = await startTestSim();
    const id = await allocate({ Name: 'old' });
    expect(await codeOf('ModifyEipAddressAttribute', { AllocationId: id, ...params })).toBe(code);
    expect(await describe(id)).toMatchObject(seen);
  });
}

test('a change to what is there already changes nothing', async () => {
  const { call, sim, allocate } = await startTestSim();
  const id = await allocate({ Bandwidth: '7' });
  await call('ModifyEipAddressAttribute', { AllocationId: id, Bandwidth: '7' });
  await call('ModifyEipAddressAttribute', { AllocationId: id, Bandwidth: '8' });
  expect(sim.journal.calls({ action: 'ModifyEipAddressAttribute' })).toMatchObject([
    { changed: false },
    { changed: true },
  ]);
});

test('the bandwidth of a prepaid address stays as it is, its name does not', async () => {
  const { codeOf, sim, allocate } = await startTestSim();
  const AllocationId = await allocate();
  sim.dashboard.change(AllocationId, { chargeType: 'PrePaid' });
  expect(await codeOf('ModifyEipAddressAttribute', { AllocationId, Bandwidth: '9' })).toBe(
    'Forbidden.ChargeTypeIsPrepaid',
  );
  expect(await codeOf('ModifyEipAddressAttribute', { AllocationId, Name: 'n' })).toBe('');
});
