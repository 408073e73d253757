import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isReady, messageOf, says } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { TestWorld } from './testing/start-test-world.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await startTestWorld();
});
afterEach(async () => world.end());

const reasons = (): readonly string[] => world.events().map(({ reason }) => reason);
const writes = (): readonly string[] => world.sim.journal.calls({ write: true }).map(({ action }) => action);

describe('updates', () => {
  test('a new bandwidth is set, observed and told', async () => {
    world.start();
    await world.create('web', { bandwidth: '5' });
    await world.until('web', isReady);
    await world.patch('web', { spec: { bandwidth: '20' } });
    const object = await world.until('web', (eip) => eip.status?.bandwidth === '20' && isReady(eip));
    expect(says(object, 'Progressing')).toBe('False/Created');
    expect(writes()).toEqual(['AllocateEipAddress', 'ModifyEipAddressAttribute']);
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Created', 'Updated']);
  });

  test('name and description go in one call', async () => {
    world.start();
    await world.create('web');
    await world.until('web', isReady);
    await world.patch('web', { spec: { name: 'front', description: 'the front door' } });
    await world.until('web', (eip) => eip.status?.name === 'front' && eip.status.description === 'the front door');
    expect(writes()).toEqual(['AllocateEipAddress', 'ModifyEipAddressAttribute']);
  });

  test('a package is joined, moved between and left, one step at a time', async () => {
    const one = world.sim.dashboard.createPackage();
    const two = world.sim.dashboard.createPackage();
    world.start();
    await world.create('web', { bandwidth: '5', bandwidthPackageID: one });
    const joined = await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidthPackageID === one);
    expect(joined.status?.bandwidth).toBe('5');
    await world.clock.advance(5000); // The provider is still binding, and would refuse to unbind.
    await world.patch('web', { spec: { bandwidthPackageID: two } });
    await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidthPackageID === two);
    await world.clock.advance(5000);
    await world.patch('web', { spec: { bandwidthPackageID: null } });
    await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidthPackageID === undefined);
    expect(writes()).toEqual([
      'AllocateEipAddress',
      'AddCommonBandwidthPackageIp',
      'RemoveCommonBandwidthPackageIp',
      'AddCommonBandwidthPackageIp',
      'RemoveCommonBandwidthPackageIp',
    ]);
  });

  test('inside a package the bandwidth is left to the package, and set when the address is out of it', async () => {
    const id = world.sim.dashboard.createPackage();
    world.start();
    await world.create('web', { bandwidth: '5', bandwidthPackageID: id });
    await world.until('web', isReady);
    await world.patch('web', { spec: { bandwidth: '50' } });
    const object = await world.until('web', (eip) => isReady(eip) && messageOf(eip, 'Synced').includes('governs'));
    expect(object.status?.bandwidth).toBe('5');
    await world.patch('web', { spec: { bandwidthPackageID: '' } });
    await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidth === '50');
  });

  test('a package that a load balancer chose is left alone while the address lives', async () => {
    const id = world.sim.dashboard.createPackage();
    world.start();
    await world.create('web', { bandwidth: '5' });
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.joinPackage(allocationID, id);
    await world.until('web', (eip) => eip.status?.bandwidthPackageID === id, 400_000);
    await world.clock.advance(3_600_000);
    expect(writes()).toEqual(['AllocateEipAddress']);
    expect(isReady(world.get('web')!)).toBe(true);
  });

  test('tags follow the spec, drift is mended, tags of others stay', async () => {
    world.start();
    await world.create('web', { tags: { team: 'edge', tier: 'front' } });
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    const tags = (): object | undefined => world.sim.state.tags(allocationID);
    await world.patch('web', { spec: { tags: { tier: null, cost: '7' } } });
    await world.clock.advance(5000);
    expect(tags()).toMatchObject({ team: 'edge', cost: '7' });
    expect(tags()).not.toHaveProperty('tier');
    world.sim.dashboard.retag(allocationID, { team: 'stolen', foreign: 'yes', 'eip-operator/uid': undefined });
    await world.clock.advance(400_000);
    expect(tags()).toMatchObject({ team: 'edge', foreign: 'yes', 'eip-operator/uid': world.get('web')?.metadata.uid });
    await world.patch('web', { spec: { tags: null } });
    await world.clock.advance(5000);
    expect(Object.keys(tags() ?? {}).toSorted()).toEqual([
      'eip-operator/cluster',
      'eip-operator/object',
      'eip-operator/uid',
      'foreign',
    ]);
  });

  test('a tag without a value is set after the allocation, which would refuse it', async () => {
    world.start();
    await world.create('web', { tags: { empty: '' } });
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    expect(world.sim.state.tags(allocationID)).toMatchObject({ empty: '' });
    expect(writes()).toEqual(['AllocateEipAddress', 'TagResources']);
  });

  test('an address moves to another resource group', async () => {
    world.start();
    await world.create('web');
    await world.until('web', isReady);
    await world.patch('web', { spec: { resourceGroupID: 'rg-other' } });
    await world.until('web', (eip) => eip.status?.resourceGroupID === 'rg-other' && isReady(eip));
    expect(writes()).toEqual(['AllocateEipAddress', 'MoveResourceGroup']);
  });

  test('drift of the bandwidth is seen within a sync period and mended', async () => {
    world.start();
    await world.create('web', { bandwidth: '5' });
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.change(allocationID, { bandwidth: 77 });
    await world.clock.advance(400_000);
    expect(world.get('web')?.status?.bandwidth).toBe('5');
    expect(writes()).toEqual(['AllocateEipAddress', 'ModifyEipAddressAttribute']);
  });
});
