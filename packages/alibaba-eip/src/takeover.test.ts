import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isReady } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { TestWorld } from './testing/start-test-world.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await startTestWorld();
});
afterEach(async () => world.end());

const writes = (): readonly string[] => world.sim.journal.calls({ write: true }).map(({ action }) => action);

describe('what the Go operator left', () => {
  const takeOver = async (): Promise<string> => {
    const id = world.sim.dashboard.allocate({ Bandwidth: '5', Description: 'created by alibabacloud-eip-operator' });
    await world.create('web', { allocationID: id, bandwidth: '5' }, { finalizers: ['eip.alibabacloud.com/finalizer'] });
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'Available', message: '', lastTransitionTime: '2025-11-12T00:00:00Z' },
    ];
    const status = { allocationID: id, bandwidth: '5', status: 'Available', conditions };
    await world.client.patchStatus(
      { group: 'eip.alibabacloud.com', version: 'v1alpha1', kind: 'EIP', plural: 'eips', scope: 'Namespaced' },
      { namespace: 'default', name: 'web' },
      { type: 'merge', body: { status } },
    );
    return id;
  };

  test('a running object is taken over without a write to the provider', async () => {
    const id = await takeOver();
    world.start();
    const object = await world.until('web', isReady);
    expect(object.status?.eipAddress).toBe(world.sim.state.eip(id)?.ipAddress);
    await world.clock.advance(3_600_000);
    expect(writes()).toEqual([]);
  });

  test('its meaning holds: OnDelete releases what the original released', async () => {
    const id = await takeOver();
    world.start();
    await world.until('web', isReady);
    await world.remove('web');
    await world.untilGone('web');
    expect(world.sim.state.eip(id)).toBe(undefined);
  });

  test('an object that was deleted while nobody ran is finished', async () => {
    const id = await takeOver();
    await world.remove('web');
    world.start();
    await world.untilGone('web');
    expect(world.sim.state.eip(id)).toBe(undefined);
  });
});
