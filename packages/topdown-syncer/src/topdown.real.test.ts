import { configMapKind, defineKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { AnyObject, KubeClient, ObjectRef } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import { annotations, clusterFinalizer, labels } from './contract/keys.ts';
import { createPhysicalName } from './contract/names.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { mountNamespace, refusals, startPhysical, startVirtual, until, untilOpen } from './testing/real-world.ts';
import type { PhysicalSide, RealSyncer, VirtualSide } from './testing/real-world.ts';

// Workloads of V on two real clusters; the syncer is a process with its own rights. In order: each test goes on where the one before it ended.

const apps = { group: 'apps', version: 'v1', scope: 'Namespaced' } as const;
const deployments = defineKind({ ...apps, kind: 'Deployment', plural: 'deployments' });
const statefulSets = defineKind({ ...apps, kind: 'StatefulSet', plural: 'statefulsets' });
const reviews = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview', plural: 'tokenreviews' };
const tokenReviews = defineKind({ ...reviews, scope: 'Cluster' });
const jobs = defineKind({ group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', scope: 'Namespaced' });

let physical: PhysicalSide;
let virtual: VirtualSide;
let syncer: RealSyncer;
let real: { readonly v: KubeClient; readonly p: KubeClient };
beforeAll(async () => {
  physical = await startPhysical(['node-1', 'node-2']);
  virtual = await startVirtual(physical, { binding: 'worker1', clusterId: 'cls-worker1' });
  real = { v: virtual.client, p: physical.client };
  syncer = virtual.startSyncer();
  await untilOpen(virtual, 2);
  await real.v.create(namespaceKind, { metadata: { name: 'team' } });
  await until(
    'the accounts are there',
    async () => (await real.v.list(configMapKind, { namespace: 'team' })).items.length > 0,
  );
}, 240_000);
afterAll(async () => {
  await virtual?.stop();
  await physical?.stop();
}, 60_000);

/** It comes about, sooner or later. */
async function expectSoon(what: string, holds: () => Promise<boolean>, limitMs?: number): Promise<void> {
  await until(what, holds, limitMs);
}

const physicalName = createPhysicalName();
const copyOf = (ref: ObjectRef): ObjectRef => ({ namespace: mountNamespace, name: physicalName(ref) });
const managed = `${labels.managedBy}=kubeocean`;

async function podsOf(app: string): Promise<readonly Pod[]> {
  return (await real.v.list(podKind, { namespace: 'team', labelSelector: `app=${app}` })).items;
}

async function copiesOf(app: string): Promise<readonly Pod[]> {
  return (await real.p.list(podKind, { namespace: mountNamespace, labelSelector: `app=${app}` })).items;
}

async function expectRunning(app: string, count: number): Promise<void> {
  await expectSoon(`${count} pods of ${app} run`, async () => {
    const pods = await podsOf(app);
    return pods.length === count && pods.every(({ status }) => status?.phase === 'Running');
  });
}

function templateOf(app: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec } };
}

test('a Deployment with a ConfigMap, a Secret and the usual token runs, and its copies say whose they are', async () => {
  await real.v.create(configMapKind, { metadata: { namespace: 'team', name: 'settings' }, data: { a: '1' } });
  await real.v.create(secretKind, { metadata: { namespace: 'team', name: 'key' }, data: { k: 'MQ==' } });
  const volumes = [
    { name: 'c', configMap: { name: 'settings' } },
    { name: 's', secret: { secretName: 'key' } },
  ];
  const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: templateOf('web', { volumes }) };
  await real.v.create(deployments, { metadata: { namespace: 'team', name: 'web' }, spec });
  await expectRunning('web', 3);
  const copies = (await real.p.list(podKind, { namespace: mountNamespace, labelSelector: 'app=web' })).items;
  expect(copies).toHaveLength(3);
  for (const { metadata, spec: is } of copies) {
    expect(metadata.labels).toMatchObject({ [labels.workloadType]: 'deployment', [labels.workloadName]: 'web' });
    expect(is.volumes?.filter(({ projected }) => projected)).toHaveLength(1);
    expect(JSON.stringify(is.volumes)).not.toContain('serviceAccountToken');
    expect(is['priority']).toBe(-10_000);
  }
  const tokens = await real.p.list(secretKind, {
    namespace: mountNamespace,
    labelSelector: `${labels.serviceAccountToken}=true`,
  });
  expect(tokens.items).toHaveLength(3);
  const token = Buffer.from(tokens.items[0]?.data?.['token'] ?? '', 'base64').toString();
  const { status } = await real.v.create(tokenReviews, { metadata: {}, spec: { token } });
  const user = { username: 'system:serviceaccount:team:default' };
  expect(status).toMatchObject({ authenticated: true, user });
});

