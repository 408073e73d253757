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

describe('deletion', () => {
  test('OnDelete releases the address and lets the object go when it is gone', async () => {
    world.start();
    await world.create('web');
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    await world.remove('web');
    const dying = await world.until('web', (eip) => eip.status?.status === 'Releasing');
    expect(says(dying, 'Progressing')).toBe('True/Deleting');
    await world.untilGone('web');
    expect(world.sim.state.eip(allocationID)).toBe(undefined);
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Created', 'Released']);
  });

  test('Deleted stands in the status before the finalizer goes', async () => {
    world.start();
    await world.create('web');
    await world.until('web', isReady);
    const last: (string | undefined)[] = [];
    world.cluster.store.subscribe({ group: 'eip.alibabacloud.com', plural: 'eips' }, ({ object }) =>
      last.push(says(object as never, 'Progressing')),
    );
    await world.remove('web');
    await world.untilGone('web');
    expect(last.at(-1)).toBe('False/Deleted');
    expect(last.slice(-2)).toEqual(['False/Deleted', 'False/Deleted']);
  });

  test('Never keeps the address', async () => {
    world.start();
    await world.create('web', { releaseStrategy: 'Never' });
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    await world.remove('web');
    await world.untilGone('web');
    expect(world.sim.state.eip(allocationID)?.status).toBe('Available');
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Created', 'Skipped']);
  });

  test('an address leaves whatever package it is in, waits, and is released', async () => {
    const id = world.sim.dashboard.createPackage();
    world.start();
    await world.create('web');
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.joinPackage(allocationID, id);
    await world.remove('web');
    await world.untilGone('web');
    expect(writes()).toEqual(['AllocateEipAddress', 'RemoveCommonBandwidthPackageIp', 'ReleaseEipAddress']);
    expect(world.sim.state.eip(allocationID)).toBe(undefined);
  });

  test('an address that is gone already is no obstacle', async () => {
    world.start();
    await world.create('web');
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.release(allocationID);
    await world.remove('web');
    await world.untilGone('web');
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Created', 'AlreadyReleased']);
  });

  const obstacles = [
    {
      name: 'deletion protection',
      set: (id: string) => world.sim.dashboard.setDeletionProtection(id, true),
      says: 'protection',
    },
    {
      name: 'a security lock',
      set: (id: string) => world.sim.dashboard.lock(id, 'security'),
      says: 'locked for security',
    },
  ];
  test.each(obstacles)(
    '$name is told with a way out, and asks the provider for nothing',
    async ({ set, says: text }) => {
      world.start();
      await world.create('web');
      const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
      set(allocationID);
      await world.remove('web');
      const object = await world.until('web', (eip) => says(eip, 'Synced') === 'False/SyncFailed');
      expect(messageOf(object)).toContain(text);
      expect(messageOf(object)).toContain('releaseStrategy to Never');
      expect(writes()).toEqual(['AllocateEipAddress']);
      await world.patch('web', { spec: { releaseStrategy: 'Never' } });
      await world.untilGone('web', 10_000);
      expect(world.sim.state.eip(allocationID)).toBeDefined();
    },
  );
});

describe('the consumer’s way of working', () => {
  test('create, wait for the id, bind, delete while in use, unbind: calm, visible and complete', async () => {
    world.start();
    const names = ['zone-a', 'zone-b'];
    for (const name of names) await world.create(name, { bandwidth: '5', isp: 'BGP', releaseStrategy: 'OnDelete' });
    const ids: string[] = [];
    for (const name of names) {
      const object = await world.until(name, ({ status }) => (status?.allocationID ?? '') !== '', 5000);
      ids.push(object.status?.allocationID ?? '');
    }
    for (const id of ids) world.sim.dashboard.associate(id, { instanceId: 'nlb-1', instanceType: 'NlbInstance' });
    for (const name of names) await world.remove(name);
    await world.clock.advance(600_000);
    const waiting = world.get('zone-a')!;
    expect(messageOf(waiting)).toContain('NlbInstance nlb-1');
    expect(says(waiting, 'Progressing')).toBe('True/Deleting');
    expect(world.sim.journal.count({ action: 'ReleaseEipAddress' })).toBe(0);
    const reads = world.sim.journal.count({ action: 'DescribeEipAddresses' });
    expect(reads).toBeLessThan(40);
    for (const id of ids) world.sim.dashboard.unassociate(id);
    for (const name of names) await world.untilGone(name, 400_000);
    expect(world.sim.state.eips()).toEqual([]);
    expect(world.sim.journal.count({ action: 'ReleaseEipAddress' })).toBe(2);
    expect(world.sim.journal.count({ action: 'UnassociateEipAddress' })).toBe(0);
  });
});
