import { connect, defineKind } from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { afterEach, describe, expect, test } from 'vitest';
import { nodeOptions, topdownManifests } from './manifests.ts';

const { virtual, physical } = topdownManifests({
  clusterBindingName: 'worker1',
  clusterId: 'cls-worker1',
  csiSecretNamespaces: ['storage'],
});

type Rule = { readonly resources: readonly string[]; readonly verbs: readonly string[] };
const find = (objects: readonly AnyObject[], kind: string, name: string, namespace?: string): AnyObject | undefined =>
  objects.find(
    (object) => object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
  );
const verbsOn = (role: AnyObject | undefined, resource: string): readonly string[] =>
  ((role?.['rules'] ?? []) as readonly Rule[]).flatMap(({ resources, verbs }) =>
    resources.includes(resource) ? verbs : [],
  );

const clusters: Cluster[] = [];
afterEach(async () => void (await Promise.all(clusters.splice(0).map(async (cluster) => cluster.stop()))));

describe('the manifests', () => {
  for (const [side, objects] of Object.entries({ virtual, physical })) {
    test(`of the ${side} cluster are accepted in their order, as strictly as kubectl would`, async () => {
      const cluster = await startCluster({ listen: false });
      clusters.push(cluster);
      const { client } = connect({ transport: cluster.transport() });
      await client.create(
        defineKind({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' }),
        {
          metadata: { name: 'storage' },
        },
      );
      for (const object of objects) {
        const [version = '', group = ''] = (object.apiVersion ?? '').split('/').toReversed();
        const type = cluster.registry.findKind(group, version, object.kind ?? '');
        if (!type) throw new Error(`${object.kind} is not served`);
        const kind = { ...type, scope: type.namespaced ? ('Namespaced' as const) : ('Cluster' as const) };
        expect(await client.create(kind, object, { fieldValidation: 'Strict' })).toHaveProperty('metadata.uid');
      }
    });
  }

  test('start the syncer under the name of the original, with bounds for its memory', () => {
    const deployment = find(virtual, 'Deployment', 'kubeocean-syncer-cls-worker1', 'kubeocean-system');
    expect(JSON.stringify(deployment)).toContain('"--cluster-binding-name=worker1"');
    expect(JSON.stringify(deployment)).toContain('"--leader-election-id=kubeocean-syncer-cls-worker1"');
    expect(JSON.stringify(deployment)).toContain('"--csi-secret-namespaces=storage"');
    expect(JSON.stringify(deployment)).toContain(nodeOptions.join(' '));
  });
});

describe('W17: the rights in P', () => {
  const everywhere = find(physical, 'ClusterRole', 'kubeocean-syncer');

  test('reach no Secret outside the mount namespace and those that a flag lists', () => {
    expect(verbsOn(everywhere, 'secrets')).toEqual([]);
    const places = physical.filter((object) => object.kind === 'Role' && verbsOn(object, 'secrets').length > 0);
    expect(places.map(({ metadata }) => metadata.namespace)).toEqual(['kubeocean-mount', 'storage']);
  });

  test('let it read pods everywhere, and write them in the mount namespace alone', () => {
    expect(verbsOn(everywhere, 'pods')).toEqual(['list', 'watch']);
    expect(verbsOn(find(physical, 'Role', 'kubeocean-syncer', 'kubeocean-mount'), 'pods')).toContain('create');
  });

  test('make nobody an administrator', () => {
    const all = [...virtual, ...physical].flatMap((object) => (object['rules'] ?? []) as readonly Rule[]);
    expect(all.flatMap(({ resources, verbs }) => [...resources, ...verbs]).filter((word) => word === '*')).toEqual([]);
    expect(all.flatMap(({ resources }) => resources)).not.toContain('clusterroles');
  });
});

test('the rights in V let it renew no lease but those of nodes and its own', () => {
  expect(verbsOn(find(virtual, 'ClusterRole', 'kubeocean-syncer-cls-worker1'), 'leases')).toEqual([]);
  const places = virtual.filter((object) => object.kind === 'Role' && verbsOn(object, 'leases').length > 0);
  expect(places.map(({ metadata }) => metadata.namespace)).toEqual(['kubeocean-system', 'kube-node-lease']);
});
