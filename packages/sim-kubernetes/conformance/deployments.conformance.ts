import { beforeAll, describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { masked } from './kit/mask.ts';
import { createNamespace, eventually } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// Deployments and ReplicaSets: the controllers of the real control plane, and those that stand for them. There is no
// kubelet on either side: the test says which pods are ready.

const { api } = useServer({ workloads: true });
const golden = useGolden('deployments');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const apps = (kind: string): string => `/apis/apps/v1/namespaces/${namespace}/${kind}`;
const podsPath = (): string => `/api/v1/namespaces/${namespace}/pods`;

function manifest(name: string, spec: Loose = {}): Loose {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'busybox:1' }] } };
  return {
    metadata: { name, annotations: { note: 'kept' } },
    spec: { replicas: 3, selector: { matchLabels: labels }, template, ...spec },
  };
}

const image = (value: string): Loose => ({
  spec: { template: { spec: { containers: [{ name: 'main', image: value }] } } },
});
const get = async (name: string): Promise<Loose> => (await api.get(`${apps('deployments')}/${name}`)).body;
const patch = async (name: string, body: Loose): Promise<Loose> =>
  (await api.patch(`${apps('deployments')}/${name}`, 'strategic', body)).body;

async function listed(path: string, app: string): Promise<readonly Loose[]> {
  return (await api.get(path, { labelSelector: `app=${app}` })).body.items;
}

