import { defineKind, eventKind, namespaceKind } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import { labels } from './contract/keys.ts';
import { createPhysicalName } from './contract/names.ts';
import { podKind } from './contract/pod.ts';
import { leftIn, objectsOf, parts, permutations } from './testing/deletion-orders.ts';
import { podOf } from './testing/objects.ts';
import { mountNamespace, refusals, startPhysical, startVirtual, until, untilOpen } from './testing/real-world.ts';
import type { PhysicalSide, VirtualSide } from './testing/real-world.ts';

// Volumes of V on two real clusters, whose controllers bind, protect and refuse as they do everywhere. In order: each test goes on where the
// one before it ended.

const classes = defineKind({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  scope: 'Cluster',
});

let physical: PhysicalSide;
let virtual: VirtualSide;
let v: KubeClient;
let p: KubeClient;
beforeAll(async () => {
  physical = await startPhysical(['node-1', 'node-2']);
  virtual = await startVirtual(physical, { binding: 'worker1', clusterId: 'cls-worker1' });
  [v, p] = [virtual.client, physical.client];
  for (const name of ['node-1', 'node-2']) await labelHost(name);
  virtual.startSyncer();
  await untilOpen(virtual, 2);
  await v.create(namespaceKind, { metadata: { name: 'team' } });
}, 240_000);
afterAll(async () => {
  await virtual?.stop();
  await physical?.stop();
}, 60_000);

/** As its kubelet does. */
async function labelHost(name: string): Promise<void> {
  const body = { metadata: { labels: { [labels.hostname]: `${name}.example.com` } } };
  await p.patch(nodeKind, { name }, { type: 'merge', body });
}

const physicalName = createPhysicalName();
const data = { namespace: 'team', name: 'data' };
const dataCopy = { namespace: mountNamespace, name: physicalName(data) };
const diskCopy = { name: physicalName({ name: 'disk' }) };
const vnode = 'vnode-cls-worker1-node-2';

async function untilRunning(namespace: string, name: string): Promise<void> {
  await until(`${name} runs`, async () => (await v.get(podKind, { namespace, name })).status?.phase === 'Running');
}

test('a volume that is tied to one virtual node is tied to the physical one behind it, and its pod runs there', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };
  await v.create(classes, {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  });
  const matchExpressions = [{ key: labels.hostname, operator: 'In', values: [vnode] }];
  const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
  await v.create(volumeKind, {
    metadata: { name: 'disk' },
    spec: { ...spec, capacity: { storage: '1Gi' }, local: { path: '/disk' }, nodeAffinity },
  });
  const resources = { requests: { storage: '1Gi' } };
  await v.create(claimKind, { metadata: data, spec: { ...spec, resources } });
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }];
  await until('its account is there', async () => {
    await v.create(podKind, podOf({ metadata: { namespace: 'team' }, spec: { volumes } }));
    return true;
  });
  await untilRunning('team', 'web');
  expect((await v.get(podKind, { namespace: 'team', name: 'web' })).spec.nodeName).toBe(vnode);
  const copy = await p.get(podKind, {
    namespace: mountNamespace,
    name: physicalName({ namespace: 'team', name: 'web' }),
  });
  expect(copy.spec.nodeName).toBe('node-2');
  expect((await p.get(claimKind, dataCopy)).status?.phase).toBe('Bound');
}, 150_000);

test('a volume that grows in V grows in P, and what else V says of its claim follows', async () => {
  const merge = (body: object) => ({ type: 'merge', body }) as const;
  const resources = { requests: { storage: '2Gi' } };
  await v.patch(claimKind, data, merge({ metadata: { labels: { tier: 'gold' } }, spec: { resources } }));
  // As V's resizer does, once the volume is larger.
  await v.patch(volumeKind, { name: 'disk' }, merge({ spec: { capacity: { storage: '2Gi' } } }));
  await until(
    'the volume has grown',
    async () => (await p.get(volumeKind, diskCopy)).spec?.capacity?.['storage'] === '2Gi',
  );
  await until(
    'the label is there',
    async () => (await p.get(claimKind, dataCopy)).metadata.labels?.['tier'] === 'gold',
  );
  const { items } = await v.list(eventKind, { namespace: 'team' });
  expect(items.filter(({ reason }) => reason === 'FailedUpdateCopy')).toEqual([]);
}, 150_000);

test('a pod and all that it names may be deleted in any of 120 orders: nothing is left, nothing gets stuck', async () => {
  const orders = permutations(parts).map((order, index) => ({ order, objects: objectsOf(`order-${index}`) }));
  const all = async (act: (order: (typeof orders)[number]) => Promise<unknown>): Promise<void> =>
    void (await Promise.all(orders.map(act)));
  for (const part of ['volume', 'claim', 'configMap', 'secret', 'pod'] as const) {
    await all(async ({ objects }) => v.create(objects[part].kind, objects[part].object));
  }
  await until(
    'all run',
    async () => {
      const { items } = await p.list(podKind, { namespace: mountNamespace });
      return items.filter(({ status }) => status?.phase === 'Running').length === 121;
    },
    150_000,
  );
  for (const step of parts.keys()) {
    await all(async ({ order, objects }) => {
      const { kind, ref } = objects[order[step] ?? 'pod'];
      await v.delete(kind, ref);
    });
  }
  await v.delete(namespaceKind, { name: 'team' });
  await v.delete(volumeKind, { name: 'disk' });
  let left: readonly string[] = [];
  await until('nothing is left', async () => (left = await leftIn(v, p, mountNamespace)).length === 0, 240_000).catch(
    () => undefined,
  );
  expect(left).toEqual([]);
  expect(refusals(virtual.said())).toEqual([]);
}, 600_000);
