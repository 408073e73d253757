import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, river, rivers, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const fill = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    await api.call('POST', configMaps, { metadata: { name: `c${index}`, labels: { odd: String(index % 2) } } });
  }
};
const names = (body: { items: { metadata: { name: string } }[] }): string[] =>
  body.items.map(({ metadata }) => metadata.name);

describe('a list', () => {
  test('of a built-in kind leaves kind and version of its items out, one of a custom kind does not', async () => {
    await fill(1);
    await api.call('POST', rivers, river('a'));
    const builtin = await api.call('GET', configMaps);
    expect(builtin.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(Object.keys(builtin.body.items[0])).toEqual(['metadata']);
    const custom = await api.call('GET', rivers);
    expect(custom.body.items[0]).toMatchObject({ kind: 'River', apiVersion: 'x.test/v1' });
  });

  test('comes in pages of one revision, whatever is written in between', async () => {
    await fill(5);
    const first = await api.call('GET', `${configMaps}?limit=2`);
    expect(names(first.body)).toEqual(['c0', 'c1']);
    expect(first.body.metadata.remainingItemCount).toBe(3);
    await api.call('POST', configMaps, { metadata: { name: 'c2x' } });
    await api.call('DELETE', `${configMaps}/c3`);
    const second = await api.call('GET', `${configMaps}?limit=2&continue=${first.body.metadata.continue}`);
    expect(names(second.body)).toEqual(['c2', 'c3']);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    const third = await api.call('GET', `${configMaps}?limit=2&continue=${second.body.metadata.continue}`);
    expect(names(third.body)).toEqual(['c4']);
    expect(third.body.metadata.continue).toBeUndefined();
  });

  test('that cannot go on offers to go on with what is there now', async () => {
    await fill(4);
    const first = await api.call('GET', `${configMaps}?limit=2`);
    await api.call('DELETE', `${configMaps}/c2`);
    api.compact();
    const lost = await api.call('GET', `${configMaps}?limit=2&continue=${first.body.metadata.continue}`);
    expect(lost.body).toMatchObject({ code: 410, reason: 'Expired' });
    const rest = await api.call('GET', `${configMaps}?limit=2&continue=${lost.body.metadata.continue}`);
    expect(names(rest.body)).toEqual(['c3']);
  });

  test('with a selector does not say how much remains', async () => {
    await fill(5);
    const { body } = await api.call('GET', `${configMaps}?limit=1&labelSelector=odd%3D0`);
    expect(body.metadata.continue).toBeTruthy();
    expect(body.metadata.remainingItemCount).toBeUndefined();
  });

  test('of exactly an older revision shows it, not older than it shows the newest', async () => {
    await fill(1);
    const then = api.store.revision();
    await api.call('DELETE', `${configMaps}/c0`);
    const exact = await api.call('GET', `${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
    expect(names(exact.body)).toEqual(['c0']);
    expect(exact.body.metadata.resourceVersion).toBe(String(then));
    const newer = await api.call('GET', `${configMaps}?resourceVersion=${then}`);
    expect(names(newer.body)).toEqual([]);
  });

  test('of a revision to come is a timeout with its cause', async () => {
    const { body } = await api.call('GET', `${configMaps}?resourceVersion=99999`);
    expect(body).toMatchObject({
      code: 504,
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
    });
  });

  test('selects by fields that the kind knows, and refuses others', async () => {
    await api.call('POST', rivers, river('a', { name: 'Elbe' }));
    await api.call('POST', rivers, river('b', { name: 'Spree' }));
    const found = await api.call('GET', `${rivers}?fieldSelector=spec.name%3DSpree`);
    expect(names(found.body)).toEqual(['b']);
    const other = await api.call('GET', `${rivers}?fieldSelector=spec.length%3D1`);
    expect(other.body).toMatchObject({ code: 400, message: 'field label not supported: spec.length' });
    const plain = await api.call('GET', `${configMaps}?fieldSelector=data.x%3D1`);
    expect(plain.body.message).toBe(
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
});

describe('answers take the form that was asked for', () => {
  const meta = (as: string): Record<string, string> => ({ accept: `application/json;as=${as};v=v1;g=meta.k8s.io` });

  test('a table', async () => {
    await fill(1);
    const { body } = await api.call('GET', configMaps, undefined, meta('Table'));
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', rows: [{ cells: ['c0', 0, '0s'] }] });
  });

  test('metadata alone', async () => {
    await fill(1);
    const list = await api.call('GET', configMaps, undefined, meta('PartialObjectMetadataList'));
    expect(list.body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'c0' } }],
    });
    const one = await api.call('GET', `${configMaps}/c0`, undefined, meta('PartialObjectMetadata'));
    expect(Object.keys(one.body)).toEqual(['kind', 'apiVersion', 'metadata']);
  });

  test('YAML, and indented JSON for people', async () => {
    await fill(1);
    const yaml = await api.call('GET', `${configMaps}/c0`, undefined, { accept: 'application/yaml' });
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(yaml.text.startsWith('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  creationTimestamp: "2026-')).toBe(true);
    expect((await api.call('GET', `${configMaps}/c0?pretty=true`)).text).toContain('\n  "kind": "ConfigMap"');
    expect((await api.call('GET', `${configMaps}/c0`, undefined, { 'user-agent': 'curl/8' })).text).toContain('\n  ');
    expect((await api.call('GET', `${configMaps}/c0`)).text).not.toContain('\n  ');
  });

  test('or none when nothing fits', async () => {
    expect((await api.call('GET', configMaps, undefined, { accept: 'text/html' })).status).toBe(406);
    expect((await api.call('GET', configMaps, undefined, { accept: 'text/html,*/*;q=0.1' })).status).toBe(200);
    expect((await api.call('GET', configMaps, undefined, meta('Poem'))).status).toBe(406);
  });
});

const misplaced = [
  ['GET', '/api/v1/nope', 404],
  ['GET', '/apis/nope/v1/things', 404],
  ['GET', '/apis/apps/v2/deployments', 404],
  ['GET', '/api/v1/namespaces/default/nodes', 404],
  ['GET', `${configMaps}/a/status`, 404],
  ['POST', `${configMaps}/a`, 405],
  ['PUT', configMaps, 405],
  ['DELETE', '/api/v1/configmaps', 405],
  ['HEAD', configMaps, 405],
  ['OPTIONS', configMaps, 405],
] as const;

test.each(misplaced)('%s %s is answered with %i', async (method, path, status) => {
  expect((await api.call(method, path)).status).toBe(status);
});

test('a path outside of everything is no Status but text', async () => {
  const { status, text } = await api.call('GET', '/foo');
  expect([status, text]).toEqual([404, '404 page not found\n']);
});
