import { beforeEach, describe, expect, test } from 'vitest';
import { startSimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { SimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { allocateClusterIp } from './allocate-service.ts';

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await startSimulatedCluster({ controllers: [] });
});

const change = (plural: string, name: string, edit: (spec: Draft) => void): Promise<StoredObject> =>
  cluster.client.change({ group: '', plural }, { namespace: 'default', name }, (draft) => edit(draft['spec'] as Draft));
const specOf = (object: StoredObject): JsonObject => object['spec'] as JsonObject;

describe('a Service that changes its type', () => {
  const make = (spec: JsonObject): Promise<StoredObject> =>
    cluster.make('services', { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], ...spec } });

  test('gives its node ports back when nobody outside asks for it any more', async () => {
    const before = await make({ type: 'NodePort' });
    expect(specOf(before)['ports']).toMatchObject([{ nodePort: expect.any(Number) }]);
    const after = await change('services', 'web', (spec) => void (spec['type'] = 'ClusterIP'));
    expect(specOf(after)['ports']).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80 }]);
    expect(specOf(after)['clusterIP']).toBe(specOf(before)['clusterIP']);
  });

  test('gives its address back as an external name, and gets one again', async () => {
    await make({});
    const away = await change('services', 'web', (spec) => {
      Object.assign(spec, { type: 'ExternalName', externalName: 'example.com' });
    });
    expect(specOf(away)).not.toHaveProperty('clusterIP');
    const back = await change('services', 'web', (spec) => {
      spec['type'] = 'ClusterIP';
      delete spec['externalName'];
    });
    expect(specOf(back)['clusterIP']).toMatch(/^10\.96\./);
  });

  test('keeps a node port while the port stays', async () => {
    const before = await make({ type: 'NodePort' });
    const after = await change(
      'services',
      'web',
      (spec) => void (spec['ports'] = [{ port: 80 }, { name: 'b', port: 81 }].map((port) => ({ name: 'a', ...port }))),
    );
    const [{ nodePort } = { nodePort: 0 }] = specOf(before)['ports'] as readonly { nodePort: number }[];
    expect(specOf(after)['ports']).toMatchObject([{ nodePort }, { nodePort: expect.any(Number) }]);
  });
});

test('no two Services get the same address, whatever chance says', () => {
  const given: StoredObject[] = [];
  const context = { now: () => '', uuid: () => '', get: () => undefined, list: () => given };
  for (let count = 0; count < 20; count += 1) {
    const spec: Draft = {};
    allocateClusterIp(spec, { name: 's', uid: 'the same draw' }, context);
    given.push({ metadata: { uid: `other ${count}` }, spec } as unknown as StoredObject);
  }
  expect(new Set(given.map((object) => specOf(object)['clusterIP'])).size).toBe(20);
});

describe('a claim', () => {
  const make = (more: JsonObject): Promise<StoredObject> =>
    cluster.make('persistentvolumeclaims', {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
    });
  const setClass = (name: string): Promise<StoredObject> =>
    change('persistentvolumeclaims', 'data', (spec) => void (spec['storageClassName'] = name));

  test('may be given a class once, when it has none', async () => {
    await make({});
    expect(specOf(await setClass('fast'))['storageClassName']).toBe('fast');
    await expect(setClass('slow')).rejects.toThrow('spec is immutable after creation except');
  });

  test('grows only when it is bound, and never below what it has', async () => {
    await make({});
    const resize = (storage: string): Promise<StoredObject> =>
      change('persistentvolumeclaims', 'data', (spec) => void (spec['resources'] = { requests: { storage } }));
    await expect(resize('2Gi')).rejects.toThrow('spec is immutable after creation except');
    await cluster.client.change(
      { group: '', plural: 'persistentvolumeclaims' },
      { namespace: 'default', name: 'data' },
      (draft) => void (draft['status'] = { phase: 'Bound', capacity: { storage: '1Gi' } }),
      { subresource: 'status' },
    );
    expect(specOf(await resize('2Gi'))['resources']).toEqual({ requests: { storage: '2Gi' } });
    await expect(resize('500Mi')).rejects.toThrow('field can not be less than status.capacity');
  });

  test('names its source both ways', async () => {
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'other' };
    expect(specOf(await make({ dataSource }))['dataSourceRef']).toEqual(dataSource);
  });
});

test('a namespace with a generated name carries that name as a label', async () => {
  const { metadata } = await cluster.make('namespaces', { metadata: { generateName: 'team-' } });
  expect(metadata.labels).toEqual({ 'kubernetes.io/metadata.name': metadata.name });
});

test('a Deployment counts changes of its annotations, other workloads do not', async () => {
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
  };
  const generations: (number | undefined)[] = [];
  for (const plural of ['deployments', 'replicasets']) {
    await cluster.make(plural, { metadata: { name: 'web' }, spec }, 'apps');
    const changed = await cluster.client.change(
      { group: 'apps', plural },
      { namespace: 'default', name: 'web' },
      (draft) => {
        (draft['metadata'] as Draft)['annotations'] = { note: 'new' };
      },
    );
    generations.push(changed.metadata.generation);
  }
  expect(generations).toEqual([2, 1]);
});

test('an event of one group is the same event in the other', async () => {
  await cluster.make(
    'events',
    {
      metadata: { name: 'e' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'c-0',
      action: 'Sync',
      reason: 'Synced',
      type: 'Normal',
      note: 'done',
      regarding: { kind: 'Pod', namespace: 'default', name: 'x' },
    },
    'events.k8s.io',
  );
  expect(cluster.read('events', 'e')).toMatchObject({
    apiVersion: 'v1',
    message: 'done',
    involvedObject: { name: 'x' },
    reportingComponent: 'example.com/c',
  });
});
