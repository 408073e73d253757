import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';

type State = 'Available' | 'InUse' | 'Associating' | 'Unassociating' | 'Releasing' | 'absent';

const slow = { overMs: 60_000 };

/** An address in this state, which stays so for a minute. */
async function startIn(state: State): Promise<TestSim & { readonly id: string; readonly packageId: string }> {
  const world = await startTestSim({ packages: [{ id: 'cbwp-1' }] });
  const { dashboard } = world.sim;
  const id = await world.allocate();
  if (state === 'InUse') dashboard.associate(id, 'nlb-1');
  if (state === 'Associating') dashboard.associate(id, 'nlb-1', slow);
  if (state === 'Unassociating') {
    dashboard.associate(id, 'nlb-1');
    dashboard.unassociate(id, slow);
  }
  if (state === 'Releasing') dashboard.release(id, slow);
  if (state === 'absent') dashboard.release(id);
  return { ...world, id, packageId: 'cbwp-1' };
}

const paramsOf: Readonly<Record<string, (id: string) => Record<string, string>>> = {
  ModifyEipAddressAttribute: (id) => ({ AllocationId: id, Bandwidth: '9' }),
  ReleaseEipAddress: (id) => ({ AllocationId: id }),
  AddCommonBandwidthPackageIp: (id) => ({ BandwidthPackageId: 'cbwp-1', IpInstanceId: id }),
  RemoveCommonBandwidthPackageIp: (id) => ({ BandwidthPackageId: 'cbwp-1', IpInstanceId: id }),
  AssociateEipAddress: (id) => ({ AllocationId: id, InstanceId: 'i-1' }),
  UnassociateEipAddress: (id) => ({ AllocationId: id }),
  TagResources: (id) => ({ ResourceType: 'EIP', 'ResourceId.1': id, 'Tag.1.Key': 'k', 'Tag.1.Value': 'v' }),
  UnTagResources: (id) => ({ ResourceType: 'EIP', 'ResourceId.1': id, 'TagKey.1': 'k' }),
  DeletionProtection: (id) => ({ InstanceId: id, Type: 'EIP', ProtectionEnable: 'true' }),
  MoveResourceGroup: (id) => ({ ResourceId: id, NewResourceGroupId: 'rg-2', ResourceType: 'Eip' }),
};

const states: readonly State[] = ['Available', 'InUse', 'Associating', 'Unassociating', 'Releasing', 'absent'];
const wrong = 'IncorrectEipStatus';
const gone = 'InvalidAllocationId.NotFound';

// In the order of `states`; '' is done, and changes something unless there was nothing to take away.
const matrix: Readonly<Record<string, readonly string[]>> = {
  ModifyEipAddressAttribute: ['', '', wrong, wrong, wrong, gone],
  ReleaseEipAddress: ['', wrong, wrong, wrong, wrong, gone],
  AddCommonBandwidthPackageIp: ['', '', 'IncorrectStatus.Eip', 'IncorrectStatus.Eip', 'IncorrectStatus.Eip', gone],
  RemoveCommonBandwidthPackageIp: ['', '', 'TaskConflict', 'TaskConflict', 'TaskConflict', gone],
  AssociateEipAddress: ['', wrong, wrong, wrong, wrong, gone],
  UnassociateEipAddress: [wrong, '', wrong, wrong, wrong, gone],
  TagResources: ['', '', '', '', '', 'InvalidResourceId.NotFound'],
  UnTagResources: ['', '', '', '', '', 'InvalidResourceId.NotFound'],
  DeletionProtection: ['', '', '', '', '', gone],
  MoveResourceGroup: ['', '', '', '', '', gone],
};

for (const [action, codes] of Object.entries(matrix)) {
  for (const [index, state] of states.entries()) {
    const code = codes[index]!;
    test(`${action} of an address that is ${state}: ${code || 'done'}`, async () => {
      const { call, id, sim, packageId } = await startIn(state);
      if (action === 'RemoveCommonBandwidthPackageIp' && state !== 'absent') sim.dashboard.joinPackage(id, packageId);
      const { status, body } = await call(action, paramsOf[action]!(id));
      expect(body.Code ?? '').toBe(code);
      expect(status).toBe(code === '' ? 200 : code.endsWith('NotFound') ? 404 : 400);
      expect(sim.journal.calls().at(-1)?.changed).toBe(code === '' && action !== 'UnTagResources');
    });
  }
}

