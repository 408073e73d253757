import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isReady, messageOf, says } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { TestWorld } from './testing/start-test-world.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await startTestWorld();
});
afterEach(async () => world.end());

const action = 'AllocateEipAddress';
const allocations = (): readonly { code: string; token: string | undefined; at: number }[] =>
  world.sim.journal.calls({ action }).map(({ code, params, time }) => ({
    code,
    token: params['ClientToken'],
    at: Date.parse(time),
  }));
const reasons = (): readonly string[] => world.events().map(({ reason }) => reason);

describe('an allocation', () => {
  test('that is refused for good is told once, retried seldom, each time with a new token, and at once after an edit', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'error', code: 'QuotaExceeded.Eip' }, times: 'always' });
    world.start();
    await world.create('web', { name: 'a' });
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/SyncFailed');
    expect(messageOf(object)).toContain('QuotaExceeded.Eip');
    expect(says(object, 'Progressing')).toBe('True/Creating');
    await world.clock.advance(3_600_000);
    expect(allocations().length).toBeLessThanOrEqual(7);
    expect(new Set(allocations().map(({ token }) => token)).size).toBe(allocations().length);
    expect(reasons().filter((reason) => reason === 'CreateFailed').length).toBe(1);
    world.sim.faults.clear();
    await world.patch('web', { spec: { name: 'b' } });
    await world.until('web', isReady, 5000);
    expect(world.sim.state.eips()[0]?.name).toBe('b');
  });

  test('that the provider finds wrong is InvalidConfig', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'error', code: 'COMMODITY.INVALID_COMPONENT' } });
    world.start();
    await world.create('web');
    await world.until('web', (eip) => says(eip, 'Ready') === 'False/InvalidConfig');
    expect(world.sim.state.eips()).toEqual([]);
  });

  test('that is not possible now is retried from half a minute, growing', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'error', code: 'ReserveIpFail' }, times: 4 });
    world.start();
    await world.create('web');
    await world.until('web', isReady);
    const at = allocations().map((call) => call.at);
    const waits = at.slice(1).map((time, index) => Math.floor((time - (at[index] ?? 0)) / 1000));
    expect(waits.length).toBe(4);
    [30, 60, 120, 240].forEach((seconds, index) => {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds);
      expect(waits[index]).toBeLessThanOrEqual(seconds * 1.2 + 1);
    });
  });

  test('that is throttled waits as long as it is told to, with the same token', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'throttled', retryAfterMs: 90_000 } });
    world.start();
    await world.create('web');
    await world.until('web', (eip) => says(eip, 'Ready') === 'False/Throttled');
    await world.until('web', isReady);
    const [first, second] = allocations();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect(second?.token).toBe(first?.token);
    expect(reasons()).toContain('Throttled');
  });

  const silences = [
    { name: 'a lost answer', fault: { kind: 'dropped', when: 'after' } },
    { name: 'a page of a gateway', fault: { kind: 'html', when: 'after' } },
    { name: 'a server error after the effect', fault: { kind: 'server-error', when: 'after' } },
    { name: 'no answer at all', fault: { kind: 'hang', when: 'after' } },
    { name: 'a server error before the effect', fault: { kind: 'server-error', when: 'before' } },
  ] as const;
  test.each(silences)(
    'with $name is sent again with the same token, though the spec was edited meanwhile',
    async ({ fault }) => {
      world.sim.faults.arm({ match: { action }, fault });
      world.start();
      await world.create('web', { bandwidth: '5' });
      await world.until('web', (eip) => says(eip, 'Ready') === 'False/SyncFailed');
      await world.patch('web', { spec: { bandwidth: '6' } });
      await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidth === '6');
      expect(new Set(allocations().map(({ token }) => token)).size).toBe(1);
      expect(world.sim.state.eips().length).toBe(1);
    },
  );

  test('whose token the provider has forgotten is found by its mark', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'dropped', when: 'after' } });
    world.sim.faults.arm({ match: { action }, fault: { kind: 'error', code: 'IdempotentParameterMismatch' } });
    world.start();
    await world.create('web');
    const object = await world.until('web', isReady);
    expect(world.sim.state.eips().map(({ allocationId }) => allocationId)).toEqual([object.status?.allocationID]);
    expect(world.sim.journal.count({ action, changed: true })).toBe(1);
  });

  test('of which two addresses carry the mark is not guessed at', async () => {
    world.sim.faults.arm({ match: { action }, fault: { kind: 'server-error', when: 'before' }, times: 'always' });
    world.start();
    const { metadata } = await world.create('web');
    await world.until('web', (eip) => says(eip, 'Ready') === 'False/SyncFailed');
    const mark = {
      'Tag.1.Key': 'eip-operator/uid',
      'Tag.1.Value': metadata.uid ?? '',
      'Tag.2.Key': 'eip-operator/cluster',
      'Tag.2.Value': 'test-cluster',
    };
    const ids = [world.sim.dashboard.allocate(mark), world.sim.dashboard.allocate(mark)];
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/Ambiguous');
    for (const id of ids) expect(messageOf(object)).toContain(id);
    world.sim.faults.clear();
    world.sim.dashboard.release(ids[1] ?? '');
    expect((await world.until('web', isReady, 900_000)).status?.allocationID).toBe(ids[0]);
  });

  test('of a PrePaid address is refused with what to do instead', async () => {
    world.start();
    await world.create('web', { instanceChargeType: 'PrePaid', internetChargeType: 'PayByBandwidth', bandwidth: '5' });
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/InvalidConfig');
    expect(messageOf(object)).toContain('spec.allocationID');
    expect(allocations()).toEqual([]);
  });
});

