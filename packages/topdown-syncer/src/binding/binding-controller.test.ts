import { configMapKind, namespaceKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { claimKind, nodeKind, nodeLeaseKind, volumeKind } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { createDownParts } from '../down-parts.ts';
import type { OpenSides } from '../open-sides.ts';
import type { SyncerOptions } from '../syncer-options.ts';
import { eventsOf, find, podOf, web } from '../testing/objects.ts';
import { bindingName, createWorld, mountNamespace } from '../testing/world.ts';
import type { RequestLog, RunningSyncer, World } from '../testing/world.ts';
import { createPodStatusController } from '../up/pod-status-controller.ts';
import { createVnodeParts } from '../vnode/create-vnode-parts.ts';
import { createPhysicalPing } from '../vnode/physical-ping.ts';
import { createBindingController } from './binding-controller.ts';

let world: World;
let syncer: RunningSyncer;
afterEach(async () => {
  const cause = syncer.failure();
  await world.end();
  if (cause !== undefined) throw new Error('the syncer failed', { cause });
});

function parts(opened: OpenSides, options: SyncerOptions) {
  const ping = createPhysicalPing({}, opened);
  const sides = { ...opened, ping, ready: () => ping.answers() && opened.ready() };
  return [
    ping,
    ...createDownParts(sides, options),
    createPodStatusController({}, sides),
    ...createVnodeParts({}, sides).runnables,
    createBindingController({ manageStatus: true }, sides),
  ];
}

async function start(virtualLog: RequestLog = { requests: [] }): Promise<void> {
  world = await createWorld({ parts, binding: { disableNodeDefaultTaint: true } });
  await world.p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: bindingName } });
  syncer = await world.startSyncer({ virtualLog });
  await world.clock.advance(10_000);
}

const binding = async (): Promise<ClusterBinding | undefined> =>
  find(world.v, clusterBindingKind, { name: bindingName });
const bindingGone = (): boolean =>
  world.virtual.store.get({ group: 'cloud.tencent.com', plural: 'clusterbindings' }, { name: bindingName }) ===
  undefined;
const settings = { namespace: 'default', name: 'settings' };

/** A pod with a ConfigMap, a Secret and a token, running. */
async function runPod(): Promise<void> {
  // As V's node lifecycle controller does when it hears of a new node that is ready.
  for (const { metadata } of (await world.v.list(nodeKind)).items) {
    const patch = { type: 'merge', body: { spec: { taints: [] } } } as const;
    await world.v.patch(nodeKind, { name: metadata.name ?? '' }, patch);
  }
  await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
  await world.v.create(secretKind, { metadata: settings, data: { a: 'MQ==' } });
  const volumes = [
    { name: 'c', configMap: { name: 'settings' } },
    { name: 's', secret: { secretName: 'settings' } },
  ];
  await world.v.create(podKind, podOf({ spec: { volumes, automountServiceAccountToken: true } }));
  await world.clock.advance(20_000);
  expect((await world.v.get(podKind, web)).status?.phase).toBe('Running');
}

describe('a ClusterBinding', () => {
  test('W18: whose mount namespace is changed is served where it was, and says so once', async () => {
    await start();
    await runPod();
    const change = async (namespace: string): Promise<void> => {
      const body = { spec: { mountNamespace: namespace } };
      await world.v.patch(clusterBindingKind, { name: bindingName }, { type: 'merge', body });
      await world.clock.advance(30_000);
    };
    const warnings = async () => (await eventsOf(world.v, bindingName)).filter((text) => text.startsWith('FixedField'));
    await change('elsewhere');
    expect(await warnings()).toEqual([
      expect.stringContaining('the syncer goes on with spec.mountNamespace mount: what it has made would be stranded'),
    ]);
    expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toHaveLength(1);
    await change(mountNamespace);
    expect(await warnings()).toHaveLength(1);
  });

  test('has the finalizer of its syncer and, on request, a status', async () => {
    await start();
    expect((await binding())?.metadata.finalizers).toEqual(['kubeocean.io/clusterbinding-syncer']);
    expect((await binding())?.status).toMatchObject({ phase: 'Ready' });
  });

  test('says that its cluster does not answer, and that it does again (W18)', async () => {
    await start();
    world.physical.faults.crash(syncer.userAgent);
    await world.clock.advance(60_000);
    expect((await binding())?.status).toMatchObject({ phase: 'Failed' });
    expect((await binding())?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Connected', status: 'False', reason: 'ConnectivityFailed' }),
    );
    world.physical.faults.revive(syncer.userAgent);
    await world.clock.advance(60_000);
    expect((await binding())?.status).toMatchObject({ phase: 'Ready' });
  });

  test('is not written because time passes', async () => {
    const log = { requests: [] as string[] };
    await start(log);
    log.requests.length = 0;
    await world.clock.advance(600_000);
    expect(log.requests.filter((request) => request.includes('clusterbindings'))).toEqual([]);
  });
});

