import { createKubelet, createScheduler } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { createWorld } from '../testing/world.ts';
import type { RunningSyncer, World } from '../testing/world.ts';
import { createPodStatusController } from './pod-status-controller.ts';
import { startCopy } from './testing/start-copy.ts';
import type { StartedCopy } from './testing/start-copy.ts';

const outcome = 'sim-kubernetes.tributary.io/outcome';
const afterMs = 'sim-kubernetes.tributary.io/after-ms';
const uidKey = 'kubeocean.io/physical-pod-uid';

let world: World;
let syncer: RunningSyncer;
let lost: number;
let writes: { requests: string[] };
let reads: { requests: string[] };

beforeEach(async () => {
  lost = 0;
  writes = { requests: [] };
  reads = { requests: [] };
  world = await createWorld({
    staticVnodes: true,
    physical: { actors: [createScheduler(), createKubelet({ nodes: ['node-1', 'node-2'], stopMs: 5000 })] },
    parts: (sides) => [
      createPodStatusController({}, { ...sides, counters: { ...sides.counters, podLost: () => void (lost += 1) } }),
    ],
  });
  syncer = await world.startSyncer({ virtualLog: writes, physicalLog: reads });
  await world.clock.advance(0);
});
afterEach(async () => {
  const cause = syncer.failure();
  await world.end();
  if (cause !== undefined) throw new Error('the syncer failed', { cause });
});

const podOf = async ({ ref }: StartedCopy): Promise<Pod> => world.v.get(podKind, ref);
const phaseOf = (copy: StartedCopy) => syncer.sides.informers.virtual.pods.get(copy.ref)?.status?.phase;
const until = async (copy: StartedCopy, phase: string): Promise<void> =>
  world.clock.runUntil(() => phaseOf(copy) === phase, 60_000);
const removeBelow = async ({ place }: StartedCopy): Promise<void> =>
  void (await world.p.delete(podKind, place, { gracePeriodSeconds: 0 }));
const statusWrites = () => writes.requests.filter((request) => request === 'PATCH pods/status').length;

