import { describe, expect, test } from 'vitest';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import { builtinKinds } from '../kinds/builtin-kinds.ts';
import { createKubelet } from './kubelet.ts';
import { createScheduler } from './scheduler.ts';
import type { SimulatedCluster } from './testing/simulated-cluster.ts';
import { startSimulatedCluster } from './testing/simulated-cluster.ts';

const pods = { group: '', plural: 'pods' };
const nodes = { group: '', plural: 'nodes' };
const container = { name: 'app', image: 'nginx:1' };
const podType = builtinKinds().find(({ kind }) => kind === 'Pod');

const start = (names: readonly string[] = ['node-a', 'node-b']): Promise<SimulatedCluster> =>
  startSimulatedCluster({ actors: [createScheduler(), createKubelet({ nodes: names, createMs: 1000, stopMs: 2000 })] });

const pod = (name: string, spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name, annotations },
  spec: { containers: [container], ...spec },
});

/** Ready and Status as `kubectl get pods` shows them. */
function shown(cluster: SimulatedCluster, name: string): string {
  const found = cluster.read('pods', name);
  if (found === undefined) return 'gone';
  const [, ready, status, restarts] = podType?.table.cells(found, cluster.clock.now()) ?? [];
  return `${String(ready)} ${String(status)} ${String(restarts)}`;
}

/** What the pod looks like, each time it looks different. */
async function history(cluster: SimulatedCluster, name: string, ms: number): Promise<readonly string[]> {
  const seen: string[] = [shown(cluster, name)];
  for (let passed = 0; passed < ms; passed += 250) {
    await cluster.clock.advance(250);
    const now = shown(cluster, name);
    if (seen.at(-1) !== now) seen.push(now);
  }
  return seen;
}

const nodeOf = (found: StoredObject | undefined): unknown => (found?.['spec'] as JsonObject | undefined)?.['nodeName'];
const conditionsOf = (found: StoredObject | undefined): readonly JsonObject[] =>
  ((found?.['status'] as JsonObject | undefined)?.['conditions'] ?? []) as readonly JsonObject[];

