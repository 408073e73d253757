import { configMapKind, defineKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { annotations, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { createWorld } from './testing/world.ts';
import type { RequestLog, World, WorldOptions } from './testing/world.ts';

let world: World;
let physicalLog: RequestLog;
afterEach(async () => world.end());

async function start(options: Partial<WorldOptions> = {}): Promise<void> {
  physicalLog = { requests: [] };
  world = await createWorld({ parts: createDownParts, staticVnodes: true, ...options });
  await world.startSyncer({ physicalLog });
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const physicalPod = async (): Promise<Pod> => world.p.get(podKind, copyOf(web));

async function changeVirtual(body: object): Promise<void> {
  await world.v.patch(podKind, web, { type: 'merge', body });
  await seconds(2);
}

describe('what changes in V while a pod runs', () => {
  test('labels and annotations follow, in one write; what P has of its own stays', async () => {
    await start();
    await world.v.create(podKind, podOf({ metadata: { labels: { a: '1', b: '2' }, annotations: { note: 'x' } } }));
    await seconds(10);
    await world.p.patch(podKind, copyOf(web), {
      type: 'merge',
      body: { metadata: { labels: { theirs: 'kept', b: 'theirs' } } },
    });
    await seconds(2);
    expect((await physicalPod()).metadata.labels).toMatchObject({ b: 'theirs' });
    physicalLog.requests.length = 0;
    await changeVirtual({ metadata: { labels: { a: '3', b: null, c: '4' }, annotations: { note: 'y' } } });
    const { metadata } = await physicalPod();
    expect(metadata.labels).toMatchObject({ a: '3', c: '4', theirs: 'kept', [labels.managedBy]: 'kubeocean' });
    expect(metadata.labels?.['b']).toBeUndefined();
    expect(metadata.annotations).toMatchObject({ note: 'y', [annotations.virtualPodName]: 'web' });
    expect(physicalLog.requests).toEqual(['PATCH pods']);
  });

  test('the deadline and (W21) images and more tolerations follow', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const { spec } = await world.v.get(podKind, web);
    const tolerations = [...(spec.tolerations ?? []), { key: 'new', operator: 'Exists', effect: 'NoSchedule' }];
    const containers = spec.containers.map((container) => ({ ...container, image: 'nginx:2' }));
    await changeVirtual({ spec: { activeDeadlineSeconds: 99, tolerations, containers } });
    const copy = await physicalPod();
    expect(copy.spec.activeDeadlineSeconds).toBe(99);
    expect(copy.spec.containers[0]?.image).toBe('nginx:2');
    expect(copy.spec.tolerations).toContainEqual({ key: 'new', operator: 'Exists', effect: 'NoSchedule' });
  });

  test('an image that P changed by itself is left alone', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const { spec } = await physicalPod();
    const containers = spec.containers.map((container) => ({ ...container, image: 'mirror/nginx' }));
    await world.p.patch(podKind, copyOf(web), { type: 'merge', body: { spec: { containers } } });
    await seconds(60);
    expect((await physicalPod()).spec.containers[0]?.image).toBe('mirror/nginx');
  });

  test('ephemeral containers are added with names translated, and what they name is copied', async () => {
    await start();
    const settings = { namespace: 'default', name: 'settings' };
    await world.v.create(configMapKind, { metadata: settings, data: { a: '1' } });
    await world.v.create(podKind, podOf());
    await seconds(10);
    const debug = {
      name: 'debug',
      image: 'busybox',
      envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
    };
    const body = { spec: { ephemeralContainers: [debug] } };
    await world.v.patchSubresource(podKind, web, 'ephemeralcontainers', { type: 'strategic', body });
    await seconds(2);
    const [added] = (await physicalPod()).spec.ephemeralContainers ?? [];
    expect(added).toMatchObject({ name: 'debug', image: 'busybox' });
    expect(added?.envFrom?.[0]?.configMapRef?.name).toBe(copyOf(settings).name);
    expect((await world.p.get(configMapKind, copyOf(settings))).data).toEqual({ a: '1' });
  });

  test('W21: resources are resized in place', async () => {
    await start();
    const resources = { requests: { cpu: '100m' } };
    await world.v.create(podKind, podOf({ spec: { containers: [{ name: 'main', image: 'nginx', resources }] } }));
    await seconds(10);
    const body = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '200m' } } }] } };
    await world.v.patchSubresource(podKind, web, 'resize', { type: 'strategic', body });
    await seconds(2);
    expect((await physicalPod()).spec.containers[0]?.resources?.requests).toEqual({ cpu: '200m' });
  });
});

