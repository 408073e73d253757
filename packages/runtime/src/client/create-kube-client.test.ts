import { expect, test } from 'vitest';
import { isGone } from './error-checks.ts';
import type { KubeClient } from './kube-client.ts';
import { ref, scriptedClient, statusAnswer, widgets, widgetsPath } from './testing/scripted-client.ts';
import type { Widget } from './testing/scripted-client.ts';

const widget: Widget = { metadata: { ...ref, resourceVersion: '7' }, spec: { size: 1 } };
const typed = { apiVersion: 'example.org/v1', kind: 'Widget', ...widget };
const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' };
const merge = 'application/merge-patch+json';

type Call = (kube: KubeClient) => Promise<unknown>;
const calls: readonly (readonly [string, Call, string, string?, unknown?])[] = [
  ['get', (k) => k.get(widgets, ref), `GET ${widgetsPath}/w`],
  [
    'list',
    (k) => k.list(widgets, { namespace: 'a', labelSelector: 'x=y', fieldSelector: 'metadata.name=w', limit: 5 }),
    `GET ${widgetsPath}?labelSelector=x%3Dy&fieldSelector=metadata.name%3Dw&limit=5`,
  ],
  [
    'list from a version',
    (k) => k.list(widgets, { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', continue: 'abc=' }),
    'GET /apis/example.org/v1/widgets?continue=abc%3D&resourceVersion=0&resourceVersionMatch=NotOlderThan',
  ],
  ['create', (k) => k.create(widgets, widget), `POST ${widgetsPath}`, 'application/json', typed],
  [
    'create with options',
    (k) => k.create(widgets, widget, { fieldManager: 'me', fieldValidation: 'Strict', dryRun: true }),
    `POST ${widgetsPath}?fieldManager=me&fieldValidation=Strict&dryRun=All`,
    'application/json',
    typed,
  ],
  ['update', (k) => k.update(widgets, widget), `PUT ${widgetsPath}/w`, 'application/json', typed],
  ['updateStatus', (k) => k.updateStatus(widgets, widget), `PUT ${widgetsPath}/w/status`, 'application/json', typed],
  [
    'a merge patch',
    (k) => k.patch(widgets, ref, { type: 'merge', body: { a: 1 } }),
    `PATCH ${widgetsPath}/w`,
    merge,
    { a: 1 },
  ],
  [
    'a JSON patch',
    (k) => k.patch(widgets, ref, { type: 'json', body: [{ op: 'remove', path: '/a' }] }, { fieldManager: 'me' }),
    `PATCH ${widgetsPath}/w?fieldManager=me`,
    'application/json-patch+json',
    [{ op: 'remove', path: '/a' }],
  ],
  [
    'a strategic merge patch of the status',
    (k) => k.patchStatus(widgets, ref, { type: 'strategic', body: { status: {} } }),
    `PATCH ${widgetsPath}/w/status`,
    'application/strategic-merge-patch+json',
    { status: {} },
  ],
  [
    'apply',
    (k) => k.apply(widgets, widget, { fieldManager: 'me', force: true }),
    `PATCH ${widgetsPath}/w?fieldManager=me&force=true`,
    'application/apply-patch+yaml',
    typed,
  ],
  [
    'applyStatus',
    (k) => k.applyStatus(widgets, widget, { fieldManager: 'me' }),
    `PATCH ${widgetsPath}/w/status?fieldManager=me`,
    'application/apply-patch+yaml',
    typed,
  ],
  ['delete', (k) => k.delete(widgets, ref), `DELETE ${widgetsPath}/w`, 'application/json', deleteOptions],
  [
    'delete with preconditions',
    (k) =>
      k.delete(widgets, ref, {
        preconditions: { uid: 'u', resourceVersion: '7' },
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        dryRun: true,
      }),
    `DELETE ${widgetsPath}/w`,
    'application/json',
    {
      ...deleteOptions,
      preconditions: { uid: 'u', resourceVersion: '7' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      dryRun: ['All'],
    },
  ],
  [
    'deleteCollection',
    (k) => k.deleteCollection(widgets, { namespace: 'a', labelSelector: 'x' }, { propagationPolicy: 'Orphan' }),
    `DELETE ${widgetsPath}?labelSelector=x`,
    'application/json',
    { ...deleteOptions, propagationPolicy: 'Orphan' },
  ],
  ['getScale', (k) => k.getScale(widgets, ref), `GET ${widgetsPath}/w/scale`],
  [
    'patchScale',
    (k) => k.patchScale(widgets, ref, 3),
    `PATCH ${widgetsPath}/w/scale`,
    merge,
    { spec: { replicas: 3 } },
  ],
  [
    'patchSubresource',
    (k) => k.patchSubresource(widgets, ref, 'resize', { type: 'strategic', body: { a: 1 } }),
    `PATCH ${widgetsPath}/w/resize`,
    'application/strategic-merge-patch+json',
    { a: 1 },
  ],
  [
    'createSubresource',
    (k) => k.createSubresource(widgets, ref, 'eviction', { a: 1 }, { dryRun: true }),
    `POST ${widgetsPath}/w/eviction?dryRun=All`,
    'application/json',
    { a: 1 },
  ],
  [
    'watch',
    (k) =>
      k.watch(
        widgets,
        {
          namespace: 'a',
          labelSelector: 'x',
          fieldSelector: 'y',
          resourceVersion: '9',
          resourceVersionMatch: 'NotOlderThan',
          sendInitialEvents: true,
          allowWatchBookmarks: true,
          timeoutSeconds: 300,
        },
        () => undefined,
      ),
    `GET ${widgetsPath}?watch=true&labelSelector=x&fieldSelector=y&resourceVersion=9&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=300`,
  ],
];

for (const [name, call, line, contentType, body] of calls) {
  test(`${name} sends ${line}`, async () => {
    const { kube, requests } = scriptedClient(
      name === 'watch' ? [{ body: Buffer.from('') }] : [{ json: { answered: name } }],
    );
    const answer = await call(kube);
    const [request] = requests;
    expect(`${request?.method} ${request?.path}`).toBe(line);
    expect(request?.headers).toEqual({
      accept: 'application/json',
      'user-agent': 'test/1',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    });
    expect(request?.body === undefined ? undefined : JSON.parse(String(request.body))).toEqual(body);
    const silent = name === 'watch' || name === 'deleteCollection';
    expect(answer).toEqual(silent ? undefined : { answered: name });
  });
}

test('an object without a name is refused before anything is sent', async () => {
  const { kube, requests } = scriptedClient([{}]);
  await expect(kube.update(widgets, { metadata: { namespace: 'a' } })).rejects.toThrow(TypeError);
  await expect(kube.delete(widgets, { namespace: 'a', name: '' })).rejects.toThrow(TypeError);
  await expect(kube.deleteCollection(widgets, {})).rejects.toThrow('Widget needs a namespace');
  expect(requests).toEqual([]);
});

test('pages are asked for one after the other, the version only with the first', async () => {
  const { kube, requests } = scriptedClient([
    { json: { metadata: { continue: 'c1' }, items: [1] } },
    { json: { metadata: { continue: 'c2' }, items: [2] } },
    { json: { metadata: { continue: '' }, items: [3] } },
  ]);
  const items: unknown[] = [];
  for await (const page of kube.listPages(widgets, { resourceVersion: '5', resourceVersionMatch: 'Exact', limit: 1 })) {
    items.push(...page.items);
  }
  expect(items).toEqual([1, 2, 3]);
  expect(requests.map(({ path }) => path.split('?')[1])).toEqual([
    'limit=1&resourceVersion=5&resourceVersionMatch=Exact',
    'limit=1&continue=c1',
    'limit=1&continue=c2',
  ]);
});

test('a page has 500 objects when nothing is said, and 410 between pages is thrown', async () => {
  const { kube, requests } = scriptedClient([
    { json: { metadata: { continue: 'c1' }, items: [] } },
    statusAnswer(410, 'Expired'),
  ]);
  const pages = kube.listPages(widgets)[Symbol.asyncIterator]();
  await pages.next();
  const error: unknown = await pages.next().catch((error: unknown) => error);
  expect(isGone(error)).toBe(true);
  expect(requests.map(({ path }) => path.split('?')[1])).toEqual(['limit=500', 'limit=500&continue=c1']);
});

test('what the server warns of is handed on', async () => {
  const warnings: string[] = [];
  const headers = { warning: '299 - "unknown field \\"spec.a\\"", 299 kube "old, very old"' };
  const answer = { headers, body: Buffer.from('{}') };
  const { kube } = scriptedClient([answer], { onWarning: (text) => void warnings.push(text) });
  await kube.get(widgets, ref);
  expect(warnings).toEqual(['unknown field "spec.a"', 'old, very old']);
});

test('a request refused with 429 is sent again only when that was asked for', async () => {
  const busy = statusAnswer(429, 'TooManyRequests', { 'retry-after': '2' });
  const plain = scriptedClient([busy, { json: {} }]);
  await expect(plain.kube.create(widgets, widget)).rejects.toMatchObject({ retry: { kind: 'after', ms: 2000 } });
  expect(plain.requests.length).toBe(1);

  const patient = scriptedClient([busy, { json: { ok: true } }], { retriesWhenRefused: 1 });
  const created = patient.kube.create(widgets, widget);
  await patient.clock.advance(1999);
  expect(patient.requests.length).toBe(1);
  await patient.clock.advance(1);
  expect(await created).toEqual({ ok: true });
  expect(patient.requests.length).toBe(2);
});
