import { namespaceKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { claimKind, volumeKind } from './contract/cluster-kinds.ts';
import { annotations, clusterFinalizer, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { clusterId, createWorld } from './testing/world.ts';
import type { World } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function start(more: Parameters<World['startSyncer']>[0] = {}): Promise<void> {
  world = await createWorld({ parts: createDownParts, staticVnodes: true });
  await world.startSyncer(more);
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

describe('a claim', () => {
  const data = { namespace: 'default', name: 'data' };
  const disk = { name: 'disk' };
  const diskCopy = { name: copyOf({ name: 'disk' }).name };
  const csiSecret = { namespace: 'storage', name: 'csi' };
  const usesData: Partial<Pod['spec']> = { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] };
  const csi = {
    driver: 'csi.example.com',
    volumeHandle: 'h',
    nodePublishSecretRef: csiSecret,
    nodeStageSecretRef: csiSecret,
  };

  async function createStorage(withSecret: boolean): Promise<void> {
    const source = withSecret ? { csi } : { hostPath: { path: '/data' } };
    await world.v.create(volumeKind, {
      metadata: disk,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        persistentVolumeReclaimPolicy: 'Delete',
        ...source,
      },
    });
    await world.v.create(claimKind, {
      metadata: data,
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
    });
    await seconds(2);
  }

  test('comes with its volume, both are bound in P, and the pod runs', async () => {
    await start();
    await createStorage(false);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    const volume = await world.p.get(volumeKind, diskCopy);
    expect(volume.spec).toMatchObject({ persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'fast' });
    expect(volume.metadata.annotations).toMatchObject({
      [annotations.virtualName]: 'disk',
      [annotations.virtualNamespace]: '',
    });
    const claim = await world.p.get(claimKind, copyOf(data));
    expect(claim.spec).toMatchObject({ volumeName: diskCopy.name, storageClassName: '' });
    expect(claim.status?.phase).toBe('Bound');
    expect((await world.p.get(podKind, copyOf(web))).status?.phase).toBe('Running');
    const original = await world.v.get(volumeKind, disk);
    expect(original.metadata.annotations).toMatchObject({
      [annotations.physicalName]: diskCopy.name,
      [annotations.physicalNamespace]: '',
    });
    expect(original.metadata.finalizers).toContain(clusterFinalizer(clusterId));
  });

  test('that is not bound keeps the pod waiting, with the reason in an event', async () => {
    await start();
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'none',
      resources: { requests: { storage: '1Gi' } },
    };
    await world.v.create(claimKind, { metadata: data, spec });
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    expect((await eventsOf(world.v, 'web')).join()).toContain('PersistentVolumeClaim data is not bound');
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
  });

  test('W16: every Secret of its volume is copied where the driver looks for it', async () => {
    await start({ csiSecretNamespaces: ['storage'] });
    for (const client of [world.v, world.p]) await client.create(namespaceKind, { metadata: { name: 'storage' } });
    await world.v.create(secretKind, { metadata: csiSecret, data: { a: 'MQ==' } });
    await createStorage(true);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    const place = { namespace: 'storage', name: copyOf(csiSecret).name };
    const copy = await world.p.get(secretKind, place);
    expect(copy.metadata.labels).toMatchObject({ [labels.usedByPv]: 'true' });
    expect((await world.v.get(secretKind, csiSecret)).metadata.labels).toMatchObject({ [labels.usedByPv]: 'true' });
    const volume = await world.p.get(volumeKind, diskCopy);
    expect(volume.spec?.csi).toMatchObject({ nodePublishSecretRef: place, nodeStageSecretRef: place });
    expect(await find(world.p, secretKind, copyOf(csiSecret))).toBeUndefined();
    await world.v.delete(secretKind, csiSecret);
    await seconds(5);
    expect(await find(world.p, secretKind, place)).toBeUndefined();
    expect(await find(world.v, secretKind, csiSecret)).toBeUndefined();
  });

  test('waits for a Secret of its volume that is not there, says so, and goes on when it comes', async () => {
    await start({ csiSecretNamespaces: ['storage'] });
    await world.v.create(namespaceKind, { metadata: { name: 'storage' } });
    await world.p.create(namespaceKind, { metadata: { name: 'storage' } });
    await createStorage(true);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    expect(await eventsOf(world.v, 'web')).toContain(
      'FailedCreatePod: Secret storage/csi of PersistentVolume disk not found',
    );
    await world.v.create(secretKind, { metadata: csiSecret, data: {} });
    await seconds(5);
    expect((await world.p.get(podKind, copyOf(web))).status?.phase).toBe('Running');
  });

  test('W17: whose Secret lies in a namespace that no flag lists says so in a Warning', async () => {
    await start();
    await world.v.create(namespaceKind, { metadata: { name: 'storage' } });
    await world.v.create(secretKind, { metadata: csiSecret, data: {} });
    await createStorage(true);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    expect(await eventsOf(world.v, 'data')).toContain(
      'IncompleteCopy: Secret storage/csi, which the driver of its volume needs, is not copied to the physical cluster: ' +
        '--csi-secret-namespaces does not list storage',
    );
    expect((await world.v.get(secretKind, csiSecret)).metadata.finalizers).toBeUndefined();
  });

  test('goes in both clusters, with its volume, when both are deleted in V', async () => {
    await start();
    await createStorage(false);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    await world.v.delete(podKind, web);
    await seconds(60);
    await world.v.delete(claimKind, data);
    await world.v.delete(volumeKind, disk);
    await seconds(30);
    expect(await find(world.v, claimKind, data)).toBeUndefined();
    expect(await find(world.p, claimKind, copyOf(data))).toBeUndefined();
    expect(await find(world.v, volumeKind, disk)).toBeUndefined();
    expect(await find(world.p, volumeKind, diskCopy)).toBeUndefined();
  });

  test('whose copy was lost in P is copied again', async () => {
    await start();
    await createStorage(false);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    await world.v.delete(podKind, web);
    await seconds(60);
    await world.p.delete(claimKind, copyOf(data));
    await seconds(10);
    expect((await world.p.get(claimKind, copyOf(data))).spec?.volumeName).toBe(diskCopy.name);
  });
});
