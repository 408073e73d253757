import { expect, test } from 'vitest';
import { child, items } from '../kinds/draft-fields.ts';
import { createNodeLifecycle } from './node-lifecycle.ts';
import { startSimulatedCluster } from './testing/simulated-cluster.ts';

const nodes = { group: '', plural: 'nodes' };

test('a node that nobody’s kubelet made is open to pods while it says that it is ready', async () => {
  const cluster = await startSimulatedCluster({ actors: [createNodeLifecycle()] });
  const taints = () => items(child(cluster.read('nodes', 'vnode') ?? {}, 'spec'), 'taints');
  const say = async (status: string): Promise<void> => {
    await cluster.client.change(
      nodes,
      { name: 'vnode' },
      (draft) => {
        draft['status'] = { conditions: [{ type: 'Ready', status }] };
      },
      { subresource: 'status' },
    );
    await cluster.clock.advance(1000);
  };
  const theirs = { key: 'example.com/other', effect: 'NoSchedule' };
  await cluster.make('nodes', { metadata: { name: 'vnode' }, spec: { taints: [theirs] } });
  await cluster.clock.advance(1000);
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  expect(taints()).toEqual([theirs, notReady]);
  await say('True');
  expect(taints()).toEqual([theirs]);
  await say('False');
  expect(taints()).toEqual([theirs, notReady]);
  await say('Unknown');
  expect(taints()).toEqual([theirs, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }]);
  await say('True');
  expect(taints()).toEqual([theirs]);
  await cluster.stop();
});
