import { setTimeout as wait } from 'node:timers/promises';
import { configMapKind, eventKind, namespaceKind } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { nodeKind } from './contract/cluster-kinds.ts';
import { annotations, labels } from './contract/keys.ts';
import { createPhysicalName } from './contract/names.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { mountNamespace, startPhysical, startVirtual, until, untilOpen } from './testing/real-world.ts';
import type { PhysicalSide, RealSyncer, VirtualSide } from './testing/real-world.ts';

// What goes wrong between two real clusters, and for how long. In order: each test goes on where the one before it ended.

let physical: PhysicalSide;
let virtual: VirtualSide;
let other: VirtualSide;
let syncer: RealSyncer;
let v: KubeClient;
let p: KubeClient;
beforeAll(async () => {
  physical = await startPhysical(['node-1', 'node-2']);
  virtual = await startVirtual(physical, { binding: 'worker1', clusterId: 'cls-worker1' });
  other = await startVirtual(physical, { binding: 'worker2', clusterId: 'cls-worker2' });
  [v, p] = [virtual.client, physical.client];
  syncer = virtual.startSyncer();
  await untilOpen(virtual, 2);
}, 300_000);
afterAll(async () => {
  await Promise.all([virtual?.stop(), other?.stop()]);
  await physical?.stop();
}, 120_000);

const managed = `${labels.managedBy}=kubeocean`;
const physicalName = createPhysicalName();
const copyOf = (name: string) => ({ namespace: mountNamespace, name: physicalName({ namespace: 'default', name }) });

function podOf(name: string, app: string): Pod {
  const containers = [{ name: 'main', image: 'nginx' }];
  return { metadata: { namespace: 'default', name, labels: { app } }, spec: { containers } };
}

