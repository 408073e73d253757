import { afterEach, describe, expect, test } from 'vitest';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';
import type { VnodeWorld } from './testing/vnode-world.ts';

let world: VnodeWorld;
afterEach(async () => world.end());

// The world begins on a Monday at 12:00 UTC.
const soon = { timeWindows: [{ start: '12:30', end: '13:00' }] };
const untilOne = { timeWindows: [{ start: '08:00', end: '13:00' }] };
const key = 'kubeocean.io/out-of-time-windows';
const minute = 60_000;
const hour = 60 * minute;

const windowTaint = () => world.vnode('node-1')?.spec?.taints?.find((taint) => taint.key === key);
const policy = async (name = 'night') => world.p.get(resourceLeasingPolicyKind, { name });
const makePod = async (name: string, more: object = {}): Promise<void> =>
  void (await world.v.create(podKind, {
    metadata: { namespace: 'default', name },
    spec: { containers: [{ name: 'main', image: 'nginx' }], nodeName: vnodeOf('node-1'), ...more },
  }));
const isLeaving = async (name: string): Promise<boolean> =>
  (await world.v.get(podKind, { namespace: 'default', name })).metadata.deletionTimestamp !== undefined;
async function lend(spec: object, timeZone = 'UTC'): Promise<void> {
  world = await startVnodeWorld({ vnode: { timeZone } });
  await world.lend('night', spec);
  await world.until(() => world.vnode('node-1') !== undefined);
  await world.clock.advance(1000);
}

describe('outside its windows', () => {
  test('a node takes nothing new, and keeps what it has', async () => {
    await lend(soon);
    await makePod('web');
    await world.clock.advance(20 * minute);
    expect(windowTaint()).toMatchObject({ value: 'true', effect: 'NoSchedule', timeAdded: '2026-01-05T12:00:01Z' });
    expect(await isLeaving('web')).toBe(false);
  });

  test('the taint goes the minute a window opens, and comes the minute after it closed', async () => {
    await lend(soon);
    await world.clock.advance(30 * minute);
    expect(windowTaint()).toBeUndefined();
    await world.clock.advance(30 * minute);
    expect(windowTaint()).toBeUndefined();
    await world.clock.advance(minute);
    expect(windowTaint()).toMatchObject({ effect: 'NoSchedule', timeAdded: '2026-01-05T13:01:00Z' });
  });

  test('by the clock of the zone that was asked for (W19)', async () => {
    await lend({ timeWindows: [{ start: '20:00', end: '21:00' }] }, 'Asia/Shanghai');
    expect(windowTaint()).toBeUndefined();
  });

  test('pods are deleted by force, but for those that tolerate it', async () => {
    await lend({ ...untilOne, forceReclaim: true });
    await makePod('web');
    await makePod('patient', { tolerations: [{ key, operator: 'Exists' }] });
    await world.clock.advance(hour);
    expect(await isLeaving('web')).toBe(false);
    await world.clock.advance(61_000);
    expect(windowTaint()).toMatchObject({ effect: 'NoExecute' });
    expect(await isLeaving('web')).toBe(true);
    expect(await isLeaving('patient')).toBe(false);
  });

  test('those that keep ports free stay: the ports are taken all the same', async () => {
    await lend({ ...untilOne, forceReclaim: true });
    await world.p.create(podKind, {
      metadata: { namespace: 'default', name: 'own' },
      spec: {
        nodeName: 'node-1',
        containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }],
      },
    });
    await world.clock.advance(minute);
    const guards = async () => (await world.v.list(podKind, { namespace: 'kubeocean-fake' })).items;
    const uids = (await guards()).map(({ metadata }) => metadata.uid);
    expect(uids).toHaveLength(1);
    await world.clock.advance(2 * hour);
    expect(windowTaint()).toMatchObject({ effect: 'NoExecute' });
    expect((await guards()).map(({ metadata }) => metadata.uid)).toEqual(uids);
  });

  test('pods are deleted by force only after the grace, and so is the taint that evicts', async () => {
    await lend({ ...untilOne, forceReclaim: true, gracefulReclaimPeriodSeconds: 600 });
    await makePod('web');
    await world.clock.advance(hour + 120_000);
    expect(windowTaint()).toMatchObject({ effect: 'NoSchedule', timeAdded: '2026-01-05T13:01:00Z' });
    expect(await isLeaving('web')).toBe(false);
    await world.clock.advance(600_000);
    expect(windowTaint()).toMatchObject({ effect: 'NoExecute', timeAdded: '2026-01-05T13:01:00Z' });
    expect(await isLeaving('web')).toBe(true);
  });

  test('nothing is reclaimed while P does not answer (W4)', async () => {
    await lend({ ...untilOne, forceReclaim: true });
    await makePod('web');
    world.physical.faults.crash(world.syncer.userAgent);
    await world.clock.advance(2 * hour);
    expect(await isLeaving('web')).toBe(false);
  });
});