test('what changes in V changes in P', async () => {
  const settings = { namespace: 'team', name: 'settings' };
  await real.v.patch(configMapKind, settings, { type: 'merge', body: { data: { a: '2' } } });
  await expectSoon(
    'the copy follows',
    async () => (await real.p.get(configMapKind, copyOf(settings))).data?.['a'] === '2',
  );
  const key = { namespace: 'team', name: 'key' };
  await real.v.patch(secretKind, key, {
    type: 'merge',
    body: { data: { k: 'Mg==' }, metadata: { labels: { new: 'x' } } },
  });
  await expectSoon('the Secret follows, with its labels', async () => {
    const copy = await real.p.get(secretKind, copyOf(key));
    return copy.data?.['k'] === 'Mg==' && copy.metadata.labels?.['new'] === 'x';
  });
  const [pod] = await podsOf('web');
  const ref = { namespace: 'team', name: pod?.metadata.name ?? '' };
  const containers = pod?.spec.containers.map((container) => ({ ...container, image: 'nginx:2' }));
  await real.v.patch(podKind, ref, {
    type: 'merge',
    body: { metadata: { labels: { extra: 'y' } }, spec: { containers } },
  });
  await expectSoon('the pod follows', async () => {
    const copy = await real.p.get(podKind, copyOf(ref));
    return copy.metadata.labels?.['extra'] === 'y' && copy.spec.containers[0]?.image === 'nginx:2';
  });
});

test('a pod that is deleted in V goes in P, and its successor runs', async () => {
  const [pod] = await podsOf('web');
  const ref = { namespace: 'team', name: pod?.metadata.name ?? '' };
  await real.v.delete(podKind, ref);
  await expectSoon('its copy is gone', async () => {
    const { items } = await real.p.list(podKind, { namespace: mountNamespace });
    return !items.some(({ metadata }) => metadata.annotations?.[annotations.virtualPodUid] === pod?.metadata.uid);
  });
  await expectRunning('web', 3);
});

test('a pod that is deleted in P is lost in V, and its owner makes another', async () => {
  const [pod] = await podsOf('web');
  const ref = { namespace: 'team', name: pod?.metadata.name ?? '' };
  await real.p.delete(podKind, copyOf(ref), { gracePeriodSeconds: 0 });
  await expectSoon(
    'the pod is lost',
    async () => (await real.v.get(podKind, ref)).status?.reason === 'PhysicalPodLost',
  );
  await expectSoon(
    'another runs',
    async () => (await podsOf('web')).filter(({ status }) => status?.phase === 'Running').length === 3,
  );
  await real.v.delete(podKind, ref);
});

test('a StatefulSet with a volume runs, is bound in P, and can be deleted and made again', async () => {
  const source = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };
  await real.v.create(volumeKind, { metadata: { name: 'disk' }, spec: { ...source, hostPath: { path: '/data' } } });
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } },
  };
  const spec = {
    replicas: 1,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: templateOf('db'),
    volumeClaimTemplates: [claim],
  };
  const set: AnyObject = { metadata: { namespace: 'team', name: 'db' }, spec };
  await real.v.create(statefulSets, set);
  await expectRunning('db', 1);
  const data = { namespace: 'team', name: 'data-db-0' };
  const copy = await real.p.get(claimKind, copyOf(data));
  expect(copy.status?.phase).toBe('Bound');
  expect(copy.spec?.volumeName).toBe(physicalName({ name: 'disk' }));
  await real.v.delete(statefulSets, { namespace: 'team', name: 'db' });
  await expectSoon('its pod is gone', async () => (await podsOf('db')).length === 0);
  await real.v.create(statefulSets, set);
  await expectRunning('db', 1);
});

