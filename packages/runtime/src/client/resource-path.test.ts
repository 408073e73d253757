import { expect, test } from 'vitest';
import { defineKind } from '../kind.ts';
import { collectionPath, creationPath, objectPath, withQuery } from './resource-path.ts';

const pod = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
const node = defineKind({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });
const namespace = defineKind({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' });
const role = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
});
const deployment = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});

const paths: readonly (readonly [string, string, string])[] = [
  ['core objects of a namespace', collectionPath(pod, 'default'), '/api/v1/namespaces/default/pods'],
  ['core objects everywhere', collectionPath(pod, undefined), '/api/v1/pods'],
  ['cluster-wide objects', collectionPath(node, undefined), '/api/v1/nodes'],
  ['objects of a group', collectionPath(deployment, 'a'), '/apis/apps/v1/namespaces/a/deployments'],
  ['one object', objectPath(pod, { namespace: 'a', name: 'b' }), '/api/v1/namespaces/a/pods/b'],
  ['one cluster-wide object', objectPath(node, { name: 'n1' }), '/api/v1/nodes/n1'],
  ['a namespace', objectPath(namespace, { name: 'a' }), '/api/v1/namespaces/a'],
  [
    'a subresource',
    objectPath(deployment, { namespace: 'a', name: 'b' }, 'scale'),
    '/apis/apps/v1/namespaces/a/deployments/b/scale',
  ],
  [
    'a name with a colon',
    objectPath(role, { name: 'system:node' }),
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
  ],
  [
    'a name with a slash, question mark and percent',
    objectPath(node, { name: 'a/b?c%d' }),
    '/api/v1/nodes/a%2Fb%3Fc%25d',
  ],
  ['a place to create', creationPath(pod, 'a'), '/api/v1/namespaces/a/pods'],
];

for (const [name, path, expected] of paths) {
  test(`the path of ${name}`, () => expect(path).toBe(expected));
}

const refused: readonly (readonly [string, () => string])[] = [
  ['an empty name', () => objectPath(pod, { namespace: 'a', name: '' })],
  ['the name of the folder above', () => objectPath(pod, { namespace: 'a', name: '..' })],
  ['an empty namespace', () => objectPath(pod, { namespace: '', name: 'b' })],
  ['an object of a namespaced kind without a namespace', () => objectPath(pod, { name: 'b' })],
  ['creating an object of a namespaced kind without a namespace', () => creationPath(pod, undefined)],
  ['the namespace of a cluster-wide kind', () => collectionPath(node, 'a')],
  ['an empty subresource', () => objectPath(node, { name: 'a' }, '')],
];

for (const [name, build] of refused) {
  test(`no path is made for ${name}, which would address something else`, () => expect(build).toThrow(TypeError));
}

test('a query holds what is defined, escaped, in the order given', () => {
  const query = { limit: 500, continue: undefined, labelSelector: 'a in (b,c),d!=e', watch: true, resourceVersion: '' };
  expect(withQuery('/api/v1/pods', query)).toBe(
    '/api/v1/pods?limit=500&labelSelector=a%20in%20(b%2Cc)%2Cd!%3De&watch=true&resourceVersion=',
  );
  expect(withQuery('/api/v1/pods', { limit: undefined })).toBe('/api/v1/pods');
});
