import { expect, test } from 'vitest';
import { parseResourcePath } from './parse-path.ts';

const rows = [
  ['/api/v1/pods', { group: '', version: 'v1', plural: 'pods', name: '' }],
  ['/api/v1/namespaces/a/pods/b', { plural: 'pods', namespace: 'a', name: 'b' }],
  ['/api/v1/namespaces/a/pods/b/status', { plural: 'pods', name: 'b', subresource: 'status' }],
  ['/api/v1/namespaces', { plural: 'namespaces', name: '', namespace: undefined }],
  ['/api/v1/namespaces/a', { plural: 'namespaces', name: 'a', namespace: undefined }],
  ['/api/v1/namespaces/a/status', { plural: 'namespaces', name: 'a', subresource: 'status' }],
  ['/api/v1/namespaces/a/finalize', { plural: 'namespaces', name: 'a', subresource: 'finalize' }],
  ['/apis/apps/v1/deployments', { group: 'apps', version: 'v1', plural: 'deployments' }],
  ['/apis/x.io/v1/namespaces/a/status', { plural: 'status', namespace: 'a', name: '' }],
  ['/api/v1/watch/namespaces/a/pods', { plural: 'pods', namespace: 'a', watch: true }],
  ['/api/v1/namespaces/a/configmaps/b%25c', { name: 'b%c' }],
  ['/api/v1/namespaces/a/pods/b/proxy/x/y', { name: 'b', subresource: 'proxy/x/y' }],
] as const;

test.each(rows)('%s', (path, parts) => {
  expect(parseResourcePath(path)).toMatchObject(parts);
});

test.each(['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/version', '/'])(
  '%s names no resource',
  (path) => {
    expect(parseResourcePath(path)).toBeUndefined();
  },
);
