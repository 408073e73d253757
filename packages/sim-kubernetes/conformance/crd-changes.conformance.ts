import { describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import { masked } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { conditionsOf, version } from './kit/crd-parts.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('crd-changes');

describe('a CRD that changes while it is served', () => {
  test('validates by its new schema and prunes by it on read', async () => {
    const spec = (properties: Loose): Loose => ({ type: 'object', properties });
    const crd = await createCrd(api, { spec: spec({ a: { type: 'integer' }, b: { type: 'string' } }) });
    const namespace = await createNamespace(api);
    await api.post(crd.at(namespace), crd.object('old', { spec: { a: 5, b: 'text' } }));
    const { body } = await api.get(crd.crdPath);
    body.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({
      a: { type: 'integer', maximum: 3 },
      c: { type: 'string', default: 'new' },
    });
    expect((await api.put(crd.crdPath, body)).status).toBe(200);
    const read = await eventually(
      () => api.get(`${crd.at(namespace)}/old`),
      (answer) => answer.body.spec.b === undefined,
    );
    expect(read.body.spec).toEqual({ a: 5, c: 'new' });
    const refused = await eventually(
      () => api.post(crd.at(namespace), crd.object('new', { spec: { a: 5 } }), { dryRun: 'All' }),
      ({ status }) => status === 422,
    );
    expect(refused.body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.a',
        message: 'Invalid value: 5: spec.a in body should be less than or equal to 3',
      },
    ]);
  });

  test('serves a version that is added', async () => {
    const crd = await createCrd(api, { versions: [version('v1', { storage: true })] });
    const { body } = await api.get(crd.crdPath);
    body.spec.versions.push(version('v2'));
    await api.put(crd.crdPath, body);
    const added = await eventually(
      () => api.get(crd.at('default', 'v2')),
      ({ status }) => status === 200,
    );
    expect(added.body.apiVersion).toBe(`${crd.group}/v2`);
  });
});

describe('a CRD that is deleted', () => {
  test('takes its objects with it and leaves discovery', async () => {
    const crd = await createCrd(api);
    const namespace = await createNamespace(api);
    await api.post(crd.at(namespace), crd.object('one'));
    const watch = await api.watch(crd.at(namespace), { resourceVersion: 0 });
    expect((await watch.next()).type).toBe('ADDED');
    const deleted = await api.del(crd.crdPath);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toMatchObject({
      kind: 'CustomResourceDefinition',
      metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
    });
    expect((await watch.next()).type).toBe('DELETED');
    await eventually(
      () => api.get(crd.crdPath),
      ({ status }) => status === 404,
    );
    await eventually(
      () => api.get(crd.at(namespace)),
      ({ status }) => status === 404,
    );
    const discovery = await eventually(
      () => api.get(`/apis/${crd.group}`),
      ({ status }) => status === 404,
    );
    expect(discovery.text).toBe('404 page not found\n');
    watch.close();
  });

  test('waits for the finalizers of its objects', async () => {
    const crd = await createCrd(api);
    const namespace = await createNamespace(api);
    await api.post(crd.at(namespace), crd.object('held', { metadata: { finalizers: ['example.com/a'] } }));
    await api.del(crd.crdPath);
    await eventually(
      () => api.get(`${crd.at(namespace)}/held`),
      ({ body }) => body.metadata?.deletionTimestamp !== undefined,
    );
    const refused = await api.post(crd.at(namespace), crd.object('late'));
    expect(refused.status).toBe(403);
    expect(masked(refused.body, { [crd.group]: '<group>' })).toEqual(golden('create while the CRD goes'));
    const { body } = await api.get(crd.crdPath);
    expect(conditionsOf(body).Terminating).toMatchObject({ status: 'True' });
    await api.patch(`${crd.at(namespace)}/held`, 'merge', { metadata: { finalizers: null } });
    await eventually(
      () => api.get(crd.crdPath),
      ({ status }) => status === 404,
      30_000,
    );
  });
});

test('a default of the status is there from the first read on', async () => {
  const status = { type: 'object', default: { phase: 'new' }, properties: { phase: { type: 'string' } } };
  const spec = { type: 'object', properties: { size: { type: 'integer' }, unit: { type: 'string', default: 'm' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  const plain = {
    openAPIV3Schema: { type: 'object', properties: { spec, status: { ...status, default: undefined } } },
  };
  const subresources = { status: {} };
  const crd = await createCrd(api, {
    versions: [
      { name: 'v1', served: true, storage: true, schema, subresources },
      { name: 'v2', served: true, storage: false, schema: plain, subresources },
    ],
  });
  const namespace = await createNamespace(api);
  const at = crd.at(namespace);
  const created = await api.post(at, crd.object('elbe', { spec: { size: 1 }, status: { phase: 'mine' } }));
  expect(created.body).toMatchObject({ spec: { size: 1, unit: 'm' }, status: { phase: 'new' } });
  const { metadata } = created.body;
  expect((await api.get(`${at}/elbe`)).body.status).toEqual({ phase: 'new' });
  expect((await api.get(at)).body.items[0].status).toEqual({ phase: 'new' });
  expect((await api.get(`${crd.at(namespace, 'v2')}/elbe`)).body.status).toEqual({ phase: 'new' });
  const watch = await api.watch(at, { resourceVersion: '0' });
  expect((await watch.next()).object.status).toEqual({ phase: 'new' });
  watch.close();
  const same = await api.patch(`${at}/elbe`, 'merge', { spec: { size: 1 } });
  // What came in on the read is written now.
  expect(same.body.metadata.generation).toBe(1);
  expect(BigInt(same.body.metadata.resourceVersion)).toBeGreaterThan(BigInt(metadata.resourceVersion));
  const patched = await api.patch(`${at}/elbe/status`, 'merge', { status: { phase: 'old' } });
  expect(patched.body.status).toEqual({ phase: 'old' });
  expect((await api.put(`${at}/elbe`, { ...patched.body, spec: { size: 2 } })).body).toMatchObject({
    spec: { size: 2, unit: 'm' },
    status: { phase: 'old' },
  });
});
