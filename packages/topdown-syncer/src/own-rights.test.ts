import { configMapKind, createKubeClient, secretKind, silentLog } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { needsRight, rightsIn, withoutRight } from '@tributary/sim-kubernetes';
import type { AccountAccess, AccountRequest, Manifest, Right } from '@tributary/sim-kubernetes';
import { beforeAll, expect, test } from 'vitest';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { readFlags, toSyncerFlags } from './flags.ts';
import { topdownManifests } from './manifests.ts';
import { readStart } from './open-sides.ts';
import { createSyncerProcess } from './syncer-process.ts';
import { web } from './testing/objects.ts';
import { createWholeWorld } from './testing/whole-world.ts';
import type { WholeWorld } from './testing/whole-world.ts';
import { bindingName, clusterId, mountNamespace } from './testing/world.ts';

// The syncer with its own account in each of the two clusters, and no more rights than the manifests give.

const namespace = 'kubeocean-system';
const accounts = {
  virtual: { namespace, name: 'kubeocean-syncer' },
  physical: { namespace: 'kubeocean-worker', name: 'kubeocean-syncer' },
};
const secretRef = { namespace, name: `${bindingName}-kubeconfig` };
const settings = { namespace: 'default', name: 'settings' };
const key = { namespace: 'default', name: 'key' };
const data = { namespace: 'default', name: 'data' };
const limitMs = 300_000;

type Told = { readonly virtual: readonly AccountRequest[]; readonly physical: readonly AccountRequest[] };

/** A pod with everything that goes with it runs, changes and goes; or the first refusal ends it. */
async function tellStory(manifests: Sides): Promise<Told> {
  const world = await createWholeWorld();
  await world.virtual.install(manifests.virtual);
  await world.physical.install(manifests.physical);
  const virtual = await world.virtual.asServiceAccount(accounts.virtual);
  const physical = await world.physical.asServiceAccount(accounts.physical);
  const told = { virtual: virtual.requests, physical: physical.requests };
  const refused = (): boolean => [...told.virtual, ...told.physical].some(({ status }) => status === 403);
  const stop = new AbortController();
  await startSyncer(world, { virtual, physical }, stop.signal);
  await playWorkload(world, async (holds) => {
    let over = false;
    await world.clock.runUntil(() => {
      void Promise.resolve(refused() || holds()).then((yes) => (over ||= yes));
      return over;
    }, limitMs);
    return !refused();
  });
  stop.abort();
  const name = `kubeocean-syncer-${bindingName}`;
  for (const cluster of [world.virtual, world.physical]) cluster.faults.crash(name);
  await world.clock.settle();
  await world.end();
  return told;
}

async function startSyncer(
  world: WholeWorld,
  { virtual, physical }: { readonly virtual: AccountAccess; readonly physical: AccountAccess },
  signal: AbortSignal,
): Promise<void> {
  const { clock } = world;
  const kubeconfig = 'one';
  const encoded = Buffer.from(kubeconfig).toString('base64');
  await world.v.create(secretKind, { metadata: secretRef, data: { kubeconfig: encoded } });
  const argv = [`--cluster-binding-name=${bindingName}`, '--metrics-bind-address=0', '--health-probe-bind-address=0'];
  const own = createKubeClient({ transport: virtual.transport() }, { clock });
  const start = await readStart(own, bindingName).catch(() => undefined);
  if (start === undefined) return;
  const process = createSyncerProcess(toSyncerFlags(readFlags(argv)), start, {
    virtual: virtual.transport(),
    physical: physical.transport(),
    kubeconfig,
    namespace,
    identity: 'pod-1',
    clock,
    random: () => 0.5,
    log: silentLog,
  });
  process.run(signal).catch(() => undefined);
}

/** `reach` says whether to go on. */
async function playWorkload(world: WholeWorld, reach: (holds: () => boolean) => Promise<boolean>): Promise<void> {
  const { v, virtual } = world;
  const pod = (): Pod | undefined => virtual.client.get(podKind, web) as Pod | undefined;
  if (!(await reach(() => virtual.store.count(nodeKind) === 2))) return;
  await world.openNodes();
  for (const [kind, object] of needs) await v.create(kind, object as never);
  await v.create(podKind, workload);
  if (!(await reach(() => pod()?.status?.phase === 'Running'))) return;
  await v.patch(configMapKind, settings, { type: 'merge', body: { data: { a: '2' } } });
  await v.patch(secretKind, key, { type: 'merge', body: { data: { k: 'Mg==' } } });
  await v.patch(podKind, web, { type: 'merge', body: { metadata: { labels: { extra: 'y' } } } });
  await world.clock.advance(30_000);
  await v.delete(podKind, web);
  if (!(await reach(() => pod() === undefined))) return;
  for (const [kind, { metadata }] of needs) await v.delete(kind, metadata as { name: string });
  await world.clock.advance(60_000);
}

const disk = {
  metadata: { name: 'disk' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    hostPath: { path: '/data' },
  },
};
const claim = {
  metadata: data,
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
};
const needs: readonly (readonly [typeof podKind, KubeObject])[] = [
  [configMapKind as never, { metadata: settings }],
  [secretKind as never, { metadata: key }],
  [volumeKind as never, disk],
  [claimKind as never, claim],
];
const workload: Pod = {
  metadata: web,
  spec: {
    containers: [{ name: 'main', image: 'nginx' }],
    volumes: [
      { name: 'c', configMap: { name: 'settings' } },
      { name: 's', secret: { secretName: 'key' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
    ],
  },
};

type Sides = { readonly virtual: readonly Manifest[]; readonly physical: readonly Manifest[] };
const manifests: Sides = topdownManifests({ mountNamespace, clusterBindingName: bindingName, clusterId });
const wordsOf = ({ verb, group, resource, subresource }: AccountRequest): string =>
  `${verb} ${group === '' ? '' : `${group}/`}${resource}${subresource === '' ? '' : `/${subresource}`}`;
const refusedIn = (requests: readonly AccountRequest[]): readonly string[] => [
  ...new Set(requests.filter(({ status }) => status === 403).map(wordsOf)),
];

const rights = { virtual: rightsIn(manifests.virtual), physical: rightsIn(manifests.physical) };
const sides = ['virtual', 'physical'] as const;
const rightOf = ({ title }: Right): string => title.replace(/^.*: /, '');
const neededIn = (side: keyof Sides): readonly Right[] =>
  rights[side].filter((right) => needsRight(told[side], right, rights[side]));

let told: Told;
beforeAll(async () => {
  told = await tellStory(manifests);
});

test('a pod with everything that goes with it needs no more rights than the manifests give', () => {
  expect(told.virtual.length).toBeGreaterThan(30);
  expect(told.physical.length).toBeGreaterThan(20);
  expect([refusedIn(told.virtual), refusedIn(told.physical)]).toEqual([[], []]);
});

test('and has a use for most of them, but for those of rarer stories and of servers without streamed lists', () => {
  for (const side of sides) {
    const streamed = rights[side].filter((right) => !rightOf(right).startsWith('list '));
    expect(neededIn(side).length).toBeGreaterThan(streamed.length / 2);
  }
});

test('without one of them the syncer is refused, and that is seen', async () => {
  for (const side of sides) {
    // Some of them, so that the test stays short; each takes a world of its own.
    for (const right of neededIn(side).filter((_, index) => index % 7 === 0)) {
      const without = { ...manifests, [side]: withoutRight(manifests[side], right) };
      const refused = refusedIn((await tellStory(without))[side]);
      expect([right.title, refused]).toEqual([right.title, [rightOf(right)]]);
    }
  }
});
