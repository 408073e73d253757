import { configMapKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import {
  annotations,
  clusterFinalizer,
  deletingAnnotation,
  labels,
  ownerAnnotation,
  syncedByLabel,
} from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { bindingName, clusterId, createWorld, mountNamespace } from './testing/world.ts';
import type { RequestLog, World } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function start(more: Parameters<World['startSyncer']>[0] = {}): Promise<void> {
  world = await createWorld({ parts: createDownParts, staticVnodes: true });
  await world.startSyncer(more);
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const settings = { namespace: 'default', name: 'settings' };
const usesSettings: Partial<Pod['spec']> = { volumes: [{ name: 'c', configMap: { name: 'settings' } }] };
const held = {
  labels: { [labels.managedBy]: 'kubeocean', [syncedByLabel(clusterId)]: 'true' },
  finalizers: [clusterFinalizer(clusterId)],
};

describe('a ConfigMap that a pod names', () => {
  test('is held in V, copied to P, and the pod runs with the copy', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: { ...settings, labels: { app: 'x' } }, data: { a: '1' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    const [original, copy] = [
      await world.v.get(configMapKind, settings),
      await world.p.get(configMapKind, copyOf(settings)),
    ];
    expect(original.metadata).toMatchObject({
      ...held,
      annotations: {
        [annotations.physicalName]: copyOf(settings).name,
        [annotations.physicalNamespace]: mountNamespace,
      },
    });
    expect(copy).toMatchObject({
      metadata: {
        labels: { app: 'x', [labels.managedBy]: 'kubeocean' },
        annotations: { [annotations.virtualName]: 'settings', [annotations.virtualNamespace]: 'default' },
      },
      data: { a: '1' },
    });
    expect(copy.metadata.annotations?.[ownerAnnotation(clusterId)]).toMatch(/^[0-9a-f-]{36}$/);
    const pod = await world.p.get(podKind, copyOf(web));
    expect(pod.spec.volumes?.[0]?.configMap?.name).toBe(copyOf(settings).name);
    expect(pod.status?.phase).toBe('Running');
  });

  test('may come late: the pod says what it waits for and runs as soon as it is there', async () => {
    await start();
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(30);
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    expect(await eventsOf(world.v, 'web')).toContain('FailedCreatePod: ConfigMap default/settings not found');
    await world.v.create(configMapKind, { metadata: settings, data: {} });
    await seconds(1);
    expect(await find(world.p, podKind, copyOf(web))).toBeDefined();
  });

  test('that P does not take at the moment is tried again, and its pod runs once it is there', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const match = { verb: 'create', resource: 'configmaps', userAgent: 'syncer' };
    const mend = world.physical.faults.add({ match, fault: { kind: 'error', status: 500 } });
    await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings, data: {} });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(30);
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    mend();
    await seconds(60);
    expect((await world.p.get(podKind, copyOf(web))).status?.phase).toBe('Running');
  });

  test('that is optional and missing is not waited for, and is copied when it comes', async () => {
    await start();
    const spec = { volumes: [{ name: 'c', configMap: { name: 'settings', optional: true } }] };
    await world.v.create(podKind, podOf({ spec }));
    await seconds(10);
    expect(await find(world.p, podKind, copyOf(web))).toBeDefined();
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await seconds(1);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ a: '1' });
  });

  test('changes in P as it changes in V: data, and (W15) labels alone', async () => {
    await start();
    await world.v.create(configMapKind, {
      metadata: { ...settings, labels: { app: 'x', old: 'y' } },
      data: { a: '1', b: '2' },
    });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await world.v.patch(configMapKind, settings, { type: 'merge', body: { data: { a: '3', b: null } } });
    await seconds(1);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ a: '3' });
    await world.v.patch(configMapKind, settings, {
      type: 'merge',
      body: { metadata: { labels: { app: 'z', old: null } } },
    });
    await seconds(1);
    const { labels: now } = (await world.p.get(configMapKind, copyOf(settings))).metadata;
    expect(now).toEqual({ app: 'z', [labels.managedBy]: 'kubeocean' });
  });

  test('W15: what somebody changed in P is repaired, what somebody added there stays', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    const body = { data: { a: 'drift', more: 'x' }, metadata: { labels: { theirs: 'kept' } } };
    await world.p.patch(configMapKind, copyOf(settings), { type: 'merge', body });
    await seconds(1);
    const copy = await world.p.get(configMapKind, copyOf(settings));
    expect(copy.data).toEqual({ a: '1' });
    expect(copy.metadata.labels?.['theirs']).toBe('kept');
    await world.p.delete(configMapKind, copyOf(settings));
    await seconds(1);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ a: '1' });
  });

  test('whose new content P refuses says so, and what V says about it follows all the same', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await world.p.patch(configMapKind, copyOf(settings), { type: 'merge', body: { immutable: true } });
    const body = { data: { a: '2' }, metadata: { labels: { app: 'x' } } };
    await world.v.patch(configMapKind, settings, { type: 'merge', body });
    await seconds(5);
    const copy = await world.p.get(configMapKind, copyOf(settings));
    expect([copy.data, copy.metadata.labels?.['app']]).toEqual([{ a: '1' }, 'x']);
    expect((await eventsOf(world.v, 'settings')).join()).toMatch(/FailedUpdateCopy: .*immutable/);
  });

  test('goes in both clusters when it is deleted in V', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await world.v.delete(configMapKind, settings);
    await seconds(5);
    expect(await find(world.v, configMapKind, settings)).toBeUndefined();
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
  });

  test('is given up when the binding asks for it: the copy goes, the original is as it was', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: { ...settings, labels: { app: 'x' } } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await seconds(60);
    const body = { metadata: { annotations: { [deletingAnnotation(clusterId)]: bindingName } } };
    await world.v.patch(configMapKind, settings, { type: 'merge', body });
    await seconds(5);
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
    const { metadata } = await world.v.get(configMapKind, settings);
    expect(metadata.labels).toEqual({ app: 'x' });
    expect(metadata.annotations).toBeUndefined();
    expect(metadata.finalizers).toBeUndefined();
  });

  test('that nobody names is never touched', async () => {
    await start();
    await world.v.create(configMapKind, { metadata: settings });
    await seconds(60);
    expect((await world.v.get(configMapKind, settings)).metadata.finalizers).toBeUndefined();
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
  });

  test('whose name in P is taken by somebody else gives a Warning that names the holder, and blocks nothing in V', async () => {
    await start();
    await world.p.create(configMapKind, { metadata: copyOf(settings), data: { theirs: '1' } });
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    expect(await eventsOf(world.v, 'settings')).toEqual([expect.stringContaining('somebody who is no syncer')]);
    // It would start with what is somebody else's.
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    await world.v.delete(podKind, web);
    await world.v.delete(configMapKind, settings);
    await seconds(60);
    expect(await find(world.v, configMapKind, settings)).toBeUndefined();
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ theirs: '1' });
  });

  test('costs two writes in V and P together, however many pods name it, and none when all is quiet', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const [virtualLog, physicalLog]: RequestLog[] = [{ requests: [] }, { requests: [] }];
    await world.startSyncer({ virtualLog: virtualLog!, physicalLog: physicalLog! });
    await world.v.create(configMapKind, { metadata: settings });
    for (let i = 0; i < 5; i += 1) {
      await world.v.create(podKind, podOf({ metadata: { name: `web-${i}` }, spec: usesSettings }));
    }
    await seconds(10);
    expect(virtualLog!.requests.filter((request) => request.endsWith('configmaps'))).toEqual(['PATCH configmaps']);
    expect(physicalLog!.requests.filter((request) => request.endsWith('configmaps'))).toEqual(['POST configmaps']);
    const before = [virtualLog!.requests.length, physicalLog!.requests.length];
    await seconds(250);
    expect([virtualLog!.requests.length, physicalLog!.requests.length]).toEqual(before);
  });
});

