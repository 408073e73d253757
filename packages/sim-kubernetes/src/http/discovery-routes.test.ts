import { afterEach, beforeEach, expect, test } from 'vitest';
import { riverType, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const aggregated = (version: string): Record<string, string> => ({
  accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`,
});

test('groups name their versions, the preferred one first', async () => {
  api.registry.add({ ...riverType, version: 'v1beta1' });
  api.registry.add({ ...riverType, version: 'v2' });
  const { body } = await api.call('GET', '/apis/x.test');
  expect(body).toMatchObject({ kind: 'APIGroup', preferredVersion: { version: 'v2' } });
  expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'v1', 'v1beta1']);
  const groups = await api.call('GET', '/apis');
  expect(groups.body.groups.map(({ name }: { name: string }) => name)).toContain('x.test');
});

test('a version lists its resources with their subresources', async () => {
  const { body } = await api.call('GET', '/apis/x.test/v1');
  expect(body.resources).toMatchObject([
    { name: 'rivers', singularName: 'river', namespaced: true, kind: 'River', shortNames: ['rv'] },
    { name: 'rivers/status', kind: 'River', verbs: ['get', 'patch', 'update'] },
    { name: 'rivers/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
  ]);
});

test('aggregated discovery holds all of it in one answer', async () => {
  const { body, headers } = await api.call('GET', '/apis', undefined, aggregated('v2'));
  expect(headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
  const group = body.items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'x.test');
  expect(group.versions[0].resources[0]).toMatchObject({
    resource: 'rivers',
    responseKind: { kind: 'River' },
    scope: 'Namespaced',
    subresources: [{ subresource: 'status' }, { subresource: 'scale', responseKind: { group: 'autoscaling' } }],
  });
});

test('the older form v2beta1 is no longer served, as in 1.36: the plain list is the answer', async () => {
  const { body } = await api.call('GET', '/apis', undefined, aggregated('v2beta1'));
  expect(body.kind).toBe('APIGroupList');
});

test('an answer that the caller has already is not sent again, until something changes', async () => {
  const { headers } = await api.call('GET', '/apis', undefined, aggregated('v2'));
  const known = { ...aggregated('v2'), 'if-none-match': headers['etag'] ?? '' };
  expect((await api.call('GET', '/apis', undefined, known)).status).toBe(304);
  api.registry.set('x.test', 'rivers', []);
  expect((await api.call('GET', '/apis', undefined, known)).status).toBe(200);
  expect((await api.call('GET', '/apis/x.test')).status).toBe(404);
});
