import { configMapKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { annotations, clusterFinalizer, deletingAnnotation, labels, ownerAnnotation } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { addBinding, bindingName, clusterId, createWorld } from './testing/world.ts';
import type { World, WorldOptions } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const settings = { namespace: 'default', name: 'settings' };
const usesSettings = { volumes: [{ name: 'c', configMap: { name: 'settings' } }] };
/** P is slow to say what becomes of ConfigMaps. */
const late = { match: { verb: 'watch', resource: 'configmaps' }, fault: { kind: 'delay-events', ms: 5000 } } as const;

describe('what somebody in P put in the place of a copy', () => {
  test('is not overwritten, even before we hear that the copy is gone', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true, physical: { faults: [late] } });
    await world.startSyncer();
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await world.v.create(podKind, podOf({ spec: usesSettings }));
    await seconds(20);
    await world.p.delete(configMapKind, copyOf(settings));
    await world.p.create(configMapKind, { metadata: copyOf(settings), data: { theirs: '1' } });
    await world.v.patch(configMapKind, settings, { type: 'merge', body: { data: { a: '2' } } });
    await seconds(60);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ theirs: '1' });
    expect((await eventsOf(world.v, 'settings')).join()).toContain('is held by somebody who is no syncer');
  });
});

describe('W7: an object that two bindings share', () => {
  const onOne = { nodeName: `vnode-${clusterId}-node-1`, ...usesSettings };
  const onTwo = { nodeName: 'vnode-cls-two-node-3', ...usesSettings };

  async function startBoth(): Promise<void> {
    await addBinding(world.virtual, world.clock, { name: 'worker2', clusterID: 'cls-two', nodes: ['node-3'] });
    await world.startSyncer();
    await world.startSyncer({ userAgent: 'two', clusterBindingName: 'worker2' });
  }

  async function share(options: Partial<WorldOptions> = {}): Promise<void> {
    world = await createWorld({ parts: createDownParts, staticVnodes: true, ...options });
    await startBoth();
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: onOne }));
    await world.v.create(podKind, podOf({ metadata: { name: 'web-two' }, spec: onTwo }));
    await seconds(20);
  }

  async function leave(annotations: Readonly<Record<string, string>>): Promise<void> {
    await world.v.patch(configMapKind, settings, { type: 'merge', body: { metadata: { annotations } } });
  }

  test('stays the same for one that began to use it before the one that leaves has heard of it', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true, physical: { faults: [late] } });
    await startBoth();
    await world.v.create(configMapKind, { metadata: settings });
    await world.v.create(podKind, podOf({ spec: onOne }));
    await seconds(20);
    const { uid } = (await world.p.get(configMapKind, copyOf(settings))).metadata;
    await world.v.delete(podKind, web);
    await seconds(60);
    await world.v.create(podKind, podOf({ metadata: { name: 'web-two' }, spec: onTwo }));
    await seconds(1);
    await leave({ [deletingAnnotation(clusterId)]: bindingName });
    await seconds(60);
    const left = await world.p.get(configMapKind, copyOf(settings));
    expect([left.metadata.uid, left.metadata.annotations?.[ownerAnnotation(clusterId)]]).toEqual([uid, undefined]);
  });

  test('goes with the last one, also where that one has not yet heard that the other has left', async () => {
    await share({ physical: { faults: [late] } });
    for (const name of ['web', 'web-two']) await world.v.delete(podKind, { namespace: 'default', name });
    await seconds(60);
    for (const marks of [
      { [deletingAnnotation('cls-two')]: 'worker2' },
      { [deletingAnnotation(clusterId)]: bindingName },
    ]) {
      await leave(marks);
      await seconds(1);
    }
    await seconds(60);
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
    expect((await world.v.get(configMapKind, settings)).metadata.finalizers).toBeUndefined();
  });

  test('is marked by both; the first to leave takes its mark, the last one the copy, and nothing gets stuck', async () => {
    await share();
    const shared = await world.p.get(configMapKind, copyOf(settings));
    expect(Object.keys(shared.metadata.annotations ?? {})).toEqual(
      expect.arrayContaining([ownerAnnotation(clusterId), ownerAnnotation('cls-two')]),
    );
    expect(new Set((await world.v.get(configMapKind, settings)).metadata.finalizers)).toEqual(
      new Set([clusterFinalizer('cls-two'), clusterFinalizer(clusterId)]),
    );
    await world.v.delete(podKind, { namespace: 'default', name: 'web-two' });
    await seconds(60);
    await leave({ [deletingAnnotation('cls-two')]: 'worker2' });
    await seconds(10);
    const left = await world.p.get(configMapKind, copyOf(settings));
    expect(left.metadata.annotations?.[ownerAnnotation('cls-two')]).toBeUndefined();
    const original = await world.v.get(configMapKind, settings);
    expect(original.metadata.finalizers).toEqual([clusterFinalizer(clusterId)]);
    expect(original.metadata.annotations?.[annotations.physicalName]).toBe(copyOf(settings).name);
    expect(original.metadata.labels?.[labels.managedBy]).toBe('kubeocean');
    await world.v.delete(configMapKind, settings);
    await seconds(10);
    expect(await find(world.v, configMapKind, settings)).toBeUndefined();
    expect(await find(world.p, configMapKind, copyOf(settings))).toBeUndefined();
    expect((await world.v.get(clusterBindingKind, { name: 'worker2' })).spec.clusterID).toBe('cls-two');
  });
});
