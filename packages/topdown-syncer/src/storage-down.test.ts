import { namespaceKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import { annotations, clusterFinalizer, labels, ownerAnnotation } from './contract/keys.ts';
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

  async function createStorage(withSecret: boolean, more: object = {}): Promise<void> {
    const source = withSecret ? { csi } : { hostPath: { path: '/data' } };
    await world.v.create(volumeKind, {
      metadata: disk,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        persistentVolumeReclaimPolicy: 'Delete',
        ...source,
        ...more,
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

  test('W16: of a volume that is tied to a virtual node runs on the physical one behind it', async () => {
    await start();
    await world.p.patch(
      nodeKind,
      { name: 'node-2' },
      { type: 'merge', body: { metadata: { labels: { [labels.hostname]: 'host-2' } } } },
    );
    const matchExpressions = [{ key: labels.hostname, operator: 'In', values: [`vnode-${clusterId}-node-2`] }];
    await createStorage(false, { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } });
    await world.v.create(podKind, podOf({ spec: { ...usesData, nodeName: `vnode-${clusterId}-node-2` } }));
    await seconds(10);
    const { spec } = await world.p.get(volumeKind, diskCopy);
    expect(spec?.['nodeAffinity']).toEqual({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ ...matchExpressions[0], values: ['host-2'] }] }] },
    });
    expect((await world.p.get(podKind, copyOf(web))).status?.phase).toBe('Running');
  });

  test('W16: of a volume that grows in V grows with it in P; the claim is left as P wants it, but for what V says about it', async () => {
    const physicalLog = { requests: [] as string[] };
    await start({ physicalLog });
    await createStorage(false);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(10);
    physicalLog.requests.length = 0;
    const merge = (body: object) => ({ type: 'merge', body }) as const;
    const resources = { requests: { storage: '2Gi' } };
    await world.v.patch(claimKind, data, merge({ metadata: { labels: { tier: 'gold' } }, spec: { resources } }));
    await world.v.patch(volumeKind, disk, merge({ spec: { capacity: { storage: '2Gi' } } }));
    await seconds(5);
    expect((await world.p.get(volumeKind, diskCopy)).spec?.capacity).toEqual({ storage: '2Gi' });
    const copy = await world.p.get(claimKind, copyOf(data));
    expect(copy.metadata.labels).toMatchObject({ tier: 'gold' });
    expect(copy.spec?.resources).toEqual({ requests: { storage: '1Gi' } });
    await seconds(1800);
    expect(physicalLog.requests.toSorted()).toEqual(['PATCH persistentvolumeclaims', 'PATCH persistentvolumes']);
  });

  test('W1: is not bound to a volume of P that another virtual cluster put there by that name', async () => {
    await start();
    const theirs = {
      [annotations.virtualName]: 'disk',
      [annotations.virtualNamespace]: '',
      [ownerAnnotation('cls-other')]: 'u',
    };
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/theirs' } };
    const marks = { labels: { [labels.managedBy]: 'kubeocean' }, annotations: theirs };
    await world.p.create(volumeKind, { metadata: { ...diskCopy, ...marks }, spec });
    await createStorage(false);
    await world.v.create(podKind, podOf({ spec: usesData }));
    await seconds(30);
    expect(await find(world.p, claimKind, copyOf(data))).toBeUndefined();
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    expect((await eventsOf(world.v, 'web')).join()).toMatch(
      /PersistentVolume disk-\S+ .* is held by virtual cluster u/,
    );
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
