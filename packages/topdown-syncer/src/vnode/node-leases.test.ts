import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeKind, nodeLeaseKind } from '../contract/cluster-kinds.ts';
import { judgeLeases, startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';
import type { VnodeWorld } from './testing/vnode-world.ts';

let world: VnodeWorld;
beforeEach(async () => {
  world = await startVnodeWorld();
  await world.lend('all');
  await world.until(() => world.vnode('node-1') !== undefined);
  await world.clock.advance(20_000);
});
afterEach(async () => world.end());

const lease = async () => world.v.get(nodeLeaseKind, { namespace: 'kube-node-lease', name: vnodeOf('node-1') });
const ageMs = async (): Promise<number> => world.clock.now() - Date.parse((await lease()).spec.renewTime ?? '');
const readyOf = (): string | undefined =>
  world.vnode('node-1')?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
const setPhysicalReady = async (status: string): Promise<void> => {
  const node = await world.p.get(nodeKind, { name: 'node-1' });
  const conditions = node.status?.conditions?.map((one) => (one.type === 'Ready' ? { ...one, status } : one));
  await world.p.patchStatus(nodeKind, { name: 'node-1' }, { type: 'merge', body: { status: { conditions } } });
};

test('a virtual node has a lease like that of a kubelet', async () => {
  const { metadata, spec } = await lease();
  expect(spec).toMatchObject({ holderIdentity: vnodeOf('node-1'), leaseDurationSeconds: 40 });
  expect(metadata.ownerReferences).toEqual([
    expect.objectContaining({
      apiVersion: 'v1',
      kind: 'Node',
      name: vnodeOf('node-1'),
      uid: world.vnode('node-1')?.metadata.uid,
    }),
  ]);
});

test('the lease is renewed every ten seconds, by one request', async () => {
  for (let n = 0; n < 6; n += 1) {
    await world.clock.advance(10_000);
    expect(await ageMs()).toBeLessThanOrEqual(10_000);
  }
});

test('it runs out while P does not answer: the node is not ready, and nothing is deleted (W4)', async () => {
  world.physical.faults.crash(world.syncer.userAgent);
  await world.clock.advance(90_000);
  expect(await ageMs()).toBeGreaterThan(40_000);
  await judgeLeases(world);
  await world.clock.advance(600_000);
  expect(readyOf()).toBe('Unknown');
  expect(world.vnode('node-1')?.metadata.deletionTimestamp).toBeUndefined();
});

test('the node is ready again soon after P answers again (W4)', async () => {
  world.physical.faults.crash(world.syncer.userAgent);
  await world.clock.advance(90_000);
  await judgeLeases(world);
  world.physical.faults.revive(world.syncer.userAgent);
  await world.clock.runUntil(() => readyOf() === 'True', 120_000);
  await world.clock.advance(20_000);
  expect(await ageMs()).toBeLessThanOrEqual(10_000);
});

test('a server that answers with errors does not answer (W4)', async () => {
  world.physical.faults.add({ match: { verb: 'list' }, fault: { kind: 'error', status: 503 } });
  await world.clock.advance(90_000);
  expect(await ageMs()).toBeGreaterThan(40_000);
});

test('a server that is silent does not answer (W4)', async () => {
  world.physical.faults.add({ match: { verb: 'list' }, fault: { kind: 'stall' } });
  await world.clock.advance(90_000);
  expect(await ageMs()).toBeGreaterThan(40_000);
});

test('it pauses while nobody hears of the physical kubelet', async () => {
  await setPhysicalReady('Unknown');
  await world.clock.advance(90_000);
  expect(await ageMs()).toBeGreaterThan(40_000);
  expect(readyOf()).toBe('Unknown');
  await setPhysicalReady('True');
  await world.clock.advance(20_000);
  expect(await ageMs()).toBeLessThanOrEqual(10_000);
});

test('a kubelet that is not ready is alive: V sees its word, and does not change it back and forth', async () => {
  await setPhysicalReady('False');
  await world.clock.advance(90_000);
  expect(readyOf()).toBe('False');
  expect(await ageMs()).toBeLessThanOrEqual(10_000);
});

test('a lease that was lost is made again', async () => {
  await world.v.delete(nodeLeaseKind, { namespace: 'kube-node-lease', name: vnodeOf('node-1') });
  await world.clock.advance(11_000);
  expect(await ageMs()).toBeLessThanOrEqual(11_000);
});