async function createMany(client: KubeClient, app: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${app}-${index}`);
  // A server that is being restarted refuses; a person would try again, too.
  const create = async (name: string): Promise<void> =>
    until(`${name} is there`, async () => {
      await client
        .create(podKind, podOf(name, app))
        .catch(async () => client.get(podKind, { namespace: 'default', name }));
      return true;
    });
  await Promise.all(names.map(create));
}

async function listed(client: KubeClient, namespace: string, app: string): Promise<readonly Pod[]> {
  return (await client.list(podKind, { namespace, labelSelector: `app=${app}` })).items;
}

/** All run in V, each has exactly one copy in P, and V knows it. */
async function expectRunning(app: string, count: number): Promise<void> {
  await until(
    `${count} pods of ${app} run`,
    async () => {
      const pods = await listed(v, 'default', app);
      return pods.length === count && pods.every(({ status }) => status?.phase === 'Running');
    },
    180_000,
  );
  const copies = await listed(p, mountNamespace, app);
  expect(copies).toHaveLength(count);
  const uids = new Map(copies.map(({ metadata }) => [metadata.annotations?.[annotations.virtualPodUid], metadata.uid]));
  for (const { metadata } of await listed(v, 'default', app)) {
    expect(metadata.annotations?.[annotations.physicalPodUid]).toBe(uids.get(metadata.uid));
  }
}

const uidsOf = (pods: readonly Pod[]): readonly string[] =>
  pods.map(({ metadata }) => metadata.uid ?? '').toSorted((a, b) => (a < b ? -1 : 1));

test('either API server may be restarted in a burst', async () => {
  for (const [app, plane] of [
    ['restart-v', virtual.plane],
    ['restart-p', physical.plane],
  ] as const) {
    const creating = createMany(v, app, 40);
    await wait(500);
    await plane.restartApiServer();
    await creating;
    await expectRunning(app, 40);
  }
  expect(syncer.hasEnded()).toBe(false);
}, 400_000);

test('the link is lost for two minutes: nothing is deleted, and what was asked for meanwhile is done afterwards', async () => {
  const before = uidsOf(await listed(p, mountNamespace, 'restart-v'));
  const pid = physical.plane.pids()['kube-apiserver'] ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    await v.delete(podKind, { namespace: 'default', name: 'restart-p-0' });
    await createMany(v, 'meanwhile', 3);
    await wait(120_000);
    expect(await listed(v, 'default', 'restart-v')).toHaveLength(40);
    expect(
      (await v.get(podKind, { namespace: 'default', name: 'restart-p-0' })).metadata.deletionTimestamp,
    ).toBeDefined();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expectRunning('meanwhile', 3);
  await expectRunning('restart-p', 39);
  await expectRunning('restart-v', 40);
  expect(uidsOf(await listed(p, mountNamespace, 'restart-v'))).toEqual(before);
}, 500_000);

test('of two syncers one works, and the other goes on when it dies', async () => {
  const second = virtual.startSyncer();
  await wait(5000);
  await createMany(v, 'two', 10);
  await expectRunning('two', 10);
  await syncer.kill();
  await createMany(v, 'after', 10);
  await expectRunning('after', 10);
  await expectRunning('two', 10);
  syncer = second;
}, 300_000);

test('a second virtual cluster on the same namespace touches nothing of the first, and is told who holds its names', async () => {
  const before = uidsOf((await p.list(podKind, { namespace: mountNamespace })).items);
  const theirs = other.startSyncer();
  await untilOpen(other, 2);
  await createMany(other.client, 'two', 1);
  const first = await v.get(namespaceKind, { name: 'kube-system' });
  await until('it is told who holds the name', async () => {
    const { items } = await other.client.list(eventKind, { namespace: 'default' });
    return items.some(
      ({ reason, message }) => reason === 'NameConflict' && message.includes(first.metadata.uid ?? '?'),
    );
  });
  await wait(10_000);
  expect(uidsOf((await p.list(podKind, { namespace: mountNamespace })).items)).toEqual(before);
  await theirs.stop();
  const salted = other.startSyncer('--name-salt=other');
  await until('with a salt it runs', async () => {
    const [pod] = await listed(other.client, 'default', 'two');
    return pod?.status?.phase === 'Running';
  });
  await other.client.delete(clusterBindingKind, { name: 'worker2' });
  await until(
    'the second leaves',
    async () => (await other.client.list(clusterBindingKind)).items.length === 0,
    150_000,
  );
  await salted.stop();
  expect(uidsOf((await p.list(podKind, { namespace: mountNamespace })).items)).toEqual(before);
}, 400_000);

test('a pod and what it names may be deleted in any order', async () => {
  const orders = [
    ['Pod', 'ConfigMap'],
    ['ConfigMap', 'Pod'],
  ] as const;
  for (const [index, order] of orders.entries()) {
    const name = `order-${index}`;
    const settings = { namespace: 'default', name };
    await v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    const pod = podOf(name, name);
    const volumes = [{ name: 'c', configMap: { name } }];
    await v.create(podKind, { ...pod, spec: { ...pod.spec, volumes } });
    await expectRunning(name, 1);
    for (const kind of order) await v.delete(kind === 'Pod' ? podKind : configMapKind, settings);
    await until('both are gone in V and in P', async () => {
      const left = await Promise.all([
        v.list(podKind, { namespace: 'default', labelSelector: `app=${name}` }),
        v.list(configMapKind, { namespace: 'default', fieldSelector: `metadata.name=${name}` }),
        p.list(podKind, { namespace: mountNamespace, labelSelector: `app=${name}` }),
        p.list(configMapKind, { namespace: mountNamespace, fieldSelector: `metadata.name=${copyOf(name).name}` }),
      ]);
      return left.every(({ items }) => items.length === 0);
    });
  }
}, 200_000);

test('the binding that is deleted leaves nothing of itself in either cluster', async () => {
  await v.delete(clusterBindingKind, { name: 'worker1' });
  await until('the binding is gone', async () => (await v.list(clusterBindingKind)).items.length === 0, 240_000);
  expect((await v.list(nodeKind)).items).toEqual([]);
  expect((await v.list(podKind, { namespace: 'default' })).items).toEqual([]);
  expect((await p.list(podKind, { namespace: mountNamespace })).items).toEqual([]);
  expect((await p.list(configMapKind, { labelSelector: managed })).items).toEqual([]);
  for (const { metadata } of (await v.list(configMapKind)).items) {
    expect([metadata.finalizers, metadata.labels?.[labels.managedBy]]).toEqual([undefined, undefined]);
  }
}, 400_000);
