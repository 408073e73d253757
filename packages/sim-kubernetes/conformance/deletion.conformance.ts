import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('deletion');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, { subresources: { status: {} } });
});

const river = async (name: string, more: Loose = {}): Promise<Loose> =>
  (await api.post(crd.at(namespace), crd.object(name, more))).body;
const pathOf = (name: string): string => `${crd.at(namespace)}/${name}`;

describe('an object with finalizers', () => {
  test('stays with a deletionTimestamp, a grace of 0 and a raised generation', async () => {
    const created = await river('held', {
      spec: { a: 1 },
      metadata: { finalizers: ['example.com/a', 'example.com/b'] },
    });
    const { status, body } = await api.del(pathOf('held'));
    expect(status).toBe(200);
    expect(body.kind).toBe('River');
    expect(body.metadata).toMatchObject({
      uid: created.metadata.uid,
      generation: 2,
      deletionGracePeriodSeconds: 0,
      finalizers: ['example.com/a', 'example.com/b'],
    });
    expect(body.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(BigInt(body.metadata.resourceVersion)).toBeGreaterThan(BigInt(created.metadata.resourceVersion));
  });

  test('keeps its deletionTimestamp when it is deleted again', async () => {
    const first = (await api.get(pathOf('held'))).body;
    const { status, body } = await api.del(pathOf('held'));
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({
      deletionTimestamp: first.metadata.deletionTimestamp,
      resourceVersion: first.metadata.resourceVersion,
      generation: 2,
    });
  });

  test('takes no new finalizer', async () => {
    const answer = await api.patch(pathOf('held'), 'merge', {
      metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] },
    });
    expect(answer.status).toBe(422);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden('new finalizer'));
  });

  test('cannot be brought back by removing its deletionTimestamp', async () => {
    const { status, body } = await api.patch(pathOf('held'), 'merge', { metadata: { deletionTimestamp: null } });
    expect(status).toBe(200);
    expect(body.metadata.deletionTimestamp).toBeDefined();
  });

  test('still takes changes', async () => {
    const { status, body } = await api.patch(pathOf('held'), 'merge', { spec: { a: 2 } });
    expect(status).toBe(200);
    expect(body.metadata.generation).toBe(3);
  });

  test('is gone when the last finalizer is', async () => {
    const first = await api.patch(pathOf('held'), 'merge', { metadata: { finalizers: ['example.com/b'] } });
    expect(first.status).toBe(200);
    const last = await api.patch(pathOf('held'), 'json', [{ op: 'remove', path: '/metadata/finalizers' }]);
    expect(last.status).toBe(200);
    expect(last.body.kind).toBe('River');
    expect(last.body.metadata).not.toHaveProperty('finalizers');
    expect((await api.get(pathOf('held'))).status).toBe(404);
  });

  test('is gone after an update without finalizers too', async () => {
    await river('by-put', { metadata: { finalizers: ['example.com/a'] } });
    const { body } = await api.del(pathOf('by-put'));
    const { finalizers: _, ...metadata } = body.metadata;
    const { status } = await api.put(pathOf('by-put'), { ...body, metadata });
    expect(status).toBe(200);
    expect((await api.get(pathOf('by-put'))).status).toBe(404);
  });

  test('finalizers removed before the deletion let it go at once', async () => {
    await river('free', { metadata: { finalizers: ['example.com/a'] } });
    await api.patch(pathOf('free'), 'merge', { metadata: { finalizers: [] } });
    expect((await api.get(pathOf('free'))).status).toBe(200);
    expect((await api.del(pathOf('free'))).body.kind).toBe('Status');
  });

  test('a built-in answers the marked object as well', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'held', finalizers: ['example.com/a'] } });
    const { status, body } = await api.del(`${path}/held`);
    expect(status).toBe(200);
    expect(body.kind).toBe('ConfigMap');
    expect(body.metadata.deletionGracePeriodSeconds).toBe(0);
    await api.patch(`${path}/held`, 'merge', { metadata: { finalizers: null } });
  });
});

describe('the options of a deletion', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['an unknown propagationPolicy', { propagationPolicy: 'Sideways' }],
    ['both orphanDependents and propagationPolicy', { orphanDependents: true, propagationPolicy: 'Foreground' }],
    ['a negative gracePeriodSeconds', { gracePeriodSeconds: -1 }],
    ['an unknown dryRun', { dryRun: ['Some'] }],
    ['text that is no JSON', '{'],
    ['another kind', { apiVersion: 'v1', kind: 'Pod' }],
  ];
  test.each(rows)('with %s', async (name, options) => {
    const objectName = uniqueName('opt');
    await river(objectName);
    const answer = await api.del(
      pathOf(objectName),
      typeof options === 'string' ? options : { apiVersion: 'v1', kind: 'DeleteOptions', ...(options as Loose) },
    );
    expect(maskedAnswer(answer, { [objectName]: '<name>', [crd.group]: '<group>' })).toEqual(
      golden(`options with ${name}`),
    );
  });

  test('can come as query parameters', async () => {
    await river('query', { metadata: { finalizers: ['example.com/a'] } });
    const { body } = await api.del(pathOf('query'), undefined, { propagationPolicy: 'Foreground' });
    expect(body.metadata.finalizers.toSorted()).toEqual(['example.com/a', 'foregroundDeletion']);
    await api.patch(pathOf('query'), 'merge', { metadata: { finalizers: null } });
  });

  test('with dryRun leave the object alone', async () => {
    const created = await river('dry');
    expect((await api.del(pathOf('dry'), undefined, { dryRun: 'All' })).status).toBe(200);
    expect((await api.get(pathOf('dry'))).body).toEqual(created);
  });
});

