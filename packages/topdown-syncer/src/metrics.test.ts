import { createMetrics } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { podKind } from './contract/pod.ts';
import { resourceLeasingPolicyKind } from './contract/resource-leasing-policy.ts';
import { createSyncerMetrics } from './metrics.ts';
import { bindingName, createWorld } from './testing/world.ts';
import type { World } from './testing/world.ts';
import { startCopy } from './up/testing/start-copy.ts';
import { createVnodeParts } from './vnode/create-vnode-parts.ts';

let world: World;
let scrape: () => Promise<readonly string[]>;

beforeEach(async () => {
  const { registry, scrape: read } = createMetrics();
  scrape = async () => (await read()).body.split('\n').filter((line) => line.startsWith('kubeocean_'));
  world = await createWorld({
    physicalNodes: ['node-1'],
    parts: (sides) => {
      const { occupancy, runnables } = createVnodeParts({}, { ...sides, ping: { answers: () => true } });
      const metrics = createSyncerMetrics(bindingName, registry);
      metrics.observe({ ...sides, occupancy });
      metrics.counters.podLost();
      return runnables;
    },
  });
  await world.clock.advance(0);
  const resourceLimits = [{ resource: 'cpu', quantity: '8' }];
  await world.p.create(resourceLeasingPolicyKind, {
    metadata: { name: 'all' },
    spec: { cluster: bindingName, resourceLimits },
  });
});
afterEach(async () => world.end());

describe('metrics', () => {
  test('count pods by phase, with every phase there, and only those of this binding (W20)', async () => {
    const { sides } = await world.startSyncer();
    await world.clock.advance(5000);
    await startCopy(world, sides);
    await world.v.create(podKind, {
      metadata: { namespace: 'default', name: 'elsewhere' },
      spec: { containers: [{ name: 'main', image: 'nginx' }], nodeName: 'vnode-of-another-binding' },
    });
    await world.clock.advance(5000);
    const lines = await scrape();
    expect(lines).toEqual(
      expect.arrayContaining([
        'kubeocean_syncer_virtual_pod_total{clusterbinding="worker1",phase="Pending"} 1',
        'kubeocean_syncer_virtual_pod_total{clusterbinding="worker1",phase="Running"} 0',
        'kubeocean_syncer_virtual_pod_total{clusterbinding="worker1",phase="Unknown"} 0',
        'kubeocean_syncer_physical_pod_total{clusterbinding="worker1",phase="Running"} 1',
        'kubeocean_syncer_physical_pod_total{clusterbinding="worker1",phase="Failed"} 0',
      ]),
    );
  });

  test('count what is created and lost, from nought', async () => {
    await world.startSyncer();
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'kubeocean_syncer_create_pod_total{clusterbinding="worker1"} 0',
        'kubeocean_syncer_create_pod_errors_total{clusterbinding="worker1"} 0',
        'kubeocean_syncer_pod_created_total{clusterbinding="worker1"} 0',
        'kubeocean_syncer_pod_created_failed_total{clusterbinding="worker1"} 1',
      ]),
    );
  });

  test('show what nodes offer, lend and use, in thousandths and mebibytes', async () => {
    const { sides } = await world.startSyncer();
    await world.clock.advance(5000);
    await startCopy(world, sides, {
      spec: {
        containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '250m', memory: '64Mi' } } }],
      },
    });
    await world.p.create(podKind, {
      metadata: { namespace: 'default', name: 'other' },
      spec: {
        containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '2' } } }],
        nodeName: 'node-1',
      },
    });
    await world.clock.advance(10_000);
    const node = 'clusterbinding="worker1",node="vnode-cls-worker1-node-1"';
    const lines = await scrape();
    expect(lines).toEqual(
      expect.arrayContaining([
        'kubeocean_syncer_vnode_total{clusterbinding="worker1"} 1',
        `kubeocean_syncer_vnode_origin_resource{${node},resource="cpu"} 32000`,
        `kubeocean_syncer_vnode_origin_resource{${node},resource="memory"} 131072`,
        `kubeocean_syncer_vnode_available_resource{${node},resource="cpu"} 8000`,
        `kubeocean_syncer_vnode_physical_usage{${node},resource="cpu"} 2000`,
        `kubeocean_syncer_vnode_virtual_usage{${node},resource="cpu"} 250`,
        `kubeocean_syncer_vnode_virtual_usage{${node},resource="memory"} 64`,
        'kubeocean_syncer_cluster_origin_resource{clusterbinding="worker1",resource="cpu"} 32000',
        'kubeocean_syncer_cluster_virtual_usage{clusterbinding="worker1",resource="cpu"} 250',
      ]),
    );
    expect(lines.filter((line) => line.includes('resource="pods"'))).toEqual([]);
  });

  test('hold no series of nodes that are gone (W20)', async () => {
    await world.startSyncer();
    await world.clock.advance(5000);
    expect((await scrape()).some((line) => line.includes('node="vnode-cls-worker1-node-1"'))).toBe(true);
    await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
    await world.clock.advance(30_000);
    expect((await scrape()).some((line) => line.includes('node="vnode-cls-worker1-node-1"'))).toBe(false);
  });
});
