import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import type { SimulatedCluster } from './testing/simulated-cluster.ts';
import { ownedBy, startSimulatedCluster } from './testing/simulated-cluster.ts';

const maps = { group: '', plural: 'configmaps' };
const at = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'default', name });

describe('the garbage collector', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await startSimulatedCluster();
  });
  const map = (name: string, ...owners: readonly JsonObject[]): Promise<StoredObject> =>
    cluster.make('configmaps', { metadata: { name, ownerReferences: owners } });
  const names = (): readonly string[] =>
    cluster.store
      .list(maps, 'default')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== 'kube-root-ca.crt');
  const run = (): Promise<void> => cluster.clock.runUntilIdle(60_000);

  test('deletes dependents of dependents after an owner was deleted in the background', async () => {
    const owner = await map('owner');
    const child = await map('child', ownedBy(owner));
    await map('grandchild', ownedBy(child));
    await map('stranger');
    await cluster.client.delete(maps, at('owner'), { propagationPolicy: 'Background' });
    expect(names()).toEqual(['child', 'grandchild', 'stranger']);
    await run();
    expect(names()).toEqual(['stranger']);
  });

  test('deletes blocking dependents first in the foreground, and lets others follow', async () => {
    const owner = await map('owner');
    await cluster.make('configmaps', {
      metadata: { name: 'blocking', finalizers: ['example.com/hold'], ownerReferences: [ownedBy(owner, true)] },
    });
    await map('free', ownedBy(owner));
    await cluster.client.delete(maps, at('owner'), { propagationPolicy: 'Foreground' });
    await run();
    expect(names()).toEqual(['blocking', 'owner']);
    expect(cluster.read('configmaps', 'owner')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    await cluster.client.change(maps, at('blocking'), (draft) => {
      (draft['metadata'] as { finalizers?: string[] }).finalizers = [];
    });
    await run();
    expect(names()).toEqual([]);
  });

  test('does not wait in the foreground for a dependent that does not block', async () => {
    const owner = await map('owner');
    await cluster.make('configmaps', {
      metadata: { name: 'free', finalizers: ['example.com/hold'], ownerReferences: [ownedBy(owner, false)] },
    });
    await cluster.client.delete(maps, at('owner'), { propagationPolicy: 'Foreground' });
    await run();
    expect(names()).toEqual(['free']);
  });

  test('takes the reference away and keeps the dependents when they are orphaned', async () => {
    const owner = await map('owner');
    await map('child', ownedBy(owner));
    await cluster.client.delete(maps, at('owner'), { propagationPolicy: 'Orphan' });
    await run();
    expect(names()).toEqual(['child']);
    expect(cluster.read('configmaps', 'child')?.metadata['ownerReferences']).toBeUndefined();
  });

  test('deletes what is born with an owner that does not exist', async () => {
    const owner = await map('owner');
    await map('orphan', { ...ownedBy(owner), uid: 'another' });
    await run();
    expect(names()).toEqual(['owner']);
  });

  test('only drops the reference when another owner is still there', async () => {
    const [first, second] = [await map('first'), await map('second')];
    await map('child', ownedBy(first), ownedBy(second));
    await cluster.client.delete(maps, at('first'), { propagationPolicy: 'Background' });
    await run();
    expect(names()).toEqual(['child', 'second']);
    const left = cluster.read('configmaps', 'child')?.metadata['ownerReferences'];
    expect(left).toEqual([ownedBy(second)]);
  });

  test('takes an owner in another namespace for none', async () => {
    await cluster.make('namespaces', { metadata: { name: 'elsewhere' } });
    const owner = await cluster.client.create(maps, { metadata: { name: 'owner', namespace: 'elsewhere' } });
    await map('child', ownedBy(owner));
    await run();
    expect(names()).toEqual([]);
  });

  test('leaves alone what is owned by a kind that is not served', async () => {
    await map('child', { apiVersion: 'example.com/v1', kind: 'Widget', name: 'x', uid: 'y' });
    await run();
    expect(names()).toEqual(['child']);
  });

  test('does nothing and books nothing while nothing happens', async () => {
    await map('owner');
    await run();
    const revision = cluster.store.revision();
    await cluster.clock.advance(3_600_000);
    expect(cluster.store.revision()).toBe(revision);
    expect(cluster.clock.pending()).toBe(0);
  });
});