const needed: readonly { readonly action: string; readonly names: readonly string[] }[] = [
  { action: 'AllocateEipAddress', names: ['RegionId'] },
  { action: 'DescribeEipAddresses', names: ['RegionId'] },
  { action: 'ReleaseEipAddress', names: ['AllocationId'] },
  { action: 'ModifyEipAddressAttribute', names: ['AllocationId'] },
  { action: 'AddCommonBandwidthPackageIp', names: ['RegionId', 'BandwidthPackageId', 'IpInstanceId'] },
  { action: 'RemoveCommonBandwidthPackageIp', names: ['RegionId', 'BandwidthPackageId', 'IpInstanceId'] },
  { action: 'TagResources', names: ['RegionId', 'ResourceType', 'ResourceId.1', 'Tag.1.Key'] },
  { action: 'UnTagResources', names: ['RegionId', 'ResourceType', 'ResourceId.1', 'TagKey.1'] },
  { action: 'AssociateEipAddress', names: ['AllocationId', 'InstanceId'] },
  { action: 'UnassociateEipAddress', names: ['AllocationId'] },
  { action: 'DeletionProtection', names: ['RegionId', 'InstanceId', 'Type', 'ProtectionEnable'] },
  { action: 'MoveResourceGroup', names: ['RegionId', 'ResourceId', 'NewResourceGroupId', 'ResourceType'] },
  { action: 'DescribeCommonBandwidthPackages', names: ['RegionId'] },
];
for (const { action, names } of needed) {
  test(`${action} needs ${names.join(', ')}`, async () => {
    const { sim, id } = await startIn('Available');
    const params: Record<string, string> = { RegionId: sim.regionId, ...paramsOf[action]?.(id) };
    for (const name of names) {
      const rest = Object.fromEntries(Object.entries(params).filter(([held]) => held !== name));
      const { body } = await sim.call(action, rest);
      expect({ name, code: body.Code }).toEqual({ name, code: 'MissingParameter' });
    }
  });
}

test('a released address is Releasing for a while and then absent', async () => {
  const { call, describe, clock, id } = await startIn('Available');
  await call('ReleaseEipAddress', { AllocationId: id });
  expect((await describe(id)).Status).toBe('Releasing');
  await clock.advance(2999);
  expect((await describe(id)).Status).toBe('Releasing');
  await clock.advance(1);
  expect(await describe(id)).toBeUndefined();
});

const guards: readonly { name: string; guard: (world: TestSim, id: string) => unknown; code: string }[] = [
  {
    name: 'protected',
    guard: ({ sim }, id) => sim.dashboard.setDeletionProtection(id, true),
    code: 'InvalidOperation.DeletionProtection',
  },
  {
    name: 'locked for security',
    guard: ({ sim }, id) => sim.dashboard.lock(id, 'security'),
    code: 'OperationDenied.EipLocked',
  },
  { name: 'locked for money', guard: ({ sim }, id) => sim.dashboard.lock(id, 'financial'), code: '' },
  {
    name: 'managed by a service',
    guard: ({ sim }, id) => sim.dashboard.change(id, { serviceManaged: true }),
    code: 'OperationUnsupported.ServiceManaged',
  },
  {
    name: 'prepaid',
    guard: ({ sim }, id) => sim.dashboard.change(id, { chargeType: 'PrePaid' }),
    code: 'Forbidden.ChargeTypeIsPrepaid',
  },
  { name: 'in a package', guard: ({ sim }, id) => sim.dashboard.joinPackage(id, 'cbwp-1'), code: 'IncorrectEipStatus' },
];
for (const { name, guard, code } of guards) {
  test(`the release of an address that is ${name}: ${code || 'done'}`, async () => {
    const world = await startIn('Available');
    guard(world, world.id);
    expect(await world.codeOf('ReleaseEipAddress', { AllocationId: world.id })).toBe(code);
  });
}

test('protection is set and taken back by the API', async () => {
  const { call, codeOf, id, describe } = await startIn('Available');
  const params = { InstanceId: id, Type: 'EIP' };
  await call('DeletionProtection', { ...params, ProtectionEnable: 'true' });
  expect((await describe(id)).DeletionProtection).toBe(true);
  expect(await codeOf('ReleaseEipAddress', { AllocationId: id })).toBe('InvalidOperation.DeletionProtection');
  await call('DeletionProtection', { ...params, ProtectionEnable: 'false' });
  expect(await codeOf('ReleaseEipAddress', { AllocationId: id })).toBe('');
  expect(await codeOf('DeletionProtection', { ...params, Type: 'VPC', ProtectionEnable: 'true' })).toBe(
    'InvalidParameter',
  );
});

test('locks are seen: a lock for money changes the business status', async () => {
  const { sim, id, describe, codeOf } = await startIn('Available');
  sim.dashboard.lock(id, 'financial');
  expect(await describe(id)).toMatchObject({
    BusinessStatus: 'FinancialLocked',
    OperationLocks: { LockReason: [{ LockReason: 'financial' }] },
  });
  sim.dashboard.unlock(id);
  sim.dashboard.lock(id, 'security');
  expect((await describe(id)).BusinessStatus).toBe('Normal');
  expect(await codeOf('AssociateEipAddress', { AllocationId: id, InstanceId: 'i-1' })).toBe(
    'OperationDenied.EipLocked',
  );
});

test('an address moves to another resource group', async () => {
  const { codeOf, describe, id } = await startIn('Available');
  const params = { ResourceId: id, ResourceType: 'EIP', NewResourceGroupId: 'rg-9' };
  expect(await codeOf('MoveResourceGroup', params)).toBe('');
  expect((await describe(id)).ResourceGroupId).toBe('rg-9');
  expect(await codeOf('MoveResourceGroup', { ...params, ResourceType: 'VPC' })).toBe('InvalidParameter');
  expect(await codeOf('MoveResourceGroup', { ...params, NewResourceGroupId: 'x' })).toBe(
    'EntityNotExist.ResourceGroup',
  );
});

test('a release in a region that is none is refused in its own words', async () => {
  const { codeOf, id } = await startIn('Available');
  expect(await codeOf('ReleaseEipAddress', { AllocationId: id, RegionId: 'moon-1' })).toBe('Forbidden.RegionNotFound');
});
