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

describe('an EIP without an id', () => {
  test('gets an address: id in the status, then in the spec, marked, observed and Ready', async () => {
    world.start();
    await world.create('web', { bandwidth: '10', name: 'web', tags: { team: 'edge' } });
    const object = await world.until('web', isReady);
    const [eip] = world.sim.state.eips();
    expect(world.sim.state.eips().length).toBe(1);
    expect(object.spec.allocationID).toBe(eip?.allocationId);
    expect(object.status).toMatchObject({
      allocationID: eip?.allocationId,
      eipAddress: eip?.ipAddress,
      status: 'Available',
      bandwidth: '10',
      name: 'web',
      internetChargeType: 'PayByTraffic',
      instanceChargeType: 'PostPaid',
      description: 'created by alibabacloud-eip-operator',
    });
    expect(says(object, 'Progressing')).toBe('False/Created');
    expect(object.metadata.finalizers).toEqual(['eip.alibabacloud.com/finalizer']);
    expect(world.sim.state.tags(eip?.allocationId ?? '')).toEqual({
      team: 'edge',
      'eip-operator/cluster': 'test-cluster',
      'eip-operator/object': 'default/web',
      'eip-operator/uid': object.metadata.uid,
    });
    expect(writes()).toEqual(['AllocateEipAddress']);
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Created']);
  });

  test('keeps its spec as it is when the operator may not write it', async () => {
    world.start({ writeSpecAllocationID: false });
    await world.create('web');
    const object = await world.until('web', isReady);
    expect(object.spec.allocationID).toBe(undefined);
    expect(object.status?.allocationID).toBe(world.sim.state.eips()[0]?.allocationId);
  });
});

describe('an EIP that is forced away and made anew while its address is being allocated', () => {
  test('does not hand its address to its successor, which gets one of its own', async () => {
    world.sim.faults.arm({ match: { action: 'AllocateEipAddress' }, fault: { kind: 'latency', ms: 10_000 } });
    world.start();
    const first = await world.create('web');
    await world.until('web', ({ metadata }) => (metadata.finalizers ?? []).length > 0);
    await world.clock.advance(1000);
    await world.remove('web');
    await world.patch('web', { metadata: { finalizers: null } });
    const second = await world.create('web');
    const object = await world.until('web', isReady);
    expect(object.metadata.uid).toBe(second.metadata.uid);
    const addressOf = (uid: string | undefined): string | undefined =>
      world.sim.state
        .eips()
        .find(({ allocationId }) => world.sim.state.tags(allocationId)?.['eip-operator/uid'] === uid)?.allocationId;
    expect(addressOf(first.metadata.uid)).toBeDefined();
    expect(object.status?.allocationID).toBe(addressOf(second.metadata.uid));
  });
});

describe('adoption', () => {
  test('an EIP with an id uses that address as it is and says so', async () => {
    const id = world.sim.dashboard.allocate({ Bandwidth: '7', 'Tag.1.Key': 'mine', 'Tag.1.Value': 'yes' });
    world.start();
    await world.create('old', { allocationID: id });
    const object = await world.until('old', isReady);
    expect(object.status).toMatchObject({ allocationID: id, bandwidth: '7', status: 'Available' });
    expect(says(object, 'Progressing')).toBe('False/Adopted');
    expect(writes()).toEqual([]);
    await world.clock.advance(1000);
    expect(reasons()).toEqual(['Adopted']);
  });

  test('an adopted address outlives its object', async () => {
    const id = world.sim.dashboard.allocate();
    world.start();
    await world.create('old', { allocationID: id });
    await world.until('old', isReady);
    await world.remove('old');
    await world.untilGone('old');
    expect(world.sim.state.eip(id)?.status).toBe('Available');
    await world.clock.advance(1000);
    expect(reasons()).toContain('Skipped');
  });

  test('an adopted address is released where the annotation asks for it', async () => {
    const id = world.sim.dashboard.allocate();
    world.start();
    await world.create(
      'old',
      { allocationID: id },
      { annotations: { 'eip.alibabacloud.com/release-adopted': 'true' } },
    );
    await world.until('old', isReady);
    await world.remove('old');
    await world.untilGone('old');
    expect(world.sim.state.eip(id)).toBe(undefined);
  });

  test('an id that nobody has is a clear condition, and nothing is allocated in its place', async () => {
    world.start();
    await world.create('old', { allocationID: 'eip-missing' });
    const object = await world.until('old', (eip) => says(eip, 'Ready') === 'False/AddressGone');
    expect(messageOf(object)).toContain('there is no address eip-missing');
    await world.clock.advance(3_600_000);
    expect(world.sim.state.eips()).toEqual([]);
  });

  test('of two that adopt one address the younger is refused by name, and gets it when the older is gone', async () => {
    const id = world.sim.dashboard.allocate();
    world.start();
    await world.create('first', { allocationID: id });
    await world.until('first', isReady);
    await world.create('second', { allocationID: id });
    const refused = await world.until('second', (eip) => says(eip, 'Ready') === 'False/Conflict');
    expect(messageOf(refused)).toContain('default/first');
    expect(refused.metadata.finalizers).toBe(undefined);
    await world.remove('first');
    await world.untilGone('first');
    await world.until('second', isReady, 60_000);
  });

  test('an address that another cluster has marked is left alone', async () => {
    const id = world.sim.dashboard.allocate({
      'Tag.1.Key': 'eip-operator/uid',
      'Tag.1.Value': 'u1',
      'Tag.2.Key': 'eip-operator/cluster',
      'Tag.2.Value': 'elsewhere',
    });
    world.start();
    await world.create('old', { allocationID: id, bandwidth: '9' });
    const object = await world.until('old', (eip) => says(eip, 'Ready') === 'False/Conflict');
    expect(messageOf(object)).toContain('cluster elsewhere');
    expect(writes()).toEqual([]);
  });
});
