import { namespaceKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { annotations, labels, ownerAnnotation } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { clusterId, createWorld } from './testing/world.ts';
import type { RunningSyncer, World, WorldOptions } from './testing/world.ts';
import { createPodStatusController } from './up/pod-status-controller.ts';

let world: World;
afterEach(async () => world.end());

async function start(): Promise<RunningSyncer> {
  const parts: WorldOptions['parts'] = (sides, options) => [
    ...createDownParts(sides, options),
    createPodStatusController({}, sides),
  ];
  world = await createWorld({ parts, staticVnodes: true });
  return world.startSyncer();
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const virtualPod = async (): Promise<Pod | undefined> => find(world.v, podKind, web);
const physicalPod = async (): Promise<Pod | undefined> => find(world.p, podKind, copyOf(web));

/** What is in P by its name was made for this very pod. */
async function expectOwnCopy(): Promise<void> {
  const [virtual, physical] = [await virtualPod(), await physicalPod()];
  expect(physical?.metadata.annotations?.[annotations.virtualPodUid]).toBe(virtual?.metadata.uid);
  expect(virtual?.metadata.annotations?.[annotations.physicalPodUid]).toBe(physical?.metadata.uid);
}

async function setPhase(phase: string, more: object = {}): Promise<void> {
  await world.v.patchStatus(podKind, web, { type: 'merge', body: { status: { phase, ...more } } });
}

describe('a pod whose copy is gone', () => {
  test('is lost: Failed with PhysicalPodLost, and never created again', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await seconds(10);
    expect((await virtualPod())?.status).toMatchObject({
      phase: 'Failed',
      reason: 'PhysicalPodLost',
      message: 'Physical pod was deleted unexpectedly',
    });
    await seconds(600);
    expect(await physicalPod()).toBeUndefined();
  });

  test('W8: stays Succeeded when it was, and never runs again', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    await setPhase('Succeeded');
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await seconds(600);
    expect((await virtualPod())?.status?.phase).toBe('Succeeded');
    expect(await physicalPod()).toBeUndefined();
  });

  test('is lost even if somebody took its annotations away: what has run does not run again', async () => {
    const syncer = await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    await setPhase('Running', { startTime: '2026-01-05T12:00:00Z' });
    await syncer.stop();
    await world.virtual.client.change({ group: '', plural: 'pods' }, web, (draft) => {
      (draft['metadata'] as Record<string, unknown>)['annotations'] = {};
    });
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await world.startSyncer({ userAgent: 'next' });
    await seconds(60);
    expect((await virtualPod())?.status?.phase).toBe('Failed');
    expect(await physicalPod()).toBeUndefined();
  });
});

describe('W3: mapping annotations that a user set', () => {
  test('a copied manifest gets a copy of its own and leaves the other alone', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const first = await virtualPod();
    const before = await physicalPod();
    const clone = { namespace: 'default', name: 'clone' };
    await world.v.create(
      podKind,
      podOf({ metadata: { ...clone, labels: { who: 'clone' }, annotations: first?.metadata.annotations ?? {} } }),
    );
    await seconds(10);
    const made = await find(world.p, podKind, copyOf(clone));
    const cloned = await find(world.v, podKind, clone);
    expect(made?.metadata.annotations?.[annotations.virtualPodUid]).toBe(cloned?.metadata.uid);
    expect(cloned?.metadata.annotations).toMatchObject({
      [annotations.physicalPodName]: copyOf(clone).name,
      [annotations.physicalPodUid]: made?.metadata.uid,
    });
    expect((await physicalPod())?.metadata).toMatchObject({
      uid: before?.metadata.uid,
      resourceVersion: before?.metadata.resourceVersion,
    });
  });

  test('a manifest that was saved, deleted and applied again runs again', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const saved = await virtualPod();
    await world.v.delete(podKind, web);
    await seconds(60);
    expect(await virtualPod()).toBeUndefined();
    await world.v.create(podKind, podOf({ metadata: { annotations: saved?.metadata.annotations ?? {} } }));
    await seconds(10);
    expect((await physicalPod())?.metadata.annotations?.[annotations.virtualPodUid]).toBe(
      (await virtualPod())?.metadata.uid,
    );
  });

  test('a namespace of P cannot be chosen, nor can marks be forged', async () => {
    await start();
    const forged = {
      [annotations.physicalPodNamespace]: 'kube-system',
      [annotations.physicalPodName]: 'kube-dns',
      [annotations.virtualPodUid]: 'another',
      [ownerAnnotation('cls-other')]: 'another-cluster',
    };
    await world.v.create(podKind, podOf({ metadata: { annotations: forged, labels: { [labels.managedBy]: 'me' } } }));
    await seconds(10);
    const copy = await physicalPod();
    expect(copy?.metadata.annotations?.[annotations.virtualPodUid]).toBe((await virtualPod())?.metadata.uid);
    expect(copy?.metadata.annotations?.[ownerAnnotation('cls-other')]).toBeUndefined();
    expect(copy?.metadata.labels?.[labels.managedBy]).toBe('kubeocean');
  });
});

describe('a name that a pod of P holds which no syncer made', () => {
  test('is told, and tried again: nobody says when it is free', async () => {
    await start();
    await world.p.create(podKind, podOf({ metadata: copyOf(web) }));
    await world.v.create(podKind, podOf());
    await seconds(20);
    expect((await eventsOf(world.v, 'web')).join()).toMatch(/NameConflict: .* held by somebody who is no syncer/);
    expect((await virtualPod())?.metadata.annotations).not.toHaveProperty([annotations.physicalPodUid]);
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await seconds(60);
    await expectOwnCopy();
  });

  test('is waited for while that pod is on its way out', async () => {
    await start();
    await world.p.create(podKind, podOf({ metadata: { ...copyOf(web), finalizers: ['example.com/slow'] } }));
    await world.p.delete(podKind, copyOf(web), { gracePeriodSeconds: 0 });
    await world.v.create(podKind, podOf());
    await seconds(20);
    const events = (await eventsOf(world.v, 'web')).join();
    expect(events).toContain('is still being deleted');
    expect(events).not.toContain('NameConflict');
    await world.p.patch(podKind, copyOf(web), { type: 'merge', body: { metadata: { finalizers: null } } });
    await seconds(90);
    await expectOwnCopy();
  });
});

test('the copy of a pod that had the name before goes, also where P is slow to say that it is there', async () => {
  const late = { match: { verb: 'watch', resource: 'pods' }, fault: { kind: 'delay-events', ms: 5000 } } as const;
  world = await createWorld({ parts: createDownParts, staticVnodes: true, physical: { faults: [late] } });
  const { sides } = await world.startSyncer();
  await world.clock.runUntil(() => sides.ready(), 60_000);
  const { uid = '' } = (await world.v.get(namespaceKind, { name: 'kube-system' })).metadata;
  const before = {
    [annotations.virtualPodNamespace]: 'default',
    [annotations.virtualPodName]: 'web',
    [annotations.virtualPodUid]: 'before',
    [ownerAnnotation(clusterId)]: uid,
  };
  const marks = { labels: { [labels.managedBy]: 'kubeocean' }, annotations: before };
  await world.p.create(podKind, podOf({ metadata: { ...copyOf(web), ...marks } }));
  await world.v.create(podKind, podOf());
  await seconds(120);
  await expectOwnCopy();
  expect((await eventsOf(world.v, 'web')).join()).not.toContain('NameConflict');
});
