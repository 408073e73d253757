import { startCluster } from '@tributary/sim-kubernetes';
import { expect, test } from 'vitest';
import { configMapKind, secretKind } from '../builtin-kinds.ts';
import { connect } from '../connect.ts';
import { defineKind } from '../kind.ts';
import { operatorManifests } from './operator-manifests.ts';
import { toPolicyRules } from './permission.ts';
import type { Permission } from './permission.ts';

const permissions: readonly Permission[] = [
  { kind: secretKind, verbs: ['watch', 'get', 'list'] },
  { kind: configMapKind, verbs: ['get'] },
  { kind: configMapKind, verbs: ['list', 'watch'] },
  { kind: configMapKind, subresource: 'status', verbs: ['patch'] },
  { kind: { group: 'apps', plural: 'deployments' }, verbs: ['create'], namespace: 'own' },
];

test('what several ask of one kind is one rule, and kinds with the same verbs share theirs', () => {
  const wanted = [
    { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['configmaps/status'], verbs: ['patch'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] },
  ];
  expect(toPolicyRules(permissions)).toEqual(wanted);
  expect(toPolicyRules(permissions.toReversed())).toEqual(wanted);
});

test('what is asked of single objects is a rule of its own, with their names', () => {
  const named = { kind: secretKind, verbs: ['patch'], names: ['b', 'a'] } as const;
  const more = { kind: secretKind, verbs: ['delete'], names: ['a', 'b'] } as const;
  expect(toPolicyRules([...permissions.slice(0, 1), named, more])).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['patch', 'delete'] },
  ]);
});

test('every object is taken by a cluster, and what is asked for its own namespace is not allowed everywhere', async () => {
  const cluster = await startCluster({ listen: false });
  const { client } = connect({ transport: cluster.transport() });
  const manifests = operatorManifests({
    name: 'test-operator',
    namespace: 'test-system',
    image: 'test:1',
    args: ['run'],
    replicas: 3,
    permissions,
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '512Mi' } },
    metricsPort: 8080,
    healthPort: 8081,
    volumes: [{ name: 'config', mountPath: '/etc/config', source: { configMap: { name: 'config' } } }],
  });
  for (const object of manifests) {
    const { apiVersion = '', kind = '' } = object;
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const scope = object.metadata.namespace === undefined ? 'Cluster' : 'Namespaced';
    const plural = `${kind.toLowerCase()}s`;
    await client.create(defineKind({ group, version, kind, plural, scope }), object);
  }
  const rolesAllowing = manifests.filter((object) => JSON.stringify(object['rules'] ?? []).includes('deployments'));
  expect(rolesAllowing.map(({ kind }) => kind)).toEqual(['Role']);
  await cluster.stop();
});