/** Sizes of the ReplicaSets by revision: what is wanted, and what is there. */
async function sizes(app: string): Promise<Loose> {
  const sets = await listed(apps('replicasets'), app);
  return Object.fromEntries(
    sets
      .map(({ metadata, spec, status }) => [
        metadata.annotations['deployment.kubernetes.io/revision'],
        `${spec.replicas}/${status.replicas}`,
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function makeReady(pods: readonly Loose[]): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  for (const { metadata, status } of pods) {
    if (status.conditions?.some((each: Loose) => each.type === 'Ready' && each.status === 'True')) continue;
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now }];
    await api.patch(`${podsPath()}/${metadata.name}/status`, 'strategic', { status: { phase: 'Running', conditions } });
  }
}

const progressOf = ({ status }: Loose): string =>
  status.conditions?.find((each: Loose) => each.type === 'Progressing')?.reason ?? '';
const isDone = (deployment: Loose): boolean =>
  progressOf(deployment) === 'NewReplicaSetAvailable' &&
  deployment.status.observedGeneration === deployment.metadata.generation &&
  deployment.status.replicas === deployment.spec.replicas &&
  deployment.status.updatedReplicas === deployment.spec.replicas &&
  deployment.status.availableReplicas === deployment.spec.replicas;

/** Plays the kubelet until the rollout is over. */
async function finish(app: string): Promise<Loose> {
  return eventually(async () => {
    await makeReady(await listed(podsPath(), app));
    return get(app);
  }, isDone);
}

async function expectSizes(app: string, wanted: Loose): Promise<void> {
  await expect.poll(() => sizes(app), { timeout: 15_000 }).toEqual(wanted);
}

const times = { lastUpdateTime: '<time>' };
function statusOf({ status, metadata }: Loose, hashes: Readonly<Record<string, string>>): Loose {
  const { conditions = [], ...counts } = masked(status, { [namespace]: '<namespace>', ...hashes });
  const sorted = conditions
    .map((each: Loose) => ({ ...each, ...times }))
    .toSorted((a: Loose, b: Loose) => (a.type < b.type ? -1 : 1));
  return { ...counts, conditions: sorted, annotations: metadata.annotations };
}

async function hashesOf(app: string): Promise<Readonly<Record<string, string>>> {
  const sets = await listed(apps('replicasets'), app);
  const byAge = sets.toSorted((a, b) =>
    BigInt(a.metadata.resourceVersion) < BigInt(b.metadata.resourceVersion) ? -1 : 1,
  );
  return Object.fromEntries(byAge.map(({ metadata }) => [metadata.labels['pod-template-hash'], '<hash>']));
}

async function events(app: string): Promise<readonly string[]> {
  const fieldSelector = `involvedObject.kind=Deployment,involvedObject.name=${app}`;
  const hashes = Object.keys(await hashesOf(app));
  const { items } = (await api.get(`/api/v1/namespaces/${namespace}/events`, { fieldSelector })).body;
  return items
    .map(({ reason, message }: Loose) =>
      hashes.reduce((text, hash) => text.replaceAll(hash, '<hash>'), `${reason} ${message}`),
    )
    .toSorted();
}

describe('a Deployment', () => {
  test('makes a ReplicaSet, which makes pods', async () => {
    await api.post(apps('deployments'), manifest('web'));
    await expectSizes('web', { 1: '3/3' });
    const hashes = await hashesOf('web');
    const names = { [namespace]: '<namespace>', ...hashes };
    const [set] = await listed(apps('replicasets'), 'web');
    expect(masked({ metadata: set?.metadata, spec: set?.spec }, names)).toEqual(golden('replica set'));
    const [pod] = await listed(podsPath(), 'web');
    const { name, generateName, labels, ownerReferences, annotations } = pod!.metadata;
    expect(name).toMatch(new RegExp(`^${generateName}[a-z0-9]{5}$`));
    expect(masked({ generateName, labels, ownerReferences, annotations }, names)).toEqual(golden('pod'));
    const deployment = await eventually(
      () => get('web'),
      ({ status }) => status.updatedReplicas === 3 && progressOf({ status }) === 'ReplicaSetUpdated',
    );
    expect(statusOf(deployment, hashes)).toEqual(golden('pods are not ready'));
  });

  test('is available and complete when its pods are ready', async () => {
    const deployment = await finish('web');
    expect(statusOf(deployment, await hashesOf('web'))).toEqual(golden('complete'));
    expect(await events('web')).toEqual(golden('events of a creation'));
  });

  test('is scaled up and down', async () => {
    await api.patch(`${apps('deployments')}/web/scale`, 'merge', { spec: { replicas: 5 } });
    await expectSizes('web', { 1: '5/5' });
    await finish('web');
    await api.patch(`${apps('deployments')}/web/scale`, 'merge', { spec: { replicas: 2 } });
    await expectSizes('web', { 1: '2/2' });
    const deployment = await finish('web');
    expect(statusOf(deployment, await hashesOf('web'))).toEqual(golden('scaled'));
  });

  test('rolls a new template out step by step', async () => {
    await patch('web', { spec: { replicas: 4 } });
    await finish('web');
    await patch('web', image('busybox:2'));
    await expectSizes('web', { 1: '3/3', 2: '2/2' });
    const waiting = await eventually(
      () => get('web'),
      ({ status }) => status.updatedReplicas === 2,
    );
    expect(statusOf(waiting, await hashesOf('web'))).toEqual(golden('rolling'));
    const deployment = await finish('web');
    await expectSizes('web', { 1: '0/0', 2: '4/4' });
    expect(statusOf(deployment, await hashesOf('web'))).toEqual(golden('rolled'));
  });

  test('goes back to a template that it knows', async () => {
    const names = async (): Promise<unknown> =>
      new Set((await listed(apps('replicasets'), 'web')).map(({ metadata }) => metadata.name));
    const before = await names();
    await patch('web', image('busybox:1'));
    await finish('web');
    await expectSizes('web', { 2: '0/0', 3: '4/4' });
    expect(await names()).toEqual(before);
  });

  test('that is paused waits with its template, not with its size', async () => {
    await patch('web', { spec: { paused: true } });
    await eventually(
      () => get('web'),
      (found) => progressOf(found) === 'DeploymentPaused',
    );
    await patch('web', { ...image('busybox:3'), spec: { ...image('busybox:3').spec, replicas: 3 } });
    await expectSizes('web', { 2: '0/0', 3: '3/3' });
    await patch('web', { spec: { paused: false } });
    await finish('web');
    await expectSizes('web', { 2: '0/0', 3: '0/0', 4: '3/3' });
    expect(progressOf(await get('web'))).toBe('NewReplicaSetAvailable');
  });

  test('of the type Recreate ends the old pods before it makes new ones', async () => {
    await api.post(apps('deployments'), manifest('once', { replicas: 2, strategy: { type: 'Recreate' } }));
    await expectSizes('once', { 1: '2/2' });
    await finish('once');
    await patch('once', image('busybox:2'));
    await expectSizes('once', { 1: '0/0', 2: '2/2' });
    const deployment = await finish('once');
    expect(statusOf(deployment, await hashesOf('once'))).toEqual(golden('recreated'));
    expect(await events('once')).toEqual(golden('events of a recreation'));
  });

  test('that does not move within its time has failed', async () => {
    await api.post(apps('deployments'), manifest('stuck', { replicas: 1, progressDeadlineSeconds: 2 }));
    const deployment = await eventually(
      () => get('stuck'),
      (found) => progressOf(found) === 'ProgressDeadlineExceeded',
    );
    expect(statusOf(deployment, await hashesOf('stuck'))).toEqual(golden('deadline exceeded'));
  });

  test('keeps as much history as it is asked to', async () => {
    await api.post(apps('deployments'), manifest('short', { replicas: 1, revisionHistoryLimit: 1 }));
    await finish('short');
    for (const version of ['2', '3']) {
      await patch('short', image(`busybox:${version}`));
      await finish('short');
    }
    await expectSizes('short', { 2: '0/0', 3: '1/1' });
    expect(await listed(apps('replicasets'), 'short')).toHaveLength(2);
  });
});

test('a pod that is gone is made anew', async () => {
  await api.post(apps('replicasets'), manifest('bare', { replicas: 2 }));
  const found = await eventually(
    () => listed(podsPath(), 'bare'),
    ({ length }) => length === 2,
  );
  await api.del(`${podsPath()}/${found[0]?.metadata.name}`);
  const gone: unknown = found[0]?.metadata.name;
  const after = await eventually(
    () => listed(podsPath(), 'bare'),
    (now) => now.length === 2 && now.every(({ metadata }) => metadata.name !== gone),
  );
  expect(after.map(({ metadata }) => metadata.name)).toContain(found[1]?.metadata.name);
});
