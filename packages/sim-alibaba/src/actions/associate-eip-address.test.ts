import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';

test('binding and unbinding take their time', async () => {
  const { call, describe, clock, allocate } = await startTestSim();
  const id = await allocate();
  await call('AssociateEipAddress', { AllocationId: id, InstanceId: 'i-1', PrivateIpAddress: '10.0.0.1' });
  expect(await describe(id)).toMatchObject({ Status: 'Associating', InstanceId: 'i-1' });
  await clock.advance(3000);
  const bound = { Status: 'InUse', InstanceId: 'i-1', InstanceType: 'EcsInstance', PrivateIpAddress: '10.0.0.1' };
  expect(await describe(id)).toMatchObject(bound);
  await call('UnassociateEipAddress', { AllocationId: id, InstanceId: 'i-1' });
  expect((await describe(id)).Status).toBe('Unassociating');
  await clock.advance(3000);
  expect(await describe(id)).toMatchObject({ Status: 'Available', InstanceId: '' });
});

const bindings: readonly { name: string; params: Record<string, string>; code: string }[] = [
  { name: 'an unknown type', params: { InstanceType: 'Toaster' }, code: 'InvalidInstanceType.ValueNotSupported' },
  { name: 'an unknown mode', params: { Mode: 'X' }, code: 'InvalidParameter' },
  { name: 'an address without its network', params: { InstanceType: 'IpAddress' }, code: 'MissingParameter' },
  { name: 'a server that has one', params: { InstanceId: 'i-taken' }, code: 'InvalidBindingStatus' },
  {
    name: 'a full NAT gateway',
    params: { InstanceType: 'Nat', InstanceId: 'ngw-full' },
    code: 'QuotaExceeded.EipsPerNatGateway',
  },
  { name: 'a NAT gateway', params: { InstanceType: 'Nat', InstanceId: 'ngw-2' }, code: '' },
];
for (const { name, params, code } of bindings) {
  test(`binding to ${name}: ${code || 'done'}`, async () => {
    const { sim, codeOf, allocate } = await startTestSim({ quotas: { eipsPerNatGateway: 1 } });
    sim.dashboard.associate(await allocate(), { instanceId: 'i-taken', instanceType: 'EcsInstance' });
    sim.dashboard.associate(await allocate(), { instanceId: 'ngw-full', instanceType: 'Nat' });
    const id = await allocate();
    expect(await codeOf('AssociateEipAddress', { AllocationId: id, InstanceId: 'i-1', ...params })).toBe(code);
  });
}

for (const InstanceType of ['EcsInstance', 'SlbInstance', 'Nat', 'NetworkInterface', 'HaVip', 'IpAddress']) {
  test(`an address is bound to ${InstanceType}`, async () => {
    const { codeOf, allocate } = await startTestSim();
    const id = await allocate();
    const params = { AllocationId: id, InstanceId: 'x-1', VpcId: 'vpc-1', InstanceType };
    expect(await codeOf('AssociateEipAddress', params)).toBe('');
  });
}

test('a binding is shown as it was asked for', async () => {
  const { call, describe, allocate } = await startTestSim();
  const id = await allocate();
  const at = { VpcId: 'vpc-1', Mode: 'BINDED', InstanceRegionId: 'cn-beijing', InstanceType: 'NetworkInterface' };
  await call('AssociateEipAddress', { AllocationId: id, InstanceId: 'eni-1', ...at });
  const { InstanceRegionId, InstanceType, Mode, VpcId, PrivateIpAddress } = await describe(id);
  expect({ InstanceRegionId, InstanceType, Mode, VpcId, PrivateIpAddress }).toEqual({ ...at, PrivateIpAddress: '' });
});

test('an address is unbound from what it is bound to and nothing else', async () => {
  const { codeOf, allocate, sim } = await startTestSim();
  const id = await allocate();
  sim.dashboard.associate(id, 'nlb-1');
  const params = { AllocationId: id, InstanceId: 'i-other' };
  expect(await codeOf('UnassociateEipAddress', params)).toBe('InvalidInstanceId.NotFound');
});
