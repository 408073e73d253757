import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose, patchTypes } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('patches');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, { subresources: { status: {} } });
});

type Type = keyof typeof patchTypes;
const base: Loose = { data: { a: '1', b: '2', c: '3' }, metadata: { labels: { x: 'y' } } };

async function patched(type: Type, patch: unknown): Promise<Answer> {
  const name = uniqueName('p');
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const created = await api.post(path, { ...base, metadata: { ...base.metadata, name } });
  expect(created.status).toBe(201);
  return api.patch(`${path}/${name}`, type, patch);
}

async function patchedRiver(type: Type, spec: Loose, patch: unknown): Promise<Answer> {
  const name = uniqueName('p');
  await api.post(crd.at(namespace), crd.object(name, { spec }));
  return api.patch(`${crd.at(namespace)}/${name}`, type, patch);
}

describe('a JSON patch', () => {
  const rows: readonly (readonly [string, unknown, Loose])[] = [
    ['adds a member', [{ op: 'add', path: '/data/n', value: '9' }], { ...base.data, n: '9' }],
    ['replaces a member', [{ op: 'replace', path: '/data/a', value: '9' }], { ...base.data, a: '9' }],
    ['adds by replacing what is not there', [{ op: 'replace', path: '/data/n', value: '9' }], { ...base.data, n: '9' }],
    ['removes a member', [{ op: 'remove', path: '/data/a' }], { b: '2', c: '3' }],
    ['copies', [{ op: 'copy', from: '/data/a', path: '/data/z' }], { ...base.data, z: '1' }],
    ['moves', [{ op: 'move', from: '/data/a', path: '/data/z' }], { b: '2', c: '3', z: '1' }],
    [
      'goes on after a test that holds',
      [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '2' },
      ],
      { ...base.data, a: '2' },
    ],
    ['changes nothing when it is empty', [], base.data],
  ];
  test.each(rows)('%s', async (_, patch, data) => {
    const { status, body } = await patched('json', patch);
    expect(status).toBe(200);
    expect(body.data).toEqual(data);
  });

  test('reads ~1 as a slash and ~0 as a tilde', async () => {
    const ops = [
      { op: 'remove', path: '/spec/c~1d' },
      { op: 'add', path: '/spec/e~0f', value: 2 },
    ];
    expect((await patchedRiver('json', { 'c/d': 1 }, ops)).body.spec).toEqual({ 'e~f': 2 });
  });

  test('works on arrays of custom resources', async () => {
    const spec = { list: [1, 2, 3] };
    const ops = [
      { op: 'add', path: '/spec/list/-', value: 4 },
      { op: 'add', path: '/spec/list/0', value: 0 },
      { op: 'remove', path: '/spec/list/2' },
    ];
    expect((await patchedRiver('json', spec, ops)).body.spec.list).toEqual([0, 1, 3, 4]);
  });

  const broken: readonly (readonly [string, unknown])[] = [
    ['a test that fails', [{ op: 'test', path: '/data/a', value: 'no' }]],
    ['a removal of what is not there', [{ op: 'remove', path: '/data/none' }]],
    ['an addition below what is not there', [{ op: 'add', path: '/data/none/deep', value: '1' }]],
    ['an addition to a missing parent', [{ op: 'add', path: '/metadata/annotations/x', value: '1' }]],
    ['an unknown operation', [{ op: 'swap', path: '/data/a' }]],
    ['an object instead of a list', { op: 'add' }],
    ['a text that is no JSON', '{'],
    ['a path without slash', [{ op: 'add', path: 'data', value: {} }]],
    ['a value of the wrong type', [{ op: 'add', path: '/data', value: 'text' }]],
    ['a change of the name', [{ op: 'replace', path: '/metadata/name', value: 'other' }]],
    ['a removal of the metadata', [{ op: 'remove', path: '/metadata' }]],
    [
      'an index beyond the end',
      [
        { op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] },
        { op: 'add', path: '/metadata/finalizers/7', value: 'a.b/d' },
      ],
    ],
  ];
  test.each(broken)('with %s is refused', async (name, patch) => {
    const answer = await patched('json', patch);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [objectName] = /p-[0-9a-f]{8}/.exec(answer.text) ?? ['p-none'];
    expect(maskedAnswer(answer, { [objectName]: '<name>', [namespace]: '<namespace>' })).toEqual(
      golden(`json with ${name}`),
    );
  });
});

