import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';
import type { SimAlibabaOptions } from '../sim-options.ts';

const packages = [
  { id: 'cbwp-1', bandwidth: 300, name: 'one' },
  { id: 'cbwp-2', bandwidth: 400, name: 'two' },
];

type World = TestSim & { readonly id: string; readonly member: Record<string, string> };

async function startWithPackages(options: SimAlibabaOptions = {}): Promise<World> {
  const world = await startTestSim({ packages, ...options });
  const id = await world.allocate({ Bandwidth: '7' });
  return { ...world, id, member: { BandwidthPackageId: 'cbwp-1', IpInstanceId: id } };
}

// oxlint-disable-next-line typescript/no-explicit-any -- an item of the answer
async function relationsOf({ call }: TestSim): Promise<any> {
  const { body } = await call('DescribeCommonBandwidthPackages', { BandwidthPackageId: 'cbwp-1' });
  return body.CommonBandwidthPackages.CommonBandwidthPackage[0].PublicIpAddresses.PublicIpAddresse;
}

test('joining takes its time; then the bandwidth shown is that of the package, and its own has another name', async () => {
  const world = await startWithPackages();
  const { call, describe, clock, id, member } = world;
  await call('AddCommonBandwidthPackageIp', member);
  expect(await relationsOf(world)).toEqual([
    { AllocationId: id, IpAddress: '198.18.0.1', BandwidthPackageIpRelationStatus: 'BINDING' },
  ]);
  expect(await describe(id)).toMatchObject({ Bandwidth: '7', BandwidthPackageId: 'cbwp-1' });
  await clock.advance(3000);
  expect(await relationsOf(world)).toMatchObject([{ BandwidthPackageIpRelationStatus: 'BINDED' }]);
  expect(await describe(id)).toMatchObject({
    Bandwidth: '300',
    EipBandwidth: '7',
    BandwidthPackageId: 'cbwp-1',
    BandwidthPackageType: 'CommonBandwidthPackage',
    BandwidthPackageBandwidth: '300',
  });
});

test('leaving takes its time too; then its own bandwidth is back', async () => {
  const world = await startWithPackages();
  const { call, describe, clock, id, member, sim } = world;
  sim.dashboard.joinPackage(id, 'cbwp-1');
  await call('RemoveCommonBandwidthPackageIp', member);
  expect(await describe(id)).toMatchObject({ Bandwidth: '300', BandwidthPackageId: 'cbwp-1' });
  expect(await relationsOf(world)).toMatchObject([{ BandwidthPackageIpRelationStatus: 'UNBINDING' }]);
  await clock.advance(3000);
  const seen = await describe(id);
  expect(seen).toMatchObject({ Bandwidth: '7', BandwidthPackageId: '' });
  expect(seen).not.toHaveProperty('EipBandwidth');
  expect(await relationsOf(world)).toEqual([]);
});

test('a change of its own bandwidth in a package shows where its own bandwidth stands', async () => {
  const { call, describe, id, sim } = await startWithPackages();
  sim.dashboard.joinPackage(id, 'cbwp-1');
  await call('ModifyEipAddressAttribute', { AllocationId: id, Bandwidth: '9' });
  expect(await describe(id)).toMatchObject({ Bandwidth: '300', EipBandwidth: '9' });
});

