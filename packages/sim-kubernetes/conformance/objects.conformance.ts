import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, { subresources: { status: {} } });
});

const configMaps = (): string => `/api/v1/namespaces/${namespace}/configmaps`;
const configMap = (name: string, more: Loose = {}): Loose => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  data: { a: '1' },
  ...more,
  metadata: { name, ...more.metadata },
});

describe('create', () => {
  test('answers 201 with the identity that the server gave', async () => {
    const before = Date.now() - 1000;
    const { status, headers, body } = await api.post(configMaps(), configMap('identity'));
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    expect(body.metadata).toMatchObject({ name: 'identity', namespace });
    expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body.metadata.resourceVersion).toMatch(/^[1-9][0-9]*$/);
    expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(body.metadata.creationTimestamp)).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect(body.metadata).not.toHaveProperty('generation');
    expect(body.metadata).not.toHaveProperty('selfLink');
  });

  test('takes uid, creationTimestamp, generation and deletionTimestamp from nobody', async () => {
    const { status, body } = await api.post(
      crd.at(namespace),
      crd.object('owned-by-server', {
        metadata: {
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          generation: 42,
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 7,
          selfLink: '/mine',
        },
      }),
    );
    expect(status).toBe(201);
    expect(body.metadata.uid).not.toBe('mine');
    expect(body.metadata.creationTimestamp).not.toMatch(/^2001/);
    expect(body.metadata.generation).toBe(1);
    expect(body.metadata).not.toHaveProperty('deletionTimestamp');
    expect(body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    expect(body.metadata).not.toHaveProperty('selfLink');
  });

  test('keeps labels, annotations, finalizers and owner references', async () => {
    const metadata = {
      labels: { 'example.com/tier': 'one' },
      annotations: { 'example.com/note': 'any text: \n ü' },
      finalizers: ['example.com/hold'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: '11111111-1111-4111-8111-111111111111' }],
    };
    const path = `${configMaps()}/kept`;
    // The owner does not exist, so a garbage collector may delete it; the finalizer keeps it readable.
    await api.post(configMaps(), configMap('kept', { metadata }));
    const { body } = await api.get(path);
    expect(body.metadata).toMatchObject(metadata);
    await api.patch(path, 'merge', { metadata: { finalizers: null } });
  });

  test('refuses a second object of the same name with 409 AlreadyExists', async () => {
    await api.post(configMaps(), configMap('twice'));
    const { status, body } = await api.post(configMaps(), configMap('twice'));
    expect(status).toBe(409);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "twice" already exists',
      reason: 'AlreadyExists',
      details: { name: 'twice', kind: 'configmaps' },
      code: 409,
    });
  });

  test('refuses a resourceVersion', async () => {
    const { status, body } = await api.post(configMaps(), configMap('rv', { metadata: { resourceVersion: '7' } }));
    expect(status).toBe(500);
    expect(body.message).toBe('resourceVersion should not be set on objects to be created');
  });

  test('fills in kind and apiVersion that the body leaves out', async () => {
    const { status, body } = await api.post(configMaps(), { metadata: { name: 'bare' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });
});

describe('generateName', () => {
  test('appends five characters from the alphabet of generated names', async () => {
    const { status, body } = await api.post(configMaps(), { metadata: { generateName: 'made-' } });
    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(body.metadata.generateName).toBe('made-');
  });

  test('cuts a long prefix so that the name keeps within 63 characters', async () => {
    const { body } = await api.post(configMaps(), { metadata: { generateName: 'x'.repeat(70) } });
    expect(body.metadata.name).toMatch(/^x{58}[a-z0-9]{5}$/);
  });

  test('yields to a name that is given', async () => {
    const { body } = await api.post(configMaps(), { metadata: { name: 'given', generateName: 'made-' } });
    expect(body.metadata.name).toBe('given');
  });

  test('works for custom resources too', async () => {
    const { status, body } = await api.post(crd.at(namespace), {
      ...crd.object(''),
      metadata: { generateName: 'river-' },
    });
    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^river-[a-z0-9]{5}$/);
  });
});

describe('get, update and delete', () => {
  test('get answers the stored object', async () => {
    const created = await api.post(configMaps(), configMap('read'));
    const { status, body } = await api.get(`${configMaps()}/read`);
    expect(status).toBe(200);
    expect(body).toEqual(created.body);
  });

  test('update replaces everything but what the server owns', async () => {
    const { body: created } = await api.post(configMaps(), configMap('replaced', { metadata: { labels: { a: 'b' } } }));
    const { status, body } = await api.put(`${configMaps()}/replaced`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'replaced' },
      data: { z: '26' },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ z: '26' });
    expect(body.metadata).not.toHaveProperty('labels');
    expect(body.metadata.uid).toBe(created.metadata.uid);
    expect(body.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  });

  test('update of what is not there is refused with 404', async () => {
    const { status, body } = await api.put(`${configMaps()}/nowhere`, configMap('nowhere'));
    expect(status).toBe(404);
    expect(body.message).toBe('configmaps "nowhere" not found');
  });

  test('delete of a built-in answers Status Success with the uid', async () => {
    const { body: created } = await api.post(configMaps(), configMap('gone'));
    const { status, body } = await api.del(`${configMaps()}/gone`);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: created.metadata.uid },
    });
    expect((await api.get(`${configMaps()}/gone`)).status).toBe(404);
  });

  test('delete of a custom resource answers Status Success with its group', async () => {
    const name = uniqueName('gone');
    const { body: created } = await api.post(crd.at(namespace), crd.object(name));
    const { status, body } = await api.del(`${crd.at(namespace)}/${name}`);
    expect(status).toBe(200);
    expect(body.details).toEqual({ name, group: crd.group, kind: 'rivers', uid: created.metadata.uid });
  });

  test('an object created again after its deletion has a new uid', async () => {
    const { body: first } = await api.post(configMaps(), configMap('again'));
    await api.del(`${configMaps()}/again`);
    const { body: second } = await api.post(configMaps(), configMap('again'));
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });
});

describe('generation', () => {
  test('starts at 1 and grows with spec, not with metadata or status', async () => {
    const path = `${crd.at(namespace)}/counted`;
    const generation = async (): Promise<number> => (await api.get(path)).body.metadata.generation;
    await api.post(crd.at(namespace), crd.object('counted', { spec: { size: 1 } }));
    expect(await generation()).toBe(1);
    await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
    expect(await generation()).toBe(1);
    await api.patch(`${path}/status`, 'merge', { status: { ready: true } });
    expect(await generation()).toBe(1);
    await api.patch(path, 'merge', { spec: { size: 2 } });
    expect(await generation()).toBe(2);
    await api.patch(path, 'merge', { spec: { size: 2 } });
    expect(await generation()).toBe(2);
  });

  test('of a custom resource without status subresource grows with any field outside metadata', async () => {
    const plain = await createCrd(api);
    const path = `${plain.at(namespace)}/counted`;
    await api.post(plain.at(namespace), plain.object('counted', { spec: { size: 1 } }));
    const { body } = await api.patch(path, 'merge', { status: { ready: true } });
    expect(body.metadata.generation).toBe(2);
    const labelled = await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
    expect(labelled.body.metadata.generation).toBe(2);
  });
});