describe('a ClusterBinding that is deleted', () => {
  test('leaves both sides clean: no node, pod, copy, token, finalizer, label or annotation of ours', async () => {
    await start();
    await runPod();
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.runUntil(bindingGone, 600_000);
    await world.clock.advance(10_000);
    expect((await world.v.list(nodeKind)).items).toEqual([]);
    expect((await world.v.list(nodeLeaseKind, { namespace: 'kube-node-lease' })).items).toEqual([]);
    expect((await world.v.list(podKind)).items).toEqual([]);
    for (const kind of [podKind, configMapKind, secretKind, claimKind]) {
      const { items } = await world.p.list(kind, { namespace: mountNamespace });
      expect(items.filter(({ metadata }) => metadata.labels?.['kubeocean.io/managed-by'] === 'kubeocean')).toEqual([]);
    }
    expect((await world.p.list(volumeKind)).items).toEqual([]);
    const kept = [await world.v.get(configMapKind, settings), await world.v.get(secretKind, settings)];
    for (const { metadata } of kept) {
      expect(metadata.finalizers ?? []).toEqual([]);
      expect(Object.keys({ ...metadata.labels, ...metadata.annotations })).toEqual([]);
    }
    expect((await world.p.get(resourceLeasingPolicyKind, { name: 'all' })).metadata.finalizers ?? []).toEqual([]);
    for (const name of ['node-1', 'node-2']) {
      expect((await world.p.get(nodeKind, { name })).metadata.labels).not.toHaveProperty('kubeocean.io/policy-applied');
    }
  });

  test('makes no virtual node again once it is gone', async () => {
    await start();
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.runUntil(bindingGone, 600_000);
    await world.p.patch(nodeKind, { name: 'node-1' }, { type: 'merge', body: { metadata: { labels: { zone: 'b' } } } });
    await world.clock.advance(60_000);
    expect((await world.v.list(nodeKind)).items).toEqual([]);
  });

  test('waits while its cluster does not answer, and nothing is deleted meanwhile (W4)', async () => {
    await start();
    await runPod();
    world.physical.faults.crash(syncer.userAgent);
    await world.clock.advance(60_000);
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.advance(600_000);
    expect((await binding())?.metadata.finalizers).toEqual(['kubeocean.io/clusterbinding-syncer']);
    expect((await world.v.get(podKind, web)).metadata.deletionTimestamp).toBeUndefined();
    expect((await world.v.list(nodeKind)).items).toHaveLength(2);
    world.physical.faults.revive(syncer.userAgent);
    await world.clock.runUntil(bindingGone, 600_000);
  });

  test('does not call a cluster clean that it cannot see (W4)', async () => {
    world = await createWorld({ parts });
    syncer = await world.startSyncer();
    await world.clock.advance(10_000);
    world.physical.faults.crash(syncer.userAgent);
    await world.clock.advance(60_000);
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.advance(120_000);
    expect((await binding())?.metadata.finalizers).toEqual(['kubeocean.io/clusterbinding-syncer']);
  });

  test("waits for what is ours in P, and not for what is another one's (W1)", async () => {
    await start();
    const identity = syncer.sides.identity.virtualCluster;
    const secret = (name: string, owner: string) =>
      world.p.create(secretKind, {
        metadata: {
          namespace: mountNamespace,
          name,
          labels: { 'kubeocean.io/managed-by': 'kubeocean' },
          annotations: { 'tributary.io/owner-cls-worker1': owner, 'kubeocean.io/virtual-name': name },
          finalizers: ['example.com/hold'],
        },
      });
    await secret('ours', identity);
    await secret('theirs', 'another');
    await world.clock.advance(1000);
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.advance(300_000);
    expect(bindingGone()).toBe(false);
    await world.p.delete(secretKind, { namespace: mountNamespace, name: 'ours' });
    const body = { metadata: { finalizers: null } };
    await world.p.patch(secretKind, { namespace: mountNamespace, name: 'ours' }, { type: 'merge', body });
    await world.clock.runUntil(bindingGone, 600_000);
    const theirs = await world.p.get(secretKind, { namespace: mountNamespace, name: 'theirs' });
    expect(theirs.metadata.deletionTimestamp).toBeUndefined();
  });

  test('says what it waits for', async () => {
    await start();
    await runPod();
    await world.v.patch(podKind, web, { type: 'merge', body: { metadata: { finalizers: ['example.com/hold'] } } });
    await world.v.delete(clusterBindingKind, { name: bindingName });
    await world.clock.advance(30_000);
    const events = world.virtual.store.list({ group: '', plural: 'events' });
    expect(events).toContainEqual(
      expect.objectContaining({
        reason: 'Releasing',
        message: expect.stringMatching(/^waiting until \d virtual nodes are emptied$/),
      }),
    );
    await world.v.patch(podKind, web, { type: 'merge', body: { metadata: { finalizers: null } } });
    await world.clock.runUntil(bindingGone, 600_000);
    expect(await find(world.v, namespaceKind, { name: 'default' })).toBeDefined();
  });
});
