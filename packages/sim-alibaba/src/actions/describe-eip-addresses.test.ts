import { createSimulatedClock } from '@tributary/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';

async function idsOf({ call }: TestSim, params: Record<string, string>): Promise<readonly string[]> {
  const { status, body } = await call('DescribeEipAddresses', params);
  expect(status).toBe(200);
  return body.EipAddresses.EipAddress.map(({ AllocationId }: { AllocationId: string }) => AllocationId);
}

async function startWith(count: number): Promise<TestSim & { readonly ids: readonly string[] }> {
  const world = await startTestSim({ quotas: { eips: 1000 } });
  const ids: string[] = [];
  while (ids.length < count) ids.push(await world.allocate());
  return { ...world, ids };
}

test('a page holds 10 unless asked otherwise, and at most 100; the total is of all pages', async () => {
  const world = await startWith(120);
  const { ids } = world;
  expect(await idsOf(world, {})).toEqual(ids.slice(0, 10));
  expect(await idsOf(world, { PageSize: '100' })).toEqual(ids.slice(0, 100));
  expect(await idsOf(world, { PageSize: '50', PageNumber: '3' })).toEqual(ids.slice(100));
  expect(await idsOf(world, { PageSize: '50', PageNumber: '4' })).toEqual([]);
  const { body } = await world.call('DescribeEipAddresses', { PageNumber: '2' });
  expect(body).toMatchObject({ TotalCount: 120, PageNumber: 2, PageSize: 10 });
});

for (const params of [{ PageSize: '101' }, { PageSize: '0' }, { PageNumber: '0' }, { PageSize: 'ten' }]) {
  test(`a page of ${JSON.stringify(params)} is refused`, async () => {
    const { codeOf } = await startTestSim();
    expect(await codeOf('DescribeEipAddresses', params)).toBe('InvalidParameter');
  });
}

test('50 ids are the most, and with the default page they bring only 10', async () => {
  const world = await startWith(51);
  const fifty = world.ids.slice(0, 50).join(',');
  expect(await idsOf(world, { AllocationId: fifty, PageSize: '100' })).toEqual(world.ids.slice(0, 50));
  expect(await idsOf(world, { AllocationId: fifty })).toHaveLength(10);
  expect(await world.codeOf('DescribeEipAddresses', { AllocationId: world.ids.join(',') })).toBe('InvalidParameter');
});

test('where told so, one id is the most', async () => {
  const { codeOf } = await startTestSim({ quotas: { idsPerDescribe: 1 } });
  expect(await codeOf('DescribeEipAddresses', { AllocationId: 'eip-1' })).toBe('');
  expect(await codeOf('DescribeEipAddresses', { AllocationId: 'eip-1,eip-2' })).toBe('InvalidParameter');
});

test('an address that is not there is an empty list, not an error', async () => {
  const { call } = await startTestSim();
  const { status, body } = await call('DescribeEipAddresses', { AllocationId: 'eip-none' });
  expect({ status, total: body.TotalCount, list: body.EipAddresses.EipAddress }).toEqual({
    status: 200,
    total: 0,
    list: [],
  });
});

test('whatever the page size, paging over a set that stands still shows each address once', async () => {
  const world = await startWith(57);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (size) => {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(57 / size); page += 1) {
        seen.push(...(await idsOf(world, { PageSize: String(size), PageNumber: String(page) })));
      }
      expect(seen).toEqual(world.ids);
    }),
    { numRuns: 40 },
  );
});

