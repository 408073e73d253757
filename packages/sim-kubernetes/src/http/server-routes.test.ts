import { expect, test } from 'vitest';
import { startTestApi } from './testing/test-api.ts';

test('the version is that of the Kubernetes that is simulated', async () => {
  const api = await startTestApi();
  expect((await api.call('GET', '/version')).body).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
  await api.stop();
});

test('health is told in a word, or check by check', async () => {
  const api = await startTestApi();
  for (const name of ['healthz', 'livez', 'readyz']) {
    expect((await api.call('GET', `/${name}`)).text).toBe('ok');
    expect((await api.call('GET', `/${name}/ping`)).text).toBe('ok');
    expect((await api.call('GET', `/${name}/nope`)).status).toBe(404);
    const { text } = await api.call('GET', `/${name}?verbose`);
    expect(text.split('\n')).toContain('[+]etcd ok');
    expect(text.endsWith(`${name} check passed\n`)).toBe(true);
  }
  await api.stop();
});

test('the root lists the paths', async () => {
  const api = await startTestApi();
  const { paths } = (await api.call('GET', '/')).body;
  for (const path of ['/api/v1', '/apis/apps/v1', '/healthz', '/version']) expect(paths).toContain(path);
  await api.stop();
});
