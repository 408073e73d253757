import { afterEach, describe, expect, test } from 'vitest';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { nodeKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { bindingName } from '../testing/world.ts';
import { startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';
import type { VnodeWorld } from './testing/vnode-world.ts';

let world: VnodeWorld;
afterEach(async () => {
  const cause = world.syncer.failure();
  await world.end();
  if (cause !== undefined) throw new Error('the syncer failed', { cause });
});

async function startLent(options: Parameters<typeof startVnodeWorld>[0] = {}): Promise<void> {
  world = await startVnodeWorld(options);
  await world.lend('all');
  await world.until(() => world.vnode('node-1') !== undefined && world.vnode('node-2') !== undefined);
  await world.clock.advance(10_000);
  world.forgetRequests();
}
const patchPhysical = async (name: string, body: object): Promise<unknown> =>
  world.p.patch(nodeKind, { name }, { type: 'merge', body });
const patchBinding = async (spec: object): Promise<unknown> =>
  world.v.patch(clusterBindingKind, { name: bindingName }, { type: 'merge', body: { spec } });
const onlyNode2 = {
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }] }],
};
const podOn = async (nodeName: string, name: string, more: object = {}): Promise<void> =>
  void (await world.v.create(podKind, {
    metadata: { namespace: 'default', name },
    spec: { containers: [{ name: 'main', image: 'nginx' }], nodeName, ...more },
  }));
const cpuOf = (node: Node | undefined) => node?.status?.allocatable?.['cpu'];

describe('virtual nodes', () => {
  test('there is one for each node that a policy lends, made by one request', async () => {
    world = await startVnodeWorld();
    await world.clock.advance(60_000);
    expect(world.vnode('node-1')).toBeUndefined();
    await world.lend('all');
    await world.until(() => world.vnode('node-1') !== undefined && world.vnode('node-2') !== undefined);
    await world.clock.advance(60_000);
    expect(world.virtualWrites()).toEqual(['POST nodes', 'POST nodes']);
    expect(world.vnode('node-1')?.metadata.labels).toMatchObject({ 'kubeocean.io/physical-node-name': 'node-1' });
    expect(world.vnode('node-1')?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'True' }),
    );
  });

  test('nothing is written while nothing changes (W19)', async () => {
    await startLent();
    await world.clock.advance(3_600_000);
    expect([...world.virtualWrites(), ...world.physicalWrites()]).toEqual([]);
  });

  test('they follow labels and cordons of their physical node', async () => {
    await startLent();
    await patchPhysical('node-1', { metadata: { labels: { zone: 'b' } }, spec: { unschedulable: true } });
    await patchPhysical('node-1', {
      spec: { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
    });
    await world.clock.advance(1000);
    expect(world.vnode('node-1')?.metadata.labels).toMatchObject({ zone: 'b' });
    expect(world.vnode('node-1')?.spec?.taints).toContainEqual(
      expect.objectContaining({ key: 'kubeocean.io/physical-node-unschedulable', effect: 'NoSchedule' }),
    );
    expect(world.virtualWrites()).toHaveLength(1);
  });

  test('labels, annotations and taints that users add are kept', async () => {
    await startLent();
    const body = {
      metadata: { labels: { mine: 'yes' }, annotations: { note: 'mine' } },
      spec: { taints: [...(world.vnode('node-1')?.spec?.taints ?? []), { key: 'mine', effect: 'NoSchedule' }] },
    };
    await world.v.patch(nodeKind, { name: vnodeOf('node-1') }, { type: 'merge', body });
    await patchPhysical('node-1', { metadata: { labels: { zone: 'b' } } });
    await world.clock.advance(1000);
    const { metadata, spec } = world.vnode('node-1')!;
    expect(metadata.labels).toMatchObject({ mine: 'yes', zone: 'b' });
    expect(metadata.annotations).toMatchObject({ note: 'mine' });
    expect(spec?.taints).toContainEqual(expect.objectContaining({ key: 'mine' }));
  });

  test('the default taint goes and comes with the binding', async () => {
    await startLent();
    await patchBinding({ disableNodeDefaultTaint: true });
    await world.clock.advance(1000);
    expect(world.vnode('node-1')?.spec?.taints?.map(({ key }) => key)).not.toContain('kubeocean.io/vnode');
    await patchBinding({ disableNodeDefaultTaint: false });
    await world.clock.advance(1000);
    expect(world.vnode('node-1')?.spec?.taints?.map(({ key }) => key)).toContain('kubeocean.io/vnode');
  });

  test('a node that is not ours but has the name is left alone, and the binding says so', async () => {
    world = await startVnodeWorld();
    const name = vnodeOf('node-1');
    const foreign = await world.v.create(nodeKind, { metadata: { name, labels: { whose: 'not-ours' } } });
    await world.lend('all');
    await world.clock.advance(120_000);
    expect(world.vnode('node-1')?.metadata.resourceVersion).toBe(foreign.metadata.resourceVersion);
    const events = world.virtual.store.list({ group: '', plural: 'events' });
    expect(events).toContainEqual(expect.objectContaining({ reason: 'NodeNameTaken', type: 'Warning' }));
  });
});

