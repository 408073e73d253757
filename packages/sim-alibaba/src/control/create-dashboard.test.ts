import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';

test('a load balancer takes an address and puts it into a package at the same time', async () => {
  const { sim, clock, allocate, describe } = await startTestSim({ packages: [{ id: 'cbwp-1', bandwidth: 50 }] });
  const id = await allocate();
  sim.dashboard.associate(id, { instanceId: 'nlb-1' }, { overMs: 2000 });
  sim.dashboard.joinPackage(id, 'cbwp-1', { overMs: 1000 });
  expect(await describe(id)).toMatchObject({ Status: 'Associating', Bandwidth: '5', BandwidthPackageId: 'cbwp-1' });
  await clock.advance(1000);
  expect(await describe(id)).toMatchObject({ Status: 'Associating', Bandwidth: '50' });
  await clock.advance(1000);
  expect(await describe(id)).toMatchObject({ Status: 'InUse', InstanceId: 'nlb-1', InstanceType: 'NlbInstance' });
  sim.dashboard.unassociate(id, { overMs: 500 });
  sim.dashboard.leavePackage(id);
  expect(await describe(id)).toMatchObject({ Status: 'Unassociating', BandwidthPackageId: '' });
  await clock.advance(500);
  expect(await describe(id)).toMatchObject({ Status: 'Available', InstanceId: '' });
});

test('a later change takes the place of one that is under way', async () => {
  const { sim, clock, allocate } = await startTestSim();
  const id = await allocate();
  sim.dashboard.associate(id, 'nlb-1', { overMs: 1000 });
  sim.dashboard.unassociate(id);
  await clock.advance(5000);
  expect(sim.state.eip(id)).toMatchObject({ status: 'Available' });
});

test('a person renames, retags, protects and releases, and the journal does not show it', async () => {
  const { sim, describe } = await startTestSim();
  const id = sim.dashboard.allocate({ 'Tag.1.Key': 'a', 'Tag.1.Value': '1', 'Tag.2.Key': 'b', 'Tag.2.Value': '2' });
  sim.dashboard.rename(id, 'other');
  sim.dashboard.retag(id, { a: undefined, b: '3', c: '4' });
  sim.dashboard.setDeletionProtection(id, true);
  expect(sim.journal.count()).toBe(0);
  expect(await describe(id)).toMatchObject({ Name: 'other', DeletionProtection: true });
  expect(sim.state.tags(id)).toEqual({ b: '3', c: '4' });
  sim.dashboard.release(id);
  expect(await describe(id)).toBeUndefined();
});

test('a person is not held by the quota', async () => {
  const { sim, codeOf } = await startTestSim({ quotas: { eips: 0 } });
  sim.dashboard.allocate();
  expect(sim.state.eips()).toHaveLength(1);
  expect(await codeOf('AllocateEipAddress')).toBe('QuotaExceeded.Eip');
});

test('what is not there cannot be changed', async () => {
  const { sim, allocate } = await startTestSim();
  const id = await allocate();
  expect(() => sim.dashboard.rename('eip-none', 'x')).toThrow('there is no address eip-none');
  expect(() => sim.dashboard.joinPackage(id, 'cbwp-none')).toThrow('there is no package cbwp-none');
});

test('packages are as asked', async () => {
  const { sim } = await startTestSim();
  const id = sim.dashboard.createPackage({ bandwidth: 20, name: 'n', isp: 'BGP_PRO' });
  expect(id).toMatch(/^cbwp-bp1[a-z0-9]{18}$/);
  expect(sim.state.package(id)).toMatchObject({ bandwidth: 20, name: 'n', isp: 'BGP_PRO', regionId: sim.regionId });
  sim.dashboard.deletePackage(id);
  expect(sim.state.packages()).toEqual([]);
});
