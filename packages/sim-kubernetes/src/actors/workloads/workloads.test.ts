import { expect, test } from 'vitest';
import type { JsonObject } from '../../registry/json.ts';
import { createKubelet } from '../kubelet.ts';
import { createScheduler } from '../scheduler.ts';
import { startSimulatedCluster } from '../testing/simulated-cluster.ts';
import type { SimulatedCluster } from '../testing/simulated-cluster.ts';
import { createDeploymentController } from './deployment.ts';
import { createReplicaSetController } from './replica-set.ts';

const fail = (error: unknown): never => {
  throw error;
};
const start = (): Promise<SimulatedCluster> =>
  startSimulatedCluster({
    actors: [
      createDeploymentController(fail),
      createReplicaSetController(fail),
      createScheduler(),
      createKubelet({ nodes: ['node-a'], createMs: 1000, stopMs: 1000 }),
    ],
  });

const labels = { app: 'web' };
const outcome = 'sim-kubernetes.tributary.io/outcome';
const deployment = (image: string, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    progressDeadlineSeconds: 60,
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } },
  },
});

const deployments = { group: 'apps', plural: 'deployments' };
const web = { namespace: 'default', name: 'web' };
const statusOf = (cluster: SimulatedCluster): JsonObject =>
  (cluster.store.get(deployments, web)?.['status'] ?? {}) as JsonObject;
const progress = (cluster: SimulatedCluster): unknown =>
  ((statusOf(cluster)['conditions'] ?? []) as readonly JsonObject[]).find(({ type }) => type === 'Progressing')?.[
    'reason'
  ];

async function setTemplate(cluster: SimulatedCluster, image: string, annotations: JsonObject = {}): Promise<void> {
  await cluster.client.change(deployments, web, (draft) => {
    draft['spec'] = structuredClone(deployment(image, annotations)['spec']);
  });
}

test('a Deployment comes up, rolls over, gets stuck on pods that never are ready, and comes back', async () => {
  const cluster = await start();
  await cluster.make('deployments', deployment('nginx:1'), 'apps');
  await cluster.clock.advance(10_000);
  expect(statusOf(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 });
  await setTemplate(cluster, 'nginx:2');
  await cluster.clock.advance(30_000);
  expect(progress(cluster)).toBe('NewReplicaSetAvailable');
  expect(cluster.store.list({ group: '', plural: 'pods' })).toHaveLength(3);
  await setTemplate(cluster, 'nginx:3', { [outcome]: 'unready' });
  await cluster.clock.advance(30_000);
  expect(statusOf(cluster)).toMatchObject({ replicas: 4, updatedReplicas: 1, availableReplicas: 3 });
  await cluster.clock.advance(60_000);
  expect(progress(cluster)).toBe('ProgressDeadlineExceeded');
  await setTemplate(cluster, 'nginx:2');
  await cluster.clock.advance(30_000);
  expect(progress(cluster)).toBe('NewReplicaSetAvailable');
  expect(cluster.store.get(deployments, web)?.metadata.annotations).toEqual({
    'deployment.kubernetes.io/revision': '4',
  });
});

test('a Deployment that is as it should be costs nothing', async () => {
  const cluster = await start();
  await cluster.make('deployments', deployment('nginx:1'), 'apps');
  await cluster.clock.advance(30_000);
  const before = cluster.store.get(deployments, web)?.metadata.resourceVersion;
  await cluster.clock.advance(600_000);
  expect(cluster.store.get(deployments, web)?.metadata.resourceVersion).toBe(before);
});