describe('in bad times', () => {
  test('a credential that is refused shows on the object and heals by itself', async () => {
    world.sim.faults.arm({ fault: { kind: 'error', code: 'InvalidAccessKeyId.NotFound', status: 404 }, times: 2 });
    world.start();
    await world.create('web');
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/SyncFailed');
    expect(messageOf(object)).toContain('InvalidAccessKeyId.NotFound');
    await world.until('web', isReady, 600_000);
  });

  test('a deletion that needs nothing of the provider needs no credential either', async () => {
    const first = world.start();
    await world.create('web', { releaseStrategy: 'Never' });
    await world.until('web', isReady);
    await first.stop();
    world.sim.faults.arm({
      fault: { kind: 'error', code: 'InvalidAccessKeyId.NotFound', status: 404 },
      times: 'always',
    });
    world.start();
    await world.remove('web');
    await world.untilGone('web', 10_000);
    expect(world.sim.state.eips().length).toBe(1);
  });

  test('a lock is no longer Ready, and is again when it is lifted', async () => {
    world.start();
    await world.create('web');
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.lock(allocationID, 'financial');
    await world.until('web', (eip) => says(eip, 'Ready') === 'False/AddressLocked', 400_000);
    world.sim.dashboard.unlock(allocationID);
    expect(isReady(await world.until('web', isReady, 400_000))).toBe(true);
  });

  test('an address that somebody released is missed within a period and not replaced', async () => {
    world.start();
    await world.create('web');
    const { allocationID = '' } = (await world.until('web', isReady)).status ?? {};
    world.sim.dashboard.release(allocationID);
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/AddressGone', 400_000);
    expect(messageOf(object)).toContain('No other is allocated in its place');
    await world.clock.advance(3_600_000);
    expect(world.sim.journal.count({ action })).toBe(1);
  });

  test('a package that does not exist is InvalidConfig, and the address stays as it is', async () => {
    world.start();
    await world.create('web', { bandwidthPackageID: 'cbwp-none' });
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/InvalidConfig');
    expect(object.status?.allocationID).toBe(world.sim.state.eips()[0]?.allocationId);
    expect(object.status?.eipAddress).toBeDefined();
  });

  test('a release that is refused is told and tried again, and is done in the end', async () => {
    world.sim.faults.arm({ match: { action: 'ReleaseEipAddress' }, fault: { kind: 'error', code: 'TaskConflict' } });
    world.start();
    await world.create('web');
    await world.until('web', isReady);
    await world.remove('web');
    const object = await world.until('web', (eip) => says(eip, 'Ready') === 'False/SyncFailed');
    expect(says(object, 'Progressing')).toBe('True/Deleting');
    await world.untilGone('web');
    expect(world.sim.state.eips()).toEqual([]);
    expect(reasons()).toEqual(['Created', 'ReleaseFailed', 'Released']);
  });

  test('edits in the middle of everything are conflicts that lose nothing', async () => {
    world.start();
    world.sim.faults.arm({ match: { action }, fault: { kind: 'latency', ms: 5000 } });
    await world.create('web', { bandwidth: '5' });
    await world.clock.advance(2600);
    await world.patch('web', { metadata: { labels: { edited: 'yes' } }, spec: { bandwidth: '8' } });
    await world.until('web', (eip) => isReady(eip) && eip.status?.bandwidth === '8', 120_000);
    expect(world.sim.state.eips().length).toBe(1);
  });
});