describe('a merge patch', () => {
  const rows: readonly (readonly [string, unknown, Loose])[] = [
    ['sets a member', { data: { n: '9' } }, { ...base.data, n: '9' }],
    ['removes with null', { data: { a: null } }, { b: '2', c: '3' }],
    ['changes nothing when it is empty', {}, base.data],
    ['ignores null where nothing is', { data: { none: null } }, base.data],
  ];
  test.each(rows)('%s', async (_, patch, data) => {
    const { status, body } = await patched('merge', patch);
    expect(status).toBe(200);
    expect(body.data).toEqual(data);
  });

  test('removes a whole map with null', async () => {
    expect((await patched('merge', { data: null })).body).not.toHaveProperty('data');
  });

  test('replaces lists as a whole', async () => {
    const { body } = await patchedRiver(
      'merge',
      { list: [1, 2, 3], deep: { a: 1, b: 2 } },
      { spec: { list: [9], deep: { b: null } } },
    );
    expect(body.spec).toEqual({ list: [9], deep: { a: 1 } });
  });

  const broken: readonly (readonly [string, unknown])[] = [
    ['a text that is no JSON', '{'],
    ['a list', []],
    ['a string', '"text"'],
    ['a value of the wrong type', { data: 'text' }],
    ['a number where a string belongs', { data: { a: 1 } }],
    ['another name', { metadata: { name: 'other' } }],
    ['another namespace', { metadata: { namespace: 'default' } }],
    ['another uid', { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }],
    ['another kind', { kind: 'Lake' }],
    ['another apiVersion', { apiVersion: 'v2' }],
    ['a bad label', { metadata: { labels: { 'a b': 'c' } } }],
  ];
  test.each(broken)('with %s is refused', async (name, patch) => {
    const answer = await patched('merge', patch);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [objectName] = /p-[0-9a-f]{8}/.exec(answer.text) ?? ['p-none'];
    expect(maskedAnswer(answer, { [objectName]: '<name>', [namespace]: '<namespace>' })).toEqual(
      golden(`merge with ${name}`),
    );
  });
});

describe('a patch', () => {
  test('takes creationTimestamp and generation from nobody', async () => {
    const { body } = await patchedRiver(
      'merge',
      { a: 1 },
      { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 } },
    );
    expect(body.metadata.creationTimestamp).not.toMatch(/^2001/);
    expect(body.metadata.generation).toBe(1);
  });

  test('of what is not there answers 404', async () => {
    const { status, body } = await api.patch(`/api/v1/namespaces/${namespace}/configmaps/none`, 'merge', {});
    expect(status).toBe(404);
    expect(body.message).toBe('configmaps "none" not found');
  });

  test.each([
    ['configmaps', 'application/json'],
    ['configmaps', 'application/yaml'],
    ['configmaps', 'text/plain'],
    ['rivers', 'application/strategic-merge-patch+json'],
    ['rivers', 'application/json'],
  ])('of %s as %s is refused with 415', async (resource, type) => {
    const name = uniqueName('p');
    const path = resource === 'rivers' ? crd.at(namespace) : `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, resource === 'rivers' ? crd.object(name) : { metadata: { name } });
    const answer = await api.send({
      method: 'PATCH',
      path: `${path}/${name}`,
      headers: { 'content-type': type },
      body: '{}',
    });
    expect(answer.status).toBe(415);
    expect(maskedAnswer(answer)).toEqual(golden(`${resource} as ${type}`));
  });

  test('of the status changes the status alone, of the main resource all else', async () => {
    const name = uniqueName('p');
    const path = `${crd.at(namespace)}/${name}`;
    await api.post(crd.at(namespace), crd.object(name, { spec: { a: 1 } }));
    const both = { spec: { a: 2 }, status: { ready: true }, metadata: { labels: { l: '1' } } };
    const status = await api.patch(`${path}/status`, 'merge', both);
    expect(status.body).toMatchObject({ spec: { a: 1 }, status: { ready: true } });
    expect(status.body.metadata).not.toHaveProperty('labels');
    const main = await api.patch(path, 'merge', { ...both, status: { ready: false } });
    expect(main.body).toMatchObject({ spec: { a: 2 }, status: { ready: true }, metadata: { labels: { l: '1' } } });
  });
});
