import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, eventually } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';

// What the server counts, as far as both count it.

const { api } = useServer();
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

/** The lines of a family, by the labels that are looked for. */
async function value(family: string, ...labels: readonly string[]): Promise<number> {
  const { text } = await api.get('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(`${family}{`));
  const found = lines.filter((line) => labels.every((label) => line.includes(label)));
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

describe('/metrics', () => {
  test('is in the format of Prometheus', async () => {
    const { status, headers, text } = await api.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    expect(text).toContain('\n# TYPE apiserver_request_total counter\n');
    expect(text).toContain('\n# TYPE apiserver_longrunning_requests gauge\n');
  });

  const maps = (): string => `/api/v1/namespaces/${namespace}/podtemplates`;
  const body = { metadata: { name: 'counted' }, template: { spec: { containers: [{ name: 'a', image: 'x' }] } } };
  const labels = (code: number, verb: string, scope: string, dryRun = ''): string =>
    `{code="${code}",component="apiserver",dry_run="${dryRun}",group="",resource="podtemplates",scope="${scope}",subresource="",verb="${verb}",version="v1"}`;
  test.each([
    ['a create', labels(201, 'POST', 'resource', 'All'), () => api.post(maps(), body, { dryRun: 'All' })],
    ['a list', labels(200, 'LIST', 'namespace'), () => api.get(maps())],
    ['a read of nothing', labels(404, 'GET', 'resource'), () => api.get(`${maps()}/none`)],
    ['a change of nothing', labels(404, 'PATCH', 'resource'), () => api.patch(`${maps()}/none`, 'merge', {})],
    ['a deletion of all', labels(200, 'DELETE', 'namespace'), () => api.del(maps())],
  ])('counts %s', async (_name, wanted, send) => {
    const before = await value('apiserver_request_total', wanted);
    await send();
    await send();
    // The real server counts when it has answered.
    const after = await eventually(
      () => value('apiserver_request_total', wanted),
      (count) => count >= before + 2,
    );
    expect(after).toBe(before + 2);
  });

  test('knows how many watch', async () => {
    const wanted = ['resource="podtemplates"', 'scope="namespace"', 'verb="WATCH"'];
    const before = await value('apiserver_longrunning_requests', ...wanted);
    const watch = await api.watch(maps());
    const during = await eventually(
      () => value('apiserver_longrunning_requests', ...wanted),
      (count) => count > before,
    );
    watch.close();
    const after = await eventually(
      () => value('apiserver_longrunning_requests', ...wanted),
      (count) => count === before,
    );
    expect([during - before, after - before]).toEqual([1, 0]);
  });

  test('is not for everybody', async () => {
    const { status } = await api.get('/metrics', {}, { 'impersonate-user': 'somebody' });
    expect(status).toBe(403);
  });
});
