import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMaps, startTestApi } from '../http/testing/test-api.ts';
import type { TestApi } from '../http/testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

test('a token that nobody has is refused', async () => {
  const { body } = await api.call('GET', configMaps, undefined, { authorization: 'Bearer nobody' });
  expect(body).toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
});

test('without a token only what probes need is shown', async () => {
  const nobody = { authorization: '' };
  const { body } = await api.call('GET', configMaps, undefined, nobody);
  expect(body.message).toBe(
    'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
  );
  const path = await api.call('GET', '/api', undefined, nobody);
  expect(path.body.message).toBe('forbidden: User "system:anonymous" cannot get path "/api"');
  for (const open of ['/healthz', '/livez', '/readyz', '/version']) {
    expect((await api.call('GET', open, undefined, nobody)).status).toBe(200);
  }
});

test('the tokens that are given are the only ones', async () => {
  const tokens = new Map([['secret', { username: 'eve', groups: [] }]]);
  const own = await startTestApi({ tokens });
  expect(own.token).toBe('secret');
  expect((await own.call('GET', '/api')).status).toBe(200);
  const other = await own.call('GET', '/api', undefined, { authorization: `Bearer ${api.token}` });
  expect(other.status).toBe(401);
  await own.stop();
});

test('a token of a ServiceAccount counts until it expires or the account is another', async () => {
  const account = '/api/v1/namespaces/default/serviceaccounts';
  await api.call('POST', account, { metadata: { name: 'robot' } });
  const { body } = await api.call('POST', `${account}/robot/token`, { spec: { expirationSeconds: 600 } });
  const robot = { authorization: `Bearer ${body.status.token}` };
  expect((await api.call('GET', '/api', undefined, robot)).status).toBe(200);
  await api.call('DELETE', `${account}/robot`);
  expect((await api.call('GET', '/api', undefined, robot)).status).toBe(401);
  await api.call('POST', account, { metadata: { name: 'robot' } });
  expect((await api.call('GET', '/api', undefined, robot)).status).toBe(401);
  const again = await api.call('POST', `${account}/robot/token`, { spec: { expirationSeconds: 600 } });
  const late = { authorization: `Bearer ${again.body.status.token}` };
  // A minute more than asked for, as the server allows for clocks that differ.
  await api.clock.advance(659_000);
  expect((await api.call('GET', '/api', undefined, late)).status).toBe(200);
  await api.clock.advance(2000);
  expect((await api.call('GET', '/api', undefined, late)).status).toBe(401);
});

const others = [
  ['another scheme', 'Basic abc'],
  ['a scheme alone', 'Bearer'],
  ['an empty token', 'Bearer  '],
  ['two spaces before the token', 'Bearer  x'],
] as const;
for (const [name, authorization] of others) {
  test(`an Authorization header with ${name} counts as none`, async () => {
    const { status, body } = await api.call('GET', '/api', undefined, { authorization });
    expect([status, body.message]).toEqual([403, 'forbidden: User "system:anonymous" cannot get path "/api"']);
  });
}

test('without RBAC whoever has shown who they are may do everything', async () => {
  const tokens = new Map([['secret', { username: 'eve', groups: [] }]]);
  const own = await startTestApi({ tokens, authorization: 'any-user' });
  expect((await own.call('GET', configMaps)).status).toBe(200);
  expect((await own.call('GET', configMaps, undefined, { authorization: '' })).status).toBe(403);
  expect(own.store.count({ group: 'rbac.authorization.k8s.io', plural: 'clusterroles' })).toBe(0);
  await own.stop();
});
