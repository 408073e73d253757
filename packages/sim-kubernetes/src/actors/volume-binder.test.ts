import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import type { SimulatedCluster } from './testing/simulated-cluster.ts';
import { startSimulatedCluster } from './testing/simulated-cluster.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };

const volume = (name: string, storage: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, ...more },
});
const claim = (name: string, storage: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
});
const phase = (object: StoredObject | undefined): unknown => (object?.['status'] as JsonObject | undefined)?.['phase'];

describe('the binder of volumes', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await startSimulatedCluster();
  });
  const phases = (plural: string, ...names: readonly string[]): readonly unknown[] =>
    names.map((name) => phase(cluster.read(plural, name)));

  test('a claim gets the smallest volume that is large enough', async () => {
    await cluster.make('persistentvolumes', volume('large', '10Gi'));
    await cluster.make('persistentvolumes', volume('right', '2Gi'));
    await cluster.make('persistentvolumes', volume('small', '500Mi'));
    await cluster.make('persistentvolumeclaims', claim('data', '1Gi'));
    await cluster.clock.runUntilIdle();
    expect(phases('persistentvolumes', 'large', 'right', 'small')).toEqual(['Available', 'Bound', 'Available']);
    const bound = cluster.read('persistentvolumeclaims', 'data');
    expect(bound?.['status']).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } });
    expect((bound!['spec'] as JsonObject)['volumeName']).toBe('right');
  });

  test('a claim of another class waits', async () => {
    await cluster.make('persistentvolumes', volume('pv', '2Gi', { storageClassName: 'slow' }));
    await cluster.make('persistentvolumeclaims', claim('data', '1Gi', { storageClassName: 'fast' }));
    await cluster.clock.runUntilIdle();
    expect(phases('persistentvolumeclaims', 'data')).toEqual(['Pending']);
  });

  test('a claim in use is not taken away before the pod has gone, and its volume is released then', async () => {
    await cluster.make('persistentvolumes', volume('pv', '2Gi'));
    await cluster.make('persistentvolumeclaims', claim('data', '1Gi'));
    await cluster.make('pods', {
      metadata: { name: 'user' },
      spec: {
        containers: [{ name: 'app', image: 'x' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    });
    await cluster.clock.runUntilIdle();
    await cluster.client.delete(claims, { namespace: 'default', name: 'data' });
    await cluster.clock.runUntilIdle();
    expect(cluster.read('persistentvolumeclaims', 'data')?.metadata.deletionTimestamp).toBeDefined();
    await cluster.client.delete({ group: '', plural: 'pods' }, { namespace: 'default', name: 'user' });
    await cluster.clock.runUntilIdle();
    expect(cluster.read('persistentvolumeclaims', 'data')).toBeUndefined();
    expect(phases('persistentvolumes', 'pv')).toEqual(['Released']);
  });

  test('a volume that is to be deleted with its claim goes', async () => {
    await cluster.make('persistentvolumes', volume('pv', '2Gi', { persistentVolumeReclaimPolicy: 'Delete' }));
    await cluster.make('persistentvolumeclaims', claim('data', '1Gi'));
    await cluster.clock.runUntilIdle();
    await cluster.client.delete(claims, { namespace: 'default', name: 'data' });
    await cluster.clock.runUntilIdle();
    expect(cluster.store.list(volumes)).toEqual([]);
  });
});