describe('a pod that runs', () => {
  test('is Running and Ready in V, with the address it has in P, by one write', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    await world.clock.advance(60_000);
    const { status } = await podOf(copy);
    expect(status).toMatchObject({
      phase: 'Running',
      hostIP: '172.18.0.2',
      podIP: expect.stringMatching(/^10\.244\./),
    });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(status?.containerStatuses).toMatchObject([{ name: 'main', ready: true }]);
    expect(statusWrites()).toBe(1);
    expect(reads.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  test('is given its UID in the same write, where it is missing', async () => {
    const copy = await startCopy(world, syncer.sides, { recordUid: false });
    await until(copy, 'Running');
    expect((await podOf(copy)).metadata.annotations).toMatchObject({ [uidKey]: copy.physical.metadata.uid });
    expect(statusWrites()).toBe(1);
  });

  test('keeps labels and annotations that its owner gave it (W6)', async () => {
    const copy = await startCopy(world, syncer.sides, { annotations: { team: 'blue' } });
    await world.p.patch(podKind, copy.place, { type: 'merge', body: { metadata: { labels: { below: 'yes' } } } });
    await until(copy, 'Running');
    const { metadata } = await podOf(copy);
    expect(metadata.annotations).toMatchObject({ team: 'blue' });
    expect(metadata.labels ?? {}).not.toHaveProperty('below');
  });

  test('keeps conditions that only V knows (W6)', async () => {
    const copy = await startCopy(world, syncer.sides);
    const gate = { type: 'example.com/gate', status: 'True' };
    await world.v.patchStatus(podKind, copy.ref, { type: 'strategic', body: { status: { conditions: [gate] } } });
    await until(copy, 'Running');
    expect((await podOf(copy)).status?.conditions).toContainEqual(expect.objectContaining(gate));
  });

  test('is silent once it is told, however long', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    await world.clock.advance(2000);
    writes.requests.length = 0;
    await world.clock.advance(3_600_000);
    expect(writes.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  test('is not called ready by us while P cannot be reached, and is again once it can (W4)', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    world.physical.faults.crash(syncer.userAgent);
    await world.clock.advance(60_000);
    // As V's node lifecycle controller does when the lease of the node has run out.
    const conditions = [{ type: 'Ready', status: 'False', reason: 'NodeNotReady' }];
    await world.v.patchStatus(podKind, copy.ref, { type: 'strategic', body: { status: { conditions } } });
    await world.clock.advance(600_000);
    const readyOf = async () => (await podOf(copy)).status?.conditions?.find(({ type }) => type === 'Ready');
    expect(await readyOf()).toMatchObject({ status: 'False', reason: 'NodeNotReady' });
    world.physical.faults.revive(syncer.userAgent);
    await world.clock.advance(120_000);
    expect(await readyOf()).toMatchObject({ status: 'True' });
  });

  test('is not ready while its physical pod is being deleted (W9)', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    await world.p.delete(podKind, copy.place, { gracePeriodSeconds: 600 });
    await world.clock.advance(10);
    expect((await podOf(copy)).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PhysicalPodTerminating' }),
    );
  });
});

describe('a pod that ends', () => {
  test('has succeeded for good, also when P cleans up (W8)', async () => {
    const copy = await startCopy(world, syncer.sides, {
      annotations: { [outcome]: 'succeed', [afterMs]: '500' },
      spec: { restartPolicy: 'Never' },
    });
    await until(copy, 'Succeeded');
    await removeBelow(copy);
    await world.clock.advance(60_000);
    expect((await podOf(copy)).status).toMatchObject({ phase: 'Succeeded' });
    expect(lost).toBe(0);
  });

  test('tells how it ended even if P cleaned up before V was told (W8)', async () => {
    const copy = await startCopy(world, syncer.sides, {
      annotations: { [outcome]: 'succeed', [afterMs]: '500' },
      spec: { restartPolicy: 'Never' },
    });
    await until(copy, 'Running');
    const failing = world.virtual.faults.add({
      match: { verb: 'patch', resource: 'pods/status' },
      fault: { kind: 'error', status: 500 },
    });
    await world.clock.runUntil(
      () => syncer.sides.informers.physical.pods.get(copy.place)?.status?.phase === 'Succeeded',
      60_000,
    );
    await removeBelow(copy);
    await world.clock.advance(1000);
    failing();
    await until(copy, 'Succeeded');
    expect(lost).toBe(0);
  });

  test('without an end of its own is lost, and counted once', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    await removeBelow(copy);
    await until(copy, 'Failed');
    await world.clock.advance(600_000);
    expect((await podOf(copy)).status).toMatchObject({
      phase: 'Failed',
      reason: 'PhysicalPodLost',
      message: 'Physical pod was deleted unexpectedly',
    });
    expect(lost).toBe(1);
  });

  test('is not lost because P cannot be reached (W4), and is told what happened once it can', async () => {
    const copy = await startCopy(world, syncer.sides);
    await until(copy, 'Running');
    world.physical.faults.crash(syncer.userAgent);
    await removeBelow(copy);
    await world.clock.advance(300_000);
    expect(phaseOf(copy)).toBe('Running');
    world.physical.faults.revive(syncer.userAgent);
    await world.clock.runUntil(() => phaseOf(copy) === 'Failed', 180_000);
    expect((await podOf(copy)).status).toMatchObject({ reason: 'PhysicalPodLost' });
  });
});

describe('whose pod it is', () => {
  const cases = [
    { name: 'another virtual cluster (W1)', physicalAnnotations: { 'tributary.io/owner-cls-worker1': 'another' } },
    {
      name: 'a pod of the same name before this one',
      physicalAnnotations: { 'kubeocean.io/virtual-pod-uid': 'before' },
    },
    { name: 'a pod of another namespace', physicalAnnotations: { 'kubeocean.io/virtual-pod-namespace': 'other' } },
  ];
  for (const { name, physicalAnnotations } of cases) {
    test(`nothing is told about the pod of ${name}, and nothing is done to it`, async () => {
      const copy = await startCopy(world, syncer.sides, { recordUid: false, physicalAnnotations });
      await world.clock.advance(60_000);
      expect(phaseOf(copy)).toBe('Pending');
      expect((await world.p.get(podKind, copy.place)).metadata.deletionTimestamp).toBeUndefined();
    });
  }

  test('a pod that is made again with all its old annotations is not lost (W3)', async () => {
    const before = await startCopy(world, syncer.sides);
    await until(before, 'Running');
    const { annotations = {} } = (await podOf(before)).metadata;
    const nodeName = (await podOf(before)).spec.nodeName ?? '';
    await world.v.delete(podKind, before.ref, { gracePeriodSeconds: 0 });
    await removeBelow(before);
    await world.v.create(podKind, {
      metadata: { ...before.ref, annotations },
      spec: { containers: [{ name: 'main', image: 'nginx' }], nodeName },
    });
    await world.clock.advance(60_000);
    expect(phaseOf(before)).toBe('Pending');
    expect(lost).toBe(0);
  });

  test('a mapping that came with a copied manifest makes no pod lost (W3)', async () => {
    const other = await startCopy(world, syncer.sides);
    await until(other, 'Running');
    const { annotations = {} } = (await podOf(other)).metadata;
    const copied = { namespace: 'default', name: 'clone' };
    const nodeName = (await podOf(other)).spec.nodeName ?? '';
    await world.v.create(podKind, {
      metadata: { ...copied, annotations },
      spec: { containers: [{ name: 'main', image: 'nginx' }], nodeName },
    });
    await world.clock.advance(60_000);
    expect((await world.v.get(podKind, copied)).status?.phase).toBe('Pending');
    expect(lost).toBe(0);
  });
});

test('a physical pod without a node says why in V, and the reason goes when it has one (W10)', async () => {
  const spec = { nodeSelector: { disk: 'fast' } };
  const copy = await startCopy(world, syncer.sides, { unbound: true, spec });
  await world.clock.advance(5000);
  const message = '0/2 nodes are available: ';
  expect((await podOf(copy)).status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Ready',
      status: 'False',
      reason: 'PhysicalUnschedulable',
      message: expect.stringContaining(message),
    }),
  );
  expect(statusWrites()).toBe(1);
  await world.p.patch(
    nodeKind,
    { name: 'node-1' },
    { type: 'merge', body: { metadata: { labels: { disk: 'fast' } } } },
  );
  await until(copy, 'Running');
  expect((await podOf(copy)).status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'True' }),
  );
});