const add = 'AddCommonBandwidthPackageIp';
const remove = 'RemoveCommonBandwidthPackageIp';
const refused: readonly {
  readonly name: string;
  readonly action: string;
  readonly before?: (world: World) => unknown;
  readonly params?: Record<string, string>;
  readonly code: string;
}[] = [
  {
    name: 'joining none',
    action: add,
    params: { BandwidthPackageId: 'x' },
    code: 'InvalidBandwidthPackageId.NotFound',
  },
  {
    name: 'leaving none',
    action: remove,
    params: { BandwidthPackageId: 'x' },
    code: 'InvalidBandwidthPackageId.NotFound',
  },
  { name: 'in a region that is none', action: add, params: { RegionId: 'moon-1' }, code: 'InvalidRegionId.NotFound' },
  {
    name: 'in another region',
    action: add,
    params: { RegionId: 'cn-beijing' },
    code: 'InvalidBandwidthPackageId.NotFound',
  },
  {
    name: 'joining twice',
    action: add,
    before: ({ sim, id }) => sim.dashboard.joinPackage(id, 'cbwp-1'),
    code: 'OperationUnsupported.EipInCbwp',
  },
  {
    name: 'joining a second',
    action: add,
    before: ({ sim, id }) => sim.dashboard.joinPackage(id, 'cbwp-2'),
    code: 'OperationUnsupported.EipInCbwp',
  },
  {
    name: 'joining while it joins',
    action: add,
    before: async ({ call, member }) => call(add, member),
    code: 'TaskConflict',
  },
  {
    name: 'leaving while it joins',
    action: remove,
    before: async ({ call, member }) => call(add, member),
    code: 'TaskConflict',
  },
  { name: 'leaving where it is not', action: remove, code: 'OperationUnsupported.IpNotInCbwp' },
  {
    name: 'leaving another',
    action: remove,
    before: ({ sim, id }) => sim.dashboard.joinPackage(id, 'cbwp-2'),
    code: 'OperationUnsupported.IpNotInCbwp',
  },
  { name: 'what is no address', action: add, params: { IpType: 'Disk' }, code: 'InvalidParameter' },
  {
    name: 'prepaid',
    action: add,
    before: ({ sim, id }) => sim.dashboard.change(id, { chargeType: 'PrePaid' }),
    code: 'Forbidden.ChargeTypeIsPrepaid',
  },
  {
    name: 'another line',
    action: add,
    before: ({ sim, id }) => sim.dashboard.change(id, { isp: 'BGP_PRO' }),
    code: 'OperationDenied.IspInconsistent',
  },
  {
    name: 'other protection',
    action: add,
    before: ({ sim, id }) => sim.dashboard.change(id, { securityProtectionTypes: ['AntiDDoS_Enhanced'] }),
    code: 'OperationDenied.SecurityProtectionTypesInconsistent',
  },
];
for (const { name, action, before, params, code } of refused) {
  test(`${action}, ${name}: ${code}`, async () => {
    const world = await startWithPackages();
    await before?.(world);
    const memberships = world.sim.state.eips().map(({ membership }) => membership);
    expect(await world.codeOf(action, { ...world.member, ...params })).toBe(code);
    expect(world.sim.state.eips().map(({ membership }) => membership)).toEqual(memberships);
  });
}

test('an address on its way into a package is neither bound nor unbound', async () => {
  const { call, codeOf, member, id } = await startWithPackages();
  await call(add, member);
  expect(await codeOf('AssociateEipAddress', { AllocationId: id, InstanceId: 'i-1' })).toBe('TaskConflict');
});

test('a package holds so many addresses', async () => {
  const { codeOf, allocate, member } = await startWithPackages({ quotas: { eipsPerPackage: 1 } });
  const other = { ...member, IpInstanceId: await allocate() };
  expect(await codeOf(add, member)).toBe('');
  expect(await codeOf(add, other)).toBe('QuotaExceeded.BandwidthPackageIps');
  expect(await codeOf(add, { ...other, BandwidthPackageId: 'cbwp-2' })).toBe('');
});

test('a package takes one change at a time, where told so', async () => {
  const { codeOf, allocate, clock, member } = await startWithPackages({ delays: { packageBusyMs: 1000 } });
  const other = { ...member, IpInstanceId: await allocate() };
  expect(await codeOf(add, member)).toBe('');
  expect(await codeOf(add, other)).toBe('BandwidthPackageOperation.conflict');
  await clock.advance(1000);
  expect(await codeOf(add, other)).toBe('');
});

test('packages are listed by id, name and group, 10 to a page and at most 50', async () => {
  const { call, codeOf } = await startWithPackages();
  const idsOf = async (params: Record<string, string>): Promise<string> => {
    const { body } = await call('DescribeCommonBandwidthPackages', params);
    const found = body.CommonBandwidthPackages.CommonBandwidthPackage;
    return found.map((held: { BandwidthPackageId: string }) => held.BandwidthPackageId).join();
  };
  expect(await idsOf({})).toBe('cbwp-1,cbwp-2');
  expect(await idsOf({ Name: 'two' })).toBe('cbwp-2');
  expect(await idsOf({ ResourceGroupId: 'rg-none' })).toBe('');
  expect(await idsOf({ PageSize: '1', PageNumber: '2' })).toBe('cbwp-2');
  expect(await idsOf({ RegionId: 'cn-beijing' })).toBe('');
  expect(await codeOf('DescribeCommonBandwidthPackages', { PageSize: '51' })).toBe('InvalidParameter');
});

test('when a package is deleted its addresses are free', async () => {
  const { sim, id, describe, codeOf } = await startWithPackages();
  sim.dashboard.joinPackage(id, 'cbwp-1');
  sim.dashboard.deletePackage('cbwp-1');
  expect(await describe(id)).toMatchObject({ Bandwidth: '7', BandwidthPackageId: '' });
  expect(await codeOf('ReleaseEipAddress', { AllocationId: id })).toBe('');
});
