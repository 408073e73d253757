import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../conformance/kit/scratch.ts';
import { createWireClient } from '../../conformance/kit/wire-client.ts';
import type { Loose, WireClient } from '../../conformance/kit/wire-client.ts';
import { createKubelet } from '../actors/kubelet.ts';
import { startCluster } from '../start-cluster.ts';
import { createFolder, runControllers } from './testing/run-controllers.ts';
import type { Controllers } from './testing/run-controllers.ts';

// The real kube-controller-manager and kube-scheduler, unmodified, for ten minutes; pods run in the scripted kubelet.

const minutes = Number(process.env['TRIBUTARY_MINUTES'] ?? 10);
const folder = createFolder();
const faults: unknown[] = [];
let cluster: Awaited<ReturnType<typeof startCluster>>;
let api: WireClient;
let programs: Controllers;

beforeAll(async () => {
  cluster = await startCluster({
    controllers: ['serviceaccount-token-controller'],
    actors: [createKubelet({ nodes: ['node-1', 'node-2'] })],
    kubeconfigPath: folder.kubeconfig,
    onInternalError: (error) => faults.push(error),
  });
  api = createWireClient(cluster);
  programs = await runControllers(folder, cluster.ca);
});
afterAll(async () => {
  programs?.stop();
  api?.close();
  await cluster?.stop();
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
};

/** Where its pods run, when there are as many as wanted, all ready, and the Deployment says so. */
async function untilReady(replicas: number): Promise<readonly string[]> {
  const pods = async (): Promise<readonly Loose[]> =>
    (await api.get('/api/v1/namespaces/default/pods', { labelSelector: 'app=web' })).body.items;
  await eventually(
    async () => ({ pods: await pods(), status: (await api.get(`${deployments}/web`)).body.status }),
    (seen) => (seen.status?.readyReplicas ?? 0) === replicas && seen.pods.length === replicas,
    60_000,
  );
  return (await pods()).map((pod) => String(pod.spec.nodeName));
}

test('a Deployment is scaled up and down for ten minutes, and no program complains again and again', async () => {
  expect((await api.post(deployments, deployment)).status).toBe(201);
  const until = Date.now() + minutes * 60_000;
  expect(await untilReady(3)).toHaveLength(3);
  const sizes = [8, 2, 5, 0, 3];
  for (let round = 0; Date.now() < until; round++) {
    const replicas = sizes[round % sizes.length] ?? 1;
    await api.patch(`${deployments}/web/scale`, 'merge', { spec: { replicas } });
    const nodes = await untilReady(replicas);
    // The scheduler spreads them.
    expect(new Set(nodes).size).toBeGreaterThanOrEqual(replicas > 3 ? 2 : 0);
    // A new template, rolled out by the controller.
    const annotations = { round: String(round) };
    await api.patch(`${deployments}/web`, 'merge', { spec: { template: { metadata: { annotations } } } });
    await untilReady(replicas);
    await pause(5000);
  }
  expect(programs.running()).toBe(true);
  expect(faults).toEqual([]);
  expect(repeatedIn(programs.errors())).toEqual([]);
});

/** Errors that were said more than a handful of times, whatever the names in them. */
function repeatedIn(errors: readonly string[]): readonly string[] {
  const kinds = Map.groupBy(errors, (line) => line.replaceAll(/\d+/g, '#').replaceAll(/web-\w+(-\w+)?/g, 'POD'));
  // A controller that read less than it wrote says so and looks again: that is how it works.
  return [...kinds].flatMap(([kind, lines]) => (lines.length > 5 && !kind.includes('is not as new as') ? [kind] : []));
}