describe('resources', () => {
  const foreignPod = async (name: string, cpu: string, more: object = {}): Promise<void> =>
    void (await world.p.create(podKind, {
      metadata: { namespace: 'default', name, ...more },
      spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }], nodeName: 'node-1' },
    }));

  test('are what the pods of others leave, written once for a crowd of them', async () => {
    await startLent();
    expect(cpuOf(world.vnode('node-1'))).toBe('32');
    for (let n = 0; n < 20; n += 1) await foreignPod(`other-${n}`, '100m');
    await world.clock.advance(10_000);
    expect(cpuOf(world.vnode('node-1'))).toBe('30');
    expect(world.virtualWrites()).toEqual(['PATCH nodes/status']);
  });

  test('come back when those pods end or go', async () => {
    await startLent();
    await foreignPod('one', '2');
    await world.clock.advance(10_000);
    expect(cpuOf(world.vnode('node-1'))).toBe('30');
    await world.p.delete(podKind, { namespace: 'default', name: 'one' }, { gracePeriodSeconds: 0 });
    await world.clock.advance(10_000);
    expect(cpuOf(world.vnode('node-1'))).toBe('32');
  });

  test('count pods of another virtual cluster as taken (W1)', async () => {
    await startLent();
    await world.p.create(podKind, {
      metadata: {
        namespace: 'mount',
        name: 'stranger',
        labels: { 'kubeocean.io/managed-by': 'kubeocean' },
        annotations: { 'tributary.io/owner-cls-worker1': 'another' },
      },
      spec: {
        containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '4' } } }],
        nodeName: 'node-1',
      },
    });
    await foreignPod('elsewhere', '2', { labels: { 'kubeocean.io/managed-by': 'kubeocean' } });
    await world.clock.advance(10_000);
    expect(cpuOf(world.vnode('node-1'))).toBe('26');
  });

  test('are limited by quantity, by share, and by both', async () => {
    world = await startVnodeWorld();
    const resourceLimits = [
      { resource: 'cpu', quantity: '8', percent: 50 },
      { resource: 'memory', percent: 25 },
      { resource: 'pods', quantity: 10 },
    ];
    await world.lend('some', { resourceLimits });
    await world.until(() => world.vnode('node-1') !== undefined);
    expect(world.vnode('node-1')?.status?.allocatable).toMatchObject({ cpu: '8', memory: '32Gi', pods: '10' });
    expect(world.vnode('node-1')?.status?.capacity).toEqual(world.vnode('node-1')?.status?.allocatable);
  });

  test('follow the earliest policy', async () => {
    world = await startVnodeWorld();
    await world.lend('b-first', { resourceLimits: [{ resource: 'cpu', quantity: '1' }] });
    await world.clock.advance(5000);
    await world.lend('a-second', { resourceLimits: [{ resource: 'cpu', quantity: '2' }] });
    await world.clock.advance(5000);
    expect(cpuOf(world.vnode('node-1'))).toBe('1');
    expect(world.vnode('node-1')?.metadata.annotations).toMatchObject({ 'kubeocean.io/policies-applied': 'b-first' });
  });
});

