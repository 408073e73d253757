import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredObject } from '../registry/json.ts';
import type { SimulatedCluster } from './testing/simulated-cluster.ts';
import { startSimulatedCluster } from './testing/simulated-cluster.ts';

const namespaces = { group: '', plural: 'namespaces' };
const maps = { group: '', plural: 'configmaps' };

describe('the namespace controller', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await startSimulatedCluster();
    await cluster.make('namespaces', { metadata: { name: 'team' } });
    await cluster.clock.runUntilIdle();
  });
  const conditions = (): Readonly<Record<string, string>> => {
    const status = cluster.store.get(namespaces, { name: 'team' })?.['status'] as {
      conditions: { type: string; status: string; message: string }[];
    };
    return Object.fromEntries(status.conditions.map((found) => [found.type, `${found.status}: ${found.message}`]));
  };

  test('a new namespace is furnished with an account and the certificate of the cluster', () => {
    const found = (plural: string): readonly string[] =>
      cluster.store.list({ group: '', plural }, 'team').map(({ metadata }) => metadata.name);
    expect([found('serviceaccounts'), found('configmaps')]).toEqual([['default'], ['kube-root-ca.crt']]);
  });

  test('an account that is deleted comes back, and a certificate that was changed is mended', async () => {
    await cluster.client.delete({ group: '', plural: 'serviceaccounts' }, { namespace: 'team', name: 'default' });
    await cluster.client.change(maps, { namespace: 'team', name: 'kube-root-ca.crt' }, (draft) => {
      draft['data'] = { 'ca.crt': 'false' };
    });
    await cluster.clock.runUntilIdle();
    const account = cluster.store.get({ group: '', plural: 'serviceaccounts' }, { namespace: 'team', name: 'default' });
    const map = cluster.store.get(maps, { namespace: 'team', name: 'kube-root-ca.crt' });
    expect(account).toBeDefined();
    expect(map?.['data']).toEqual({ 'ca.crt': '' });
  });

  test('a deleted namespace is emptied and goes', async () => {
    await cluster.client.create(maps, { metadata: { name: 'a', namespace: 'team' } });
    const deleted = await cluster.client.delete(namespaces, { name: 'team' });
    expect((deleted['status'] as StoredObject)['phase']).toBe('Terminating');
    await cluster.clock.runUntilIdle();
    expect(cluster.store.get(namespaces, { name: 'team' })).toBeUndefined();
    expect(cluster.store.list(maps, 'team')).toEqual([]);
  });

  test('what finalizers hold keeps the namespace, which says so until they are gone', async () => {
    const metadata = { name: 'held', namespace: 'team', finalizers: ['example.com/hold'] };
    await cluster.client.create(maps, { metadata });
    await cluster.client.delete(namespaces, { name: 'team' });
    await cluster.clock.runUntilIdle();
    expect(conditions()).toEqual({
      NamespaceDeletionDiscoveryFailure: 'False: All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False: All legacy kube types successfully parsed',
      NamespaceDeletionContentFailure: 'False: All content successfully deleted, may be waiting on finalization',
      NamespaceContentRemaining: 'True: Some resources are remaining: configmaps. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    const revision = cluster.store.revision();
    await cluster.clock.advance(600_000);
    expect(cluster.store.revision()).toBe(revision);
    await cluster.client.change(maps, { namespace: 'team', name: 'held' }, (draft) => {
      (draft['metadata'] as { finalizers?: string[] }).finalizers = [];
    });
    await cluster.clock.runUntilIdle();
    expect(cluster.store.get(namespaces, { name: 'team' })).toBeUndefined();
  });
});