const filters: readonly { readonly params: Record<string, string>; readonly found: string }[] = [
  { params: {}, found: 'abc' },
  { params: { Status: 'InUse' }, found: 'b' },
  { params: { ISP: 'ChinaTelecom' }, found: 'c' },
  { params: { EipName: 'b' }, found: 'b' },
  { params: { ResourceGroupId: 'rg-b' }, found: 'b' },
  { params: { PublicIpAddressPoolId: 'pippool-1' }, found: 'a' },
  { params: { ChargeType: 'PrePaid' }, found: '' },
  { params: { AssociatedInstanceId: 'nlb-1' }, found: 'b' },
  { params: { AssociatedInstanceType: 'NlbInstance' }, found: 'b' },
  { params: { LockReason: 'security' }, found: 'a' },
  { params: { ServiceManaged: 'true' }, found: '' },
  { params: { EipAddress: '198.18.0.1,198.18.0.3' }, found: 'ac' },
  { params: { 'Tag.1.Key': 'team', 'Tag.1.Value': 'x' }, found: 'ab' },
  { params: { 'Tag.1.Key': 'team' }, found: 'abc' },
  { params: { 'Tag.1.Key': 'team', 'Tag.1.Value': 'x', 'Tag.2.Key': 'env', 'Tag.2.Value': 'p' }, found: 'b' },
  { params: { 'Tag.1.Key': 'toString' }, found: '' },
  { params: { 'Filter.1.Key': 'CreationStartTime', 'Filter.1.Value': '2000-01-01T00:00Z' }, found: 'abc' },
  { params: { 'Filter.1.Key': 'CreationEndTime', 'Filter.1.Value': '2000-01-01T00:00Z' }, found: '' },
];
for (const { params, found } of filters) {
  test(`${JSON.stringify(params)} finds ${found || 'none'}`, async () => {
    const world = await startTestSim();
    const tag = { 'Tag.1.Key': 'team', 'Tag.1.Value': 'x' };
    const more = { 'Tag.2.Key': 'env', 'Tag.2.Value': 'p' };
    const single = { ISP: 'ChinaTelecom', InternetChargeType: 'PayByBandwidth' };
    const byId = new Map([
      [await world.allocate({ Name: 'a', PublicIpAddressPoolId: 'pippool-1', ...tag }), 'a'],
      [await world.allocate({ Name: 'b', ResourceGroupId: 'rg-b', ...tag, ...more }), 'b'],
      [await world.allocate({ Name: 'c', ...single, ...tag, 'Tag.1.Value': 'y' }), 'c'],
    ]);
    const [a, b] = [...byId.keys()];
    world.sim.dashboard.associate(b!, 'nlb-1');
    world.sim.dashboard.lock(a!, 'security');
    const ids = await idsOf(world, params);
    expect(ids.map((id) => byId.get(id)).join('')).toBe(found);
  });
}

test('a filter by time includes its bounds', async () => {
  const clock = createSimulatedClock({ startMs: Date.parse('2026-11-16T08:00:00Z') });
  const world = await startTestSim({ clock });
  const id = await world.allocate();
  for (const key of ['CreationStartTime', 'CreationEndTime']) {
    const bound = { 'Filter.1.Key': key, 'Filter.1.Value': '2026-11-16T08:00Z' };
    expect(await idsOf(world, bound)).toEqual([id]);
  }
});

test('a filter by a time that is none is refused, and so is a dry run that would succeed', async () => {
  const { codeOf } = await startTestSim();
  const bad = { 'Filter.1.Key': 'CreationStartTime', 'Filter.1.Value': 'yesterday' };
  expect(await codeOf('DescribeEipAddresses', bad)).toBe('InvalidParameter');
  expect(await codeOf('DescribeEipAddresses', { DryRun: 'true' })).toBe('DryRunOperation');
});

test('an account sees its own addresses in the region that it names', async () => {
  const accessKeys = [
    { id: 'mine', secret: 's' },
    { id: 'other', secret: 's', accountId: '42' },
  ];
  const world = await startTestSim({ accessKeys });
  const id = await world.allocate();
  expect(await idsOf(world, {})).toEqual([id]);
  expect(await idsOf(world, { RegionId: 'cn-beijing' })).toEqual([]);
  const { body } = await world.call('DescribeEipAddresses', {}, { accessKeyId: 'other' });
  expect(body.TotalCount).toBe(0);
  const release = { AllocationId: id };
  expect(await world.codeOf('ReleaseEipAddress', release, { accessKeyId: 'other' })).toBe('Forbbiden');
  expect(await world.codeOf('ReleaseEipAddress', { ...release, RegionId: 'cn-beijing' })).toBe(
    'InvalidAllocationId.NotFound',
  );
});

test('a filter by tag follows the tags late, where told so; a look by id does not', async () => {
  const world = await startTestSim({ delays: { tagFilterLagMs: 1000 } });
  const wanted = { 'Tag.1.Key': 'k', 'Tag.1.Value': 'v' };
  const id = await world.allocate(wanted);
  expect(await idsOf(world, wanted)).toEqual([]);
  expect((await world.describe(id)).Tags.Tag).toEqual([{ Key: 'k', Value: 'v' }]);
  await world.clock.advance(999);
  expect(await idsOf(world, wanted)).toEqual([]);
  await world.clock.advance(1);
  expect(await idsOf(world, wanted)).toEqual([id]);
  world.sim.dashboard.retag(id, { k: undefined });
  expect(await idsOf(world, wanted)).toEqual([id]);
  await world.clock.advance(1000);
  expect(await idsOf(world, wanted)).toEqual([]);
});

test('a new address is described late, where told so', async () => {
  const world = await startTestSim({ delays: { describeLagMs: 500 } });
  const id = await world.allocate();
  expect(await world.describe(id)).toBeUndefined();
  await world.clock.advance(500);
  expect(await world.describe(id)).toBeDefined();
});