describe('pods of DaemonSets', () => {
  const daemonSets = defineKind({
    group: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    scope: 'Namespaced',
  });

  /** The garbage collector takes pods whose owner does not exist. */
  async function createOwner(namespace: string): Promise<Pod['metadata']> {
    const labels = { app: 'agent' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'agent' }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const { metadata } = await world.v.create(daemonSets, { metadata: { namespace, name: 'agent' }, spec });
    return { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: metadata.uid ?? '' }] };
  }

  const cases = [
    { name: 'do not run without the annotation', annotations: {}, byDefault: false, runs: false },
    {
      name: 'do not run with false',
      annotations: { [annotations.runningDaemonset]: 'false' },
      byDefault: false,
      runs: false,
    },
    {
      name: 'do not run with an empty value',
      annotations: { [annotations.runningDaemonset]: '' },
      byDefault: false,
      runs: false,
    },
    { name: 'do not run with another key', annotations: { other: 'true' }, byDefault: false, runs: false },
    {
      name: 'run with the annotation',
      annotations: { [annotations.runningDaemonset]: 'true' },
      byDefault: false,
      runs: true,
    },
    { name: 'run where the binding says so', annotations: {}, byDefault: true, runs: true },
  ];
  for (const { name, annotations: given, byDefault, runs } of cases) {
    test(name, async () => {
      await start({ binding: { runningDaemonsetByDefault: byDefault } });
      const owned = await createOwner('default');
      await world.v.create(podKind, podOf({ metadata: { ...owned, annotations: given } }));
      await seconds(10);
      expect((await find(world.p, podKind, copyOf(web))) !== undefined).toBe(runs);
      await world.v.delete(podKind, web);
      await seconds(60);
      expect(await find(world.v, podKind, web)).toBeUndefined();
      expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    });
  }

  test('in a system namespace never run, nor do other pods there or those that keep ports free', async () => {
    await start({ binding: { runningDaemonsetByDefault: true } });
    const owned = await createOwner('kube-system');
    await world.v.create(podKind, podOf({ metadata: { namespace: 'kube-system', name: 'agent', ...owned } }));
    await world.v.create(podKind, podOf({ metadata: { namespace: 'kube-system', name: 'plain' } }));
    await world.v.create(podKind, podOf({ metadata: { labels: { [labels.hostPortFakePod]: 'true' } } }));
    await seconds(10);
    expect((await world.p.list(podKind, { labelSelector: `${labels.managedBy}=kubeocean` })).items).toEqual([]);
  });
});

describe('a copy that P finds no node for', () => {
  test('is deleted after five minutes, and its owner is told', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true, physicalNodes: ['node-1'] });
    await world.startSyncer();
    const spec = { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '31' } } }] };
    // Somebody in P was faster: V's node does not know of it here.
    await world.p.create(podKind, { metadata: { namespace: 'mount', name: 'big' }, spec });
    await seconds(5);
    await world.v.create(podKind, podOf({ spec }));
    await seconds(240);
    expect(await find(world.p, podKind, copyOf(web))).toBeDefined();
    await seconds(70);
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    expect((await eventsOf(world.v, 'web')).join()).toContain('FailedSchedulingPod');
  });
});