test('a Job ends, and stays ended when P cleans up', async () => {
  const done = { 'pod-complete.stage.kwok.x-k8s.io': 'true' };
  const template = {
    metadata: { labels: { app: 'job' }, annotations: done },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] },
  };
  await real.v.create(jobs, { metadata: { namespace: 'team', name: 'job' }, spec: { template } });
  await expectSoon(
    'its pod is in P',
    async () =>
      (await real.p.list(podKind, { namespace: mountNamespace, labelSelector: 'app=job' })).items.length === 1,
  );
  const [copy] = (await real.p.list(podKind, { namespace: mountNamespace, labelSelector: 'app=job' })).items;
  const ref = { namespace: mountNamespace, name: copy?.metadata.name ?? '' };
  await expectSoon('it has run', async () => (await real.p.get(podKind, ref)).status?.phase !== 'Pending');
  await real.p.patchStatus(podKind, ref, { type: 'merge', body: { status: { phase: 'Succeeded' } } });
  await expectSoon('the Job is complete', async () => {
    const { status } = await real.v.get(jobs, { namespace: 'team', name: 'job' });
    return (status as { succeeded?: number }).succeeded === 1;
  });
  await real.p.delete(podKind, ref, { gracePeriodSeconds: 0 });
  // What is asked for later is done later: by then the end of the copy has been looked at.
  await real.v.create(podKind, {
    metadata: { namespace: 'team', name: 'later', labels: { app: 'later' } },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  });
  await expectRunning('later', 1);
  expect((await podsOf('job')).map(({ status }) => status?.phase)).toEqual(['Succeeded']);
});

test('what is rarely asked for works with these rights, too: a debug container, and a port that P has taken', async () => {
  const ref = { namespace: 'team', name: 'later' };
  const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
  const debug = { type: 'strategic', body: { spec: { ephemeralContainers } } } as const;
  await real.v.patchSubresource(podKind, ref, 'ephemeralcontainers', debug);
  await expectSoon('it is there in P', async () => {
    const { spec } = await real.p.get(podKind, copyOf(ref));
    return spec.ephemeralContainers?.[0]?.name === 'debug';
  });
  const ports = [{ containerPort: 80, hostPort: 8080 }];
  await real.p.create(podKind, {
    metadata: { namespace: 'default', name: 'own' },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx', ports }] },
  });
  await expectSoon('V knows that the port is taken', async () => {
    const { items } = await real.v.list(podKind, { namespace: 'kubeocean-fake' });
    return items.some(({ spec }) => spec.nodeName === 'vnode-cls-worker1-node-1');
  });
});

test('a syncer that is killed in a burst leaves no pod behind and runs none twice', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `burst-${index}`);
  const create = async (name: string): Promise<unknown> =>
    real.v.create(podKind, {
      metadata: { namespace: 'team', name, labels: { app: 'burst' } },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    });
  const created = Promise.all(names.map(create));
  for (let round = 0; round < 3; round += 1) {
    await until('some pods of the burst are in P', async () => (await copiesOf('burst')).length > round * 15);
    await syncer.kill();
    syncer = virtual.startSyncer();
  }
  await created;
  await expectRunning('burst', 60);
  const copies = await copiesOf('burst');
  expect(new Set(copies.map(({ metadata }) => metadata.annotations?.[annotations.virtualPodUid])).size).toBe(60);
  expect(copies).toHaveLength(60);
  const uids = new Map(copies.map(({ metadata }) => [metadata.annotations?.[annotations.virtualPodUid], metadata.uid]));
  for (const { metadata } of await podsOf('burst')) {
    expect(metadata.annotations?.[annotations.physicalPodUid]).toBe(uids.get(metadata.uid));
  }
}, 150_000);

test('a namespace that is deleted in V leaves nothing in P', async () => {
  await real.v.delete(namespaceKind, { name: 'team' });
  await expectSoon(
    'the namespace is gone',
    async () => !(await real.v.list(namespaceKind)).items.some(({ metadata }) => metadata.name === 'team'),
    150_000,
  );
  await real.v.delete(volumeKind, { name: 'disk' });
  for (const kind of [podKind, configMapKind, secretKind, claimKind]) {
    await expectSoon(
      `no ${kind.kind} is left`,
      async () => (await real.p.list(kind, { namespace: mountNamespace, labelSelector: managed })).items.length === 0,
    );
  }
  await expectSoon(
    'no volume is left',
    async () => (await real.p.list(volumeKind, { labelSelector: managed })).items.length === 0,
  );
  await expectSoon('nothing in V is held', async () => {
    const { items } = await real.v.list(volumeKind);
    return !items.some(({ metadata }) => metadata.finalizers?.includes(clusterFinalizer('cls-worker1')));
  });
}, 240_000);

test('the binding that is deleted leaves both sides clean, and no right was missing', async () => {
  await real.v.delete(clusterBindingKind, { name: 'worker1' });
  await expectSoon(
    'the binding is gone',
    async () => (await real.v.list(clusterBindingKind)).items.length === 0,
    150_000,
  );
  expect((await real.v.list(nodeKind)).items).toEqual([]);
  expect(refusals(virtual.said())).toEqual([]);
}, 200_000);
