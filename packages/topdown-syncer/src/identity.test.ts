import { configMapKind } from '@tributary/runtime';
import { startCluster, createScheduler } from '@tributary/sim-kubernetes';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { annotations, ownerAnnotation } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { addBinding, bindingName, clusterId, createWorld, mountNamespace } from './testing/world.ts';
import type { RequestLog, World } from './testing/world.ts';

let world: World;
const others: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await world.end();
  for (const { stop } of others.splice(0)) await stop();
});

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const settings = { namespace: 'default', name: 'settings' };
const usesSettings = { volumes: [{ name: 'c', configMap: { name: 'settings' } }] };

describe('W1: two virtual clusters on one mount namespace', () => {
  async function secondCluster() {
    const crdPaths = [join(import.meta.dirname, '../../../deploy/topdown-syncer/crds')];
    const actors = [createScheduler()];
    const cluster = await startCluster({ clock: world.clock, listen: false, crdPaths, actors });
    others.push(cluster);
    const client = await addBinding(cluster, world.clock, {
      name: bindingName,
      clusterID: clusterId,
      nodes: ['node-1'],
    });
    await world.clock.advance(1000);
    return { cluster, client };
  }

  test('the name that the first one holds is a Warning for the second, which touches nothing, now or when its pod goes', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings, data: { of: 'first' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    const before = [await world.p.get(podKind, copyOf(web)), await world.p.get(configMapKind, copyOf(settings))];
    const { cluster, client } = await secondCluster();
    const physicalLog: RequestLog = { requests: [] };
    const second = await world.startSyncer({ userAgent: 'second', virtualCluster: cluster, physicalLog });
    await client.create(configMapKind, { metadata: settings, data: { of: 'second' } });
    await client.create(podKind, podOf());
    await client.create(podKind, podOf({ metadata: { name: 'other' }, spec: usesSettings }));
    await seconds(60);
    const holder = (await world.v.get(podKind, web)).metadata.uid;
    expect(holder).toBeDefined();
    expect((await eventsOf(client, 'web')).join()).toMatch(
      /NameConflict: Pod mount\/web-\S+ of the physical cluster is held by virtual cluster [0-9a-f-]{36} \(cluster id cls-worker1\)/,
    );
    expect((await eventsOf(client, 'settings')).join()).toContain('NameConflict');
    // It would be given the first cluster's settings.
    expect(await find(world.p, podKind, copyOf({ namespace: 'default', name: 'other' }))).toBeUndefined();
    expect((await eventsOf(client, 'other')).join()).toMatch(
      /FailedCreatePod: ConfigMap mount\/settings-\S+ of the physical cluster is held by virtual cluster [0-9a-f-]{36}/,
    );
    await client.delete(podKind, web, { gracePeriodSeconds: 0 });
    await client.delete(configMapKind, settings);
    await seconds(60);
    expect(await find(client, configMapKind, settings)).toBeUndefined();
    const after = [await world.p.get(podKind, copyOf(web)), await world.p.get(configMapKind, copyOf(settings))];
    expect(after.map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before.map(({ metadata }) => metadata.resourceVersion),
    );
    expect(physicalLog.requests.filter((request) => /DELETE|PATCH/.test(request))).toEqual([]);
    await second.stop();
  });

  test('an optional ConfigMap that only the first one has is not shown to pods of the second', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings, data: { of: 'first' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    const { cluster, client } = await secondCluster();
    const second = await world.startSyncer({ userAgent: 'second', virtualCluster: cluster });
    const optional = { volumes: [{ name: 'c', configMap: { name: 'settings', optional: true } }] };
    await client.create(podKind, podOf({ metadata: { name: 'other' }, spec: optional }));
    await seconds(20);
    const other = copyOf({ namespace: 'default', name: 'other' });
    expect(await find(world.p, podKind, other)).toBeUndefined();
    expect((await eventsOf(client, 'other')).join()).toContain('is held by virtual cluster');
    // When the first one lets go of it, nothing stands in the way.
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await world.v.delete(configMapKind, settings);
    await seconds(20);
    expect(await find(world.p, podKind, other)).toBeDefined();
    await second.stop();
  });

  test("a debug container that names a Secret of the first one's does not come to run", async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings, data: { of: 'first' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    const { cluster, client } = await secondCluster();
    const second = await world.startSyncer({ userAgent: 'second', virtualCluster: cluster });
    const other = { namespace: 'default', name: 'other' };
    await client.create(podKind, podOf({ metadata: other }));
    await seconds(10);
    const debug = {
      name: 'debug',
      image: 'busybox',
      envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
    };
    const body = { spec: { ephemeralContainers: [debug] } };
    await client.patchSubresource(podKind, other, 'ephemeralcontainers', { type: 'strategic', body });
    await seconds(10);
    expect((await world.p.get(podKind, copyOf(other))).spec.ephemeralContainers).toBeUndefined();
    expect((await eventsOf(client, 'other')).join()).toMatch(/FailedUpdatePod: ConfigMap \S+ .*is held by virtual/);
    await second.stop();
  });

  test('with a salt both run side by side', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    await world.startSyncer();
    await world.v.create(podKind, podOf());
    const { cluster, client } = await secondCluster();
    const second = await world.startSyncer({ userAgent: 'second', virtualCluster: cluster, nameSalt: 'second' });
    await client.create(podKind, podOf());
    await seconds(20);
    const uids = await Promise.all([world.v, client].map(async (one) => (await one.get(podKind, web)).metadata.uid));
    const copies = (await world.p.list(podKind, { namespace: mountNamespace })).items;
    expect(new Set(copies.map(({ metadata }) => metadata.annotations?.[annotations.virtualPodUid]))).toEqual(
      new Set(uids),
    );
    await second.stop();
  });
});

