import { afterEach, beforeEach, expect, test } from 'vitest';
import { csiNodeKind } from '../contract/cluster-kinds.ts';
import type { CsiNode } from '../contract/cluster-kinds.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';
import type { VnodeWorld } from './testing/vnode-world.ts';

let world: VnodeWorld;
beforeEach(async () => {
  world = await startVnodeWorld();
  await world.p.create(csiNodeKind, {
    metadata: { name: 'node-1' },
    spec: {
      drivers: [{ name: 'disk.example.com', nodeID: 'i-1', topologyKeys: ['zone'], allocatable: { count: 16 } }],
    },
  });
  await world.lend('all');
  await world.until(() => world.vnode('node-1') !== undefined);
  await world.clock.advance(1000);
});
afterEach(async () => world.end());

const copyOf = (node: string): CsiNode | undefined =>
  world.virtual.store.get({ group: 'storage.k8s.io', plural: 'csinodes' }, { name: vnodeOf(node) }) as
    | CsiNode
    | undefined;

test('a virtual node has the drivers of its physical one, with their topology and limits', async () => {
  expect(copyOf('node-1')).toMatchObject({
    metadata: {
      labels: {
        'kubeocean.io/managed-by': 'kubeocean',
        'kubeocean.io/cluster-binding': 'worker1',
        'kubeocean.io/physical-cluster-id': 'cls-worker1',
        'kubeocean.io/physical-node-name': 'node-1',
      },
      annotations: {
        'kubeocean.io/physical-csinode-uid': (await world.p.get(csiNodeKind, { name: 'node-1' })).metadata.uid,
      },
    },
    spec: {
      drivers: [{ name: 'disk.example.com', nodeID: 'i-1', topologyKeys: ['zone'], allocatable: { count: 16 } }],
    },
  });
  expect(copyOf('node-2')).toBeUndefined();
});

test('it follows when a driver comes, and is silent when nothing does', async () => {
  const drivers = [...(copyOf('node-1')!.spec['drivers'] as object[]), { name: 'nfs.example.com', nodeID: 'i-1' }];
  await world.p.patch(csiNodeKind, { name: 'node-1' }, { type: 'merge', body: { spec: { drivers } } });
  await world.clock.advance(1000);
  expect(copyOf('node-1')?.spec['drivers']).toMatchObject([{ name: 'disk.example.com' }, { name: 'nfs.example.com' }]);
  world.forgetRequests();
  await world.clock.advance(600_000);
  expect(world.virtualWrites()).toEqual([]);
});

test('it goes with the physical one', async () => {
  await world.p.delete(csiNodeKind, { name: 'node-1' });
  await world.clock.advance(1000);
  expect(copyOf('node-1')).toBeUndefined();
});

test('it goes with the virtual node', async () => {
  await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
  await world.until(() => world.vnode('node-1') === undefined);
  await world.clock.advance(10_000);
  expect(copyOf('node-1')).toBeUndefined();
});

test('it goes with the virtual node also where nobody collects what is left over', async () => {
  await world.end();
  world = await startVnodeWorld({ virtual: { controllers: ['namespace-controller'] } });
  await world.p.create(csiNodeKind, { metadata: { name: 'node-1' }, spec: { drivers: [] } });
  await world.lend('all');
  await world.clock.advance(5000);
  expect(copyOf('node-1')).toBeDefined();
  await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
  await world.clock.advance(10_000);
  expect(copyOf('node-1')).toBeUndefined();
});

test('one that is not ours is left alone', async () => {
  const foreign = await world.v.create(csiNodeKind, { metadata: { name: vnodeOf('node-2') }, spec: { drivers: [] } });
  await world.p.create(csiNodeKind, {
    metadata: { name: 'node-2' },
    spec: { drivers: [{ name: 'disk.example.com', nodeID: 'i-2' }] },
  });
  await world.clock.advance(60_000);
  expect(copyOf('node-2')?.metadata.resourceVersion).toBe(foreign.metadata.resourceVersion);
});

test('nothing is done to it on the word of a cluster that does not answer', async () => {
  world.physical.faults.crash(world.syncer.userAgent);
  await world.clock.advance(60_000);
  await world.v.delete(csiNodeKind, { name: vnodeOf('node-1') });
  await world.clock.advance(60_000);
  expect(copyOf('node-1')).toBeUndefined();
  world.physical.faults.revive(world.syncer.userAgent);
  await world.until(() => copyOf('node-1') !== undefined);
});
