import { configMapKind } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { cleanUp } from './cleanup.ts';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import { nodeKind } from './contract/cluster-kinds.ts';
import { finalizers, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { find, podOf } from './testing/objects.ts';
import { bindingName, clusterId, createWorld } from './testing/world.ts';

test('what a syncer that is gone for good has left in V is taken away, on request only', async () => {
  const world = await createWorld({ parts: createDownParts, staticVnodes: true });
  const syncer = await world.startSyncer();
  const settings = { namespace: 'default', name: 'settings' };
  await world.v.create(configMapKind, { metadata: settings });
  await world.v.create(podKind, podOf({ spec: { volumes: [{ name: 'c', configMap: { name: 'settings' } }] } }));
  const bound = { metadata: { finalizers: [finalizers.bindingSyncer, 'example.com/other'] } };
  await world.v.patch(clusterBindingKind, { name: bindingName }, { type: 'merge', body: bound });
  const vnode = { name: `vnode-${clusterId}-node-1` };
  await world.v.patch(nodeKind, vnode, { type: 'merge', body: { metadata: { finalizers: [finalizers.vnode] } } });
  await world.clock.advance(10_000);
  await syncer.stop();
  await world.v.delete(configMapKind, settings);
  const other = { namespace: 'default', name: 'other' };
  const theirs = { ...other, labels: { [labels.managedBy]: 'kubeocean', 'kubeocean.io/synced-by-cls-other': 'true' } };
  await world.v.create(configMapKind, { metadata: theirs });
  const said: string[] = [];
  const options = { clusterBindingName: bindingName, clusterId };
  const deps = { client: world.v, say: (line: string) => void said.push(line) };

  expect(await cleanUp({ ...options, write: false }, deps)).toBe(3);
  expect(await find(world.v, configMapKind, settings)).toBeDefined();
  expect(said).toEqual([
    'would release ConfigMap default/settings',
    `would release Node ${vnode.name}`,
    'would release ClusterBinding worker1',
  ]);

  expect(await cleanUp({ ...options, write: true }, deps)).toBe(3);
  expect(await find(world.v, configMapKind, settings)).toBeUndefined();
  expect((await world.v.get(nodeKind, vnode)).metadata.finalizers).toBeUndefined();
  expect((await world.v.get(clusterBindingKind, { name: bindingName })).metadata.finalizers).toEqual([
    'example.com/other',
  ]);
  expect(await cleanUp({ ...options, write: true }, deps)).toBe(0);
  expect((await world.v.get(configMapKind, other)).metadata.labels).toEqual(theirs.labels);
  await world.end();
});
