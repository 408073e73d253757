import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMaps, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

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
  const tokens = new Map([['secret', { username: 'eve', groups: ['system:authenticated'] }]]);
  const own = await startTestApi({ tokens });
  expect(own.token).toBe('secret');
  expect((await own.call('GET', configMaps)).status).toBe(200);
  const other = await own.call('GET', configMaps, undefined, { authorization: `Bearer ${api.token}` });
  expect(other.status).toBe(401);
  await own.stop();
});

test('a token of a ServiceAccount counts until it expires or the account is another', async () => {
  const account = '/api/v1/namespaces/default/serviceaccounts';
  await api.call('POST', account, { metadata: { name: 'robot' } });
  const { body } = await api.call('POST', `${account}/robot/token`, { spec: { expirationSeconds: 600 } });
  const robot = { authorization: `Bearer ${body.status.token}` };
  expect((await api.call('GET', configMaps, undefined, robot)).status).toBe(200);
  await api.call('DELETE', `${account}/robot`);
  expect((await api.call('GET', configMaps, undefined, robot)).status).toBe(401);
  await api.call('POST', account, { metadata: { name: 'robot' } });
  expect((await api.call('GET', configMaps, undefined, robot)).status).toBe(401);
  const again = await api.call('POST', `${account}/robot/token`, { spec: { expirationSeconds: 600 } });
  const late = { authorization: `Bearer ${again.body.status.token}` };
  await api.clock.advance(599_000);
  expect((await api.call('GET', configMaps, undefined, late)).status).toBe(200);
  await api.clock.advance(2000);
  expect((await api.call('GET', configMaps, undefined, late)).status).toBe(401);
});