describe('scheduler and kubelet', () => {
  test('nodes are ready, without the taint of new ones, and heard of every ten seconds', async () => {
    const cluster = await start(['node-a']);
    await cluster.clock.advance(1000);
    const node = cluster.store.get(nodes, { name: 'node-a' });
    expect(conditionsOf(node).find(({ type }) => type === 'Ready')?.['status']).toBe('True');
    expect((node!['spec'] as JsonObject)['taints']).toBeUndefined();
    const before = cluster.store.revision();
    await cluster.clock.advance(60_000);
    expect(cluster.store.revision() - before).toBe(6);
    expect(cluster.clock.pending()).toBe(1);
  });

  test('a pod is placed, created, started and runs', async () => {
    const cluster = await start();
    await cluster.make('pods', pod('web'));
    expect(await history(cluster, 'web', 5000)).toEqual(['0/1 Pending 0', '0/1 ContainerCreating 0', '1/1 Running 0']);
    const found = cluster.read('pods', 'web');
    expect(conditionsOf(found).map(({ type, status }) => [type, status])).toEqual([
      ['PodReadyToStartContainers', 'True'],
      ['Initialized', 'True'],
      ['Ready', 'True'],
      ['ContainersReady', 'True'],
      ['PodScheduled', 'True'],
    ]);
    expect(found?.metadata.generation).toBe(1);
    expect((found!['status'] as JsonObject)['podIP']).toMatch(/^10\.244\./);
  });

  test('init containers run one after the other before the rest', async () => {
    const cluster = await start();
    const initContainers = [
      { name: 'first', image: 'x' },
      { name: 'second', image: 'x' },
    ];
    await cluster.make('pods', pod('web', { initContainers }));
    expect(await history(cluster, 'web', 6000)).toEqual([
      '0/1 Pending 0',
      '0/1 ContainerCreating 0',
      '0/1 Init:0/2 0',
      '0/1 Init:1/2 0',
      '1/1 Running 0',
    ]);
  });

  const scripted: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
    [
      'a pod that ends well is completed',
      { restartPolicy: 'Never' },
      { outcome: 'succeed' },
      ['1/1 Running 0', '0/1 Completed 0'],
    ],
    [
      'a pod that fails for good is in error',
      { restartPolicy: 'Never' },
      { outcome: 'fail' },
      ['1/1 Running 0', '0/1 Error 0'],
    ],
    [
      'an image that cannot be pulled is waited for',
      {},
      { outcome: 'pull-error' },
      ['0/1 ContainerCreating 0', '0/1 ImagePullBackOff 0'],
    ],
    [
      'a pod that is not ready runs all the same',
      {},
      { outcome: 'unready' },
      ['0/1 ContainerCreating 0', '0/1 Running 0'],
    ],
  ];
  for (const [name, spec, { outcome }, last] of scripted) {
    test(name, async () => {
      const cluster = await start();
      await cluster.make('pods', pod('job', spec, { 'sim-kubernetes.tributary.io/outcome': outcome ?? '' }));
      expect((await history(cluster, 'job', 8000)).slice(-2)).toEqual(last);
    });
  }

  test('a pod that fails again and again is started anew after longer and longer times', async () => {
    const cluster = await start();
    await cluster.make('pods', pod('bad', {}, { 'sim-kubernetes.tributary.io/outcome': 'fail' }));
    const seen = await history(cluster, 'bad', 60_000);
    const plain = seen.map((line) => line.replace(/ \(.* ago\)/, ''));
    expect([...new Set(plain)]).toEqual([
      '0/1 Pending 0',
      '0/1 ContainerCreating 0',
      '1/1 Running 0',
      '1/1 Running 1',
      '0/1 CrashLoopBackOff 1',
      '1/1 Running 2',
      '0/1 CrashLoopBackOff 2',
      '1/1 Running 3',
      '0/1 CrashLoopBackOff 3',
    ]);
  });

  test('a deleted pod is terminating until its containers have ended, and then gone', async () => {
    const cluster = await start();
    await cluster.make('pods', pod('web'));
    await cluster.clock.advance(5000);
    await cluster.client.delete(pods, { namespace: 'default', name: 'web' });
    expect(await history(cluster, 'web', 5000)).toEqual(['1/1 Terminating 0', 'gone']);
  });

  test('pods are spread over nodes, and each has an address of its own', async () => {
    const cluster = await start();
    for (const name of ['a', 'b', 'c', 'd']) await cluster.make('pods', pod(name));
    await cluster.clock.advance(5000);
    const found = cluster.store.list(pods, 'default');
    expect(found.filter((one) => nodeOf(one) === 'node-a')).toHaveLength(2);
    expect(new Set(found.map((one) => (one['status'] as JsonObject)['podIP'])).size).toBe(4);
  });

  test('a pod that fits nowhere says why once, and is placed when a node comes that takes it', async () => {
    const cluster = await start();
    await cluster.make('pods', pod('picky', { nodeSelector: { disk: 'ssd' } }));
    await cluster.clock.advance(15_000);
    expect(conditionsOf(cluster.read('pods', 'picky'))).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
      },
    ]);
    const told = cluster.store.list({ group: '', plural: 'events' }, 'default');
    expect(told.map((event) => event['reason'])).toEqual(['FailedScheduling']);
    await cluster.client.change(nodes, { name: 'node-b' }, (draft) => {
      (draft['metadata'] as { labels: Record<string, string> }).labels['disk'] = 'ssd';
    });
    await cluster.clock.advance(5000);
    expect(nodeOf(cluster.read('pods', 'picky'))).toBe('node-b');
  });

  const misfits: readonly (readonly [string, JsonObject, string])[] = [
    ['a node that is cordoned takes none', { unschedulable: true }, '1 node(s) were unschedulable'],
    [
      'a taint keeps pods away',
      { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
      '1 node(s) had untolerated taint {gpu: yes}',
    ],
  ];
  for (const [name, spec, reason] of misfits) {
    test(name, async () => {
      const cluster = await start(['node-a']);
      await cluster.clock.advance(1000);
      await cluster.client.change(
        nodes,
        { name: 'node-a' },
        (draft) => void Object.assign(draft['spec'] as object, spec),
      );
      await cluster.make('pods', pod('web'));
      await cluster.clock.advance(1000);
      expect(conditionsOf(cluster.read('pods', 'web'))[0]?.['message']).toBe(`0/1 nodes are available: ${reason}.`);
    });
  }

  test('a node that is full takes no more', async () => {
    const cluster = await startSimulatedCluster({
      actors: [
        createScheduler(),
        createKubelet({ nodes: [{ name: 'small', capacity: { cpu: '1', memory: '1Gi', pods: '10' } }] }),
      ],
    });
    const half = { containers: [{ ...container, resources: { requests: { cpu: '500m' } } }] };
    for (const name of ['a', 'b', 'c']) await cluster.make('pods', pod(name, half));
    await cluster.clock.advance(5000);
    expect(cluster.store.list(pods, 'default').filter((one) => nodeOf(one) === 'small')).toHaveLength(2);
    await cluster.client.delete(pods, { namespace: 'default', name: 'a' });
    await cluster.clock.advance(5000);
    expect(nodeOf(cluster.read('pods', 'c'))).toBe('small');
  });
});