describe('a policy', () => {
  test('has a finalizer and says what it does', async () => {
    await lend({});
    const { metadata, status } = await policy();
    expect(metadata.finalizers).toEqual(['policy.kubeocean.io/finalizer']);
    expect(status).toMatchObject({ phase: 'Active', activeTimeWindow: true, lastAppliedTime: expect.any(String) });
    expect(status?.conditions).toMatchObject([
      { type: 'Valid', status: 'True', reason: 'ValidationPassed' },
      { type: 'Active', status: 'True', reason: 'ActiveTimeWindow' },
    ]);
  });

  test('is inactive outside its windows, and follows the clock', async () => {
    await lend(soon);
    expect((await policy()).status).toMatchObject({ phase: 'Inactive', activeTimeWindow: false });
    expect((await policy()).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Active', status: 'False', reason: 'InactiveTimeWindow' }),
    );
    await world.clock.advance(30 * minute);
    expect((await policy()).status).toMatchObject({ phase: 'Active', activeTimeWindow: true });
  });

  test('that cannot be right has failed and says why; its nodes take nothing new', async () => {
    await lend({ timeWindows: [{ start: 'dawn', end: '17:00' }] });
    expect((await policy()).status).toMatchObject({ phase: 'Failed' });
    expect((await policy()).status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Valid',
        status: 'False',
        reason: 'ValidationError',
        message: 'timeWindows[0].start is not a time of day as in 08:30',
      }),
    );
    expect(windowTaint()).toMatchObject({ effect: 'NoSchedule' });
  });

  test('of another binding is not touched', async () => {
    await lend({});
    const before = await world.p.create(resourceLeasingPolicyKind, {
      metadata: { name: 'theirs' },
      spec: { cluster: 'worker2' },
    });
    await world.clock.advance(60_000);
    expect((await policy('theirs')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('is written when something changes, not because time passes', async () => {
    await lend(soon);
    const before = (await policy()).metadata.resourceVersion;
    await world.clock.advance(25 * minute);
    expect((await policy()).metadata.resourceVersion).toBe(before);
  });

  test('that is deleted goes at once', async () => {
    await lend({});
    await world.p.delete(resourceLeasingPolicyKind, { name: 'night' });
    await world.clock.advance(1000);
    expect(world.physical.store.list({ group: 'cloud.tencent.com', plural: 'resourceleasingpolicies' })).toEqual([]);
  });
});

describe('the physical node shows which policy lends it', () => {
  const label = async () =>
    (await world.p.get(nodeKind, { name: 'node-1' })).metadata.labels?.['kubeocean.io/policy-applied'];

  test('and nothing once it is not lent any more', async () => {
    await lend({});
    expect(await label()).toBe('night');
    await world.p.delete(resourceLeasingPolicyKind, { name: 'night' });
    await world.until(() => world.vnode('node-1') === undefined);
    expect(await label()).toBeUndefined();
  });

  test('but the word of another binding stays, so that two syncers do not write in turns', async () => {
    world = await startVnodeWorld();
    await world.p.create(resourceLeasingPolicyKind, { metadata: { name: 'theirs' }, spec: { cluster: 'worker2' } });
    const body = { metadata: { labels: { 'kubeocean.io/policy-applied': 'theirs' } } };
    await world.p.patch(nodeKind, { name: 'node-1' }, { type: 'merge', body });
    await world.lend('ours');
    await world.until(() => world.vnode('node-1') !== undefined);
    await world.clock.advance(60_000);
    expect(await label()).toBe('theirs');
    expect(world.vnode('node-1')?.metadata.labels).toMatchObject({ 'kubeocean.io/policy-applied': 'ours' });
  });
});