describe('deletion of a collection', () => {
  test('removes what the selector names and answers the list of it', async () => {
    const path = crd.at(await createNamespace(api));
    for (const [name, color] of [
      ['a', 'red'],
      ['b', 'blue'],
      ['c', 'red'],
    ] as const) {
      await api.post(path, crd.object(name, { metadata: { labels: { color } } }));
    }
    const { status, body } = await api.del(path, undefined, { labelSelector: 'color=red' });
    expect(status).toBe(200);
    expect(body.kind).toBe('RiverList');
    expect(body.items.map((item: Loose) => item.metadata.name)).toEqual(['a', 'c']);
    const left = await api.get(path);
    expect(left.body.items.map((item: Loose) => item.metadata.name)).toEqual(['b']);
  });

  test('of everything marks what has finalizers', async () => {
    const path = crd.at(await createNamespace(api));
    await api.post(path, crd.object('held', { metadata: { finalizers: ['example.com/a'] } }));
    await api.post(path, crd.object('free'));
    expect((await api.del(path)).status).toBe(200);
    const left = await api.get(path);
    expect(left.body.items.map((item: Loose) => item.metadata.name)).toEqual(['held']);
    expect(left.body.items[0].metadata.deletionTimestamp).toBeDefined();
    await api.patch(`${path}/held`, 'merge', { metadata: { finalizers: null } });
  });

  test('of a field selector and a limit removes only those', async () => {
    const path = `/api/v1/namespaces/${await createNamespace(api)}/secrets`;
    for (const name of ['a', 'b', 'c']) await api.post(path, { metadata: { name } });
    await api.del(path, undefined, { fieldSelector: 'metadata.name!=b' });
    const left = await api.get(path);
    expect(left.body.items.map((item: Loose) => item.metadata.name)).toEqual(['b']);
  });

  test('of what is empty answers an empty list', async () => {
    const { status, body } = await api.del(crd.at('nowhere'));
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
  });

  test('is not allowed for all namespaces at once', async () => {
    const answer = await api.del('/api/v1/configmaps');
    expect(answer.status).toBe(405);
    expect(maskedAnswer(answer)).toEqual(golden('collection of all namespaces'));
  });
});

describe('a namespace', () => {
  const at = (name: string): string => `/api/v1/namespaces/${name}`;

  test('begins Active with the kubernetes finalizer in spec and its name as a label', async () => {
    const name = uniqueName('conf');
    const { body } = await api.post('/api/v1/namespaces', { metadata: { name } });
    expect(body.spec).toEqual({ finalizers: ['kubernetes'] });
    expect(body.status).toEqual({ phase: 'Active' });
    expect(body.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': name });
    expect(body.metadata).not.toHaveProperty('generation');
  });

  test('puts its name label back when it is changed or removed', async () => {
    const name = await createNamespace(api);
    const { body } = await api.patch(at(name), 'merge', {
      metadata: { labels: { 'kubernetes.io/metadata.name': null, other: 'x' } },
    });
    expect(body.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': name, other: 'x' });
    const wrong = await api.patch(at(name), 'merge', {
      metadata: { labels: { 'kubernetes.io/metadata.name': 'wrong' } },
    });
    expect(wrong.body.metadata.labels['kubernetes.io/metadata.name']).toBe(name);
  });

  test('gets its default ServiceAccount and the CA of the server', async () => {
    const name = await createNamespace(api);
    const { body } = await eventually(
      () => api.get(`${at(name)}/configmaps/kube-root-ca.crt`),
      ({ status }) => status === 200,
    );
    expect(body.data['ca.crt']).toContain('BEGIN CERTIFICATE');
    expect(body.metadata.annotations).toEqual({
      'kubernetes.io/description': expect.stringContaining('Contains a CA bundle'),
    });
  });

  test('takes its content with it, of custom kinds too', async () => {
    const name = await createNamespace(api);
    await api.post(crd.at(name), crd.object('inside'));
    await api.post(`${at(name)}/secrets`, { metadata: { name: 'inside' } });
    expect((await api.del(at(name))).status).toBe(200);
    await eventually(
      () => api.get(at(name)),
      ({ status }) => status === 404,
      30_000,
    );
    expect((await api.get(`${crd.at(name)}/inside`)).status).toBe(404);
    expect((await api.get(`${at(name)}/secrets`)).body.items).toEqual([]);
  });

  test('waits for finalizers of its content and says so in its conditions', async () => {
    const name = await createNamespace(api);
    await api.post(crd.at(name), crd.object('held', { metadata: { finalizers: ['example.com/a'] } }));
    await api.del(at(name));
    const { body } = await eventually(
      () => api.get(at(name)),
      (answer) =>
        answer.body.status?.conditions?.some(
          (each: Loose) => each.type === 'NamespaceFinalizersRemaining' && each.status === 'True',
        ) ?? false,
    );
    expect(body.status.phase).toBe('Terminating');
    const conditions = Object.fromEntries(
      body.status.conditions.map(({ type, status, reason, message }: Loose) => [
        type,
        { status, reason, message: message.replaceAll(crd.group, '<group>') },
      ]),
    );
    expect(conditions).toEqual(golden('conditions of a namespace that waits'));
    await api.patch(`${crd.at(name)}/held`, 'merge', { metadata: { finalizers: null } });
    await eventually(
      () => api.get(at(name)),
      ({ status }) => status === 404,
      30_000,
    );
  });

  test.each(['default', 'kube-system', 'kube-public'])('%s cannot be deleted', async (name) => {
    const answer = await api.del(at(name));
    expect(answer.status).toBe(403);
    expect(maskedAnswer(answer)).toEqual(golden(`delete ${name}`));
  });
});