describe('a virtual node is emptied and goes', () => {
  const gone = async (): Promise<void> => world.until(() => world.vnode('node-1') === undefined);

  test('when the binding selects others, and comes back with it', async () => {
    await startLent();
    await patchBinding({ nodeSelector: onlyNode2 });
    await gone();
    expect(world.vnode('node-2')).toBeDefined();
    await patchBinding({ nodeSelector: null });
    await world.until(() => world.vnode('node-1') !== undefined);
  });

  test('when the policy is removed', async () => {
    await startLent();
    await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
    await gone();
    expect((await world.p.get(nodeKind, { name: 'node-1' })).metadata.labels).not.toHaveProperty(
      'kubeocean.io/policy-applied',
    );
  });

  test('when the physical node is removed: tainted first, then deleted', async () => {
    await startLent();
    await podOn(vnodeOf('node-1'), 'web');
    await world.p.delete(nodeKind, { name: 'node-1' });
    await world.clock.advance(2000);
    const { metadata, spec } = world.vnode('node-1')!;
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(metadata.annotations).toHaveProperty(['kubeocean.io/deletion-taint-time']);
    expect(spec?.unschedulable).toBe(true);
    expect(spec?.taints).toContainEqual({ key: 'kubeocean.io/vnode-deleting', value: 'true', effect: 'NoSchedule' });
    expect(
      (await world.v.get(podKind, { namespace: 'default', name: 'web' })).metadata.deletionTimestamp,
    ).toBeDefined();
    await world.v.delete(podKind, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await gone();
  });

  test('when the physical node was replaced, and a new one is made for the new machine', async () => {
    await startLent();
    const before = world.vnode('node-1')?.metadata.uid;
    world.physical.faults.add({ match: { verb: 'watch', resource: 'nodes' }, fault: { kind: 'delay-events', ms: 1 } });
    const old = await world.p.get(nodeKind, { name: 'node-1' });
    await world.p.delete(nodeKind, { name: 'node-1' });
    const { uid: _uid, resourceVersion: _version, ...metadata } = old.metadata;
    await world.p.create(nodeKind, { ...old, metadata });
    await world.until(() => ![before, undefined].includes(world.vnode('node-1')?.metadata.uid));
    const made = (await world.p.get(nodeKind, { name: 'node-1' })).metadata.uid;
    expect(world.vnode('node-1')?.metadata.labels).toMatchObject({ 'kubeocean.io/physical-node-uid': made });
  });

  test('only once its pods are gone', async () => {
    await startLent();
    await podOn(vnodeOf('node-1'), 'web');
    await patchBinding({ nodeSelector: onlyNode2 });
    await world.clock.advance(55_000);
    expect(world.vnode('node-1')?.metadata.finalizers).toEqual(['kubeocean.io/vnode']);
    await world.v.delete(podKind, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    // The end of the last pod is what it waits for: nobody has to come by and look.
    await world.clock.advance(1000);
    expect(world.vnode('node-1')).toBeUndefined();
  });

  test('never while P does not answer (W4)', async () => {
    await startLent();
    world.physical.faults.crash(world.syncer.userAgent);
    await world.clock.advance(60_000);
    await patchBinding({ nodeSelector: onlyNode2 });
    await world.clock.advance(600_000);
    expect(world.vnode('node-1')?.metadata.deletionTimestamp).toBeUndefined();
    world.physical.faults.revive(world.syncer.userAgent);
    await world.clock.runUntil(() => world.vnode('node-1') === undefined, 300_000);
  });

  test('by hand, and is made again', async () => {
    await startLent();
    const before = world.vnode('node-1')?.metadata.uid;
    await world.v.delete(nodeKind, { name: vnodeOf('node-1') });
    await world.until(() => ![before, undefined].includes(world.vnode('node-1')?.metadata.uid));
    expect(world.vnode('node-1')?.metadata.finalizers).toEqual(['kubeocean.io/vnode']);
  });
});