describe('what the original left behind', () => {
  /** Undoes all that the original would not have written. */
  async function forgetMarks(): Promise<void> {
    const strip = (draft: Record<string, unknown>): void => {
      const metadata = draft['metadata'] as { annotations?: Record<string, string> };
      const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith('tributary.io/'));
      metadata.annotations = Object.fromEntries(kept);
    };
    await world.virtual.client.change({ group: '', plural: 'pods' }, web, strip);
    await world.physical.client.change({ group: '', plural: 'pods' }, copyOf(web), strip);
    await world.physical.client.change({ group: '', plural: 'configmaps' }, copyOf(settings), strip);
  }

  test('is adopted and stamped once: the same pod runs on, and deletion works', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const first = await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await first.stop();
    await forgetMarks();
    const before = await world.p.get(podKind, copyOf(web));
    const physicalLog: RequestLog = { requests: [] };
    await world.startSyncer({ userAgent: 'next', physicalLog });
    await seconds(60);
    const after = await world.p.get(podKind, copyOf(web));
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.metadata.annotations?.[ownerAnnotation(clusterId)]).toBeDefined();
    const copy = await world.p.get(configMapKind, copyOf(settings));
    expect(copy.metadata.annotations?.[ownerAnnotation(clusterId)]).toBeDefined();
    expect(physicalLog.requests.filter((request) => !request.startsWith('GET')).toSorted()).toEqual([
      'PATCH configmaps',
      'PATCH pods',
    ]);
    await world.v.delete(podKind, web);
    await world.v.delete(configMapKind, settings);
    await seconds(90);
    expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toEqual([]);
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
  });

  test('whose pod in V has another UID is a conflict, not ours', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const first = await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(10);
    await first.stop();
    await forgetMarks();
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await world.v.create(podKind, podOf());
    const before = await world.p.get(podKind, copyOf(web));
    await world.startSyncer({ userAgent: 'next' });
    await seconds(60);
    expect((await world.p.get(podKind, copyOf(web))).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await eventsOf(world.v, 'web')).join()).toContain('NameConflict');
  });
});