describe('what no pod names any more', () => {
  async function runAndEnd(more: Parameters<World['startSyncer']>[0]): Promise<void> {
    await start(more);
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeDefined();
    await world.v.delete(podKind, web);
    await seconds(60);
    expect(await find(world.v, podKind, web)).toBeUndefined();
  }

  test('stays in P, as the original has it', async () => {
    await runAndEnd({});
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeDefined();
    expect((await world.v.get(configMapKind, settings)).metadata).toMatchObject(held);
  });

  test('W15: is collected where that is wanted: the copy goes, the original is as it was, and comes again with a pod', async () => {
    await runAndEnd({ collectUnused: true });
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
    const { metadata, data } = await world.v.get(configMapKind, settings);
    expect([metadata.labels, metadata.annotations, metadata.finalizers]).toEqual([undefined, undefined, undefined]);
    expect(data).toEqual({ a: '1' });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ a: '1' });
  });
});

describe('a Secret', () => {
  const key = { namespace: 'default', name: 'key' };
  const usesKey: Partial<Pod['spec']> = {
    containers: [{ name: 'main', image: 'nginx', envFrom: [{ secretRef: { name: 'key' } }] }],
  };

  test('is copied with its type, and made anew when its type changes', async () => {
    await start();
    await world.v.create(secretKind, { metadata: key, type: 'example.com/a', data: { a: 'MQ==' } });
    await world.v.create(podKind, podOf({ spec: usesKey }));
    await seconds(10);
    expect(await world.p.get(secretKind, copyOf(key))).toMatchObject({ type: 'example.com/a', data: { a: 'MQ==' } });
    await world.v.delete(secretKind, key);
    await seconds(5);
    await world.v.create(secretKind, { metadata: key, type: 'example.com/b', data: { a: 'Mg==' } });
    await seconds(10);
    expect(await world.p.get(secretKind, copyOf(key))).toMatchObject({ type: 'example.com/b', data: { a: 'Mg==' } });
  });

  test('W15: of a service account becomes Opaque in P', async () => {
    await start();
    const type = 'kubernetes.io/service-account-token';
    const metadata = { ...key, annotations: { 'kubernetes.io/service-account.name': 'default' } };
    await world.v.create(secretKind, { metadata, type, data: { a: 'MQ==' } });
    await world.v.create(podKind, podOf({ spec: usesKey }));
    await seconds(10);
    expect((await world.p.get(secretKind, copyOf(key))).type).toBe('Opaque');
  });

  test('W14: that is only a pull secret and missing keeps no pod from running', async () => {
    await start();
    await world.v.create(podKind, podOf({ spec: { imagePullSecrets: [{ name: 'key' }] } }));
    await seconds(10);
    const pod = await world.p.get(podKind, copyOf(web));
    expect(pod.spec.imagePullSecrets).toEqual([{ name: copyOf(key).name }]);
  });
});
