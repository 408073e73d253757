import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, river, rivers, riverType, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const map = (name: string, more: object = {}): object => ({ metadata: { name }, ...more });

describe('create', () => {
  test('stores the object with what the server gives it', async () => {
    const { status, body } = await api.call('POST', configMaps, map('a', { data: { x: '1' } }));
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        resourceVersion: String(api.store.revision()),
        creationTimestamp: '2026-01-05T12:00:00Z',
        managedFields: [
          {
            manager: 'unknown',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-01-05T12:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
          },
        ],
      },
      data: { x: '1' },
    });
  });

  test('fills defaults of the schema and starts the generation at 1', async () => {
    const { body } = await api.call('POST', rivers, { ...river('a'), status: { wet: true } });
    expect(body.spec).toEqual({ length: 10 });
    expect(body.metadata.generation).toBe(1);
    expect(body.status).toBeUndefined();
  });

  test('takes no identity from the caller', async () => {
    const { body } = await api.call('POST', configMaps, {
      metadata: {
        name: 'a',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
      },
    });
    expect(body.metadata.uid).not.toBe('mine');
    expect(body.metadata.creationTimestamp).toBe('2026-01-05T12:00:00Z');
    expect(body.metadata.deletionTimestamp).toBeUndefined();
  });

  test('of a name that is taken is refused, and says so when that object is on its way out', async () => {
    await api.call('POST', configMaps, { metadata: { name: 'a', finalizers: ['x.test/a'] } });
    const taken = await api.call('POST', configMaps, map('a'));
    expect(taken.body).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists' });
    await api.call('DELETE', `${configMaps}/a`);
    const dying = await api.call('POST', configMaps, map('a'));
    expect(dying.body.message).toBe('object is being deleted: configmaps "a" already exists');
  });

  test('as a dry run answers as if and stores nothing', async () => {
    const before = api.store.revision();
    const { status, body } = await api.call('POST', `${configMaps}?dryRun=All`, map('a'));
    expect(status).toBe(201);
    expect(body.metadata.uid).toBeTruthy();
    expect(body.metadata.resourceVersion).toBeUndefined();
    expect(api.store.revision()).toBe(before);
  });

  test('with what the schema does not know warns, refuses or is silent, as asked', async () => {
    const odd = { ...river('a', { length: 1, foo: 2 }), bar: 3 };
    const warned = await api.call('POST', rivers, odd);
    expect(warned.status).toBe(201);
    expect(warned.body).not.toHaveProperty('bar');
    expect(warned.headers['warning']).toBe('299 - "unknown field \\"bar\\"", 299 - "unknown field \\"spec.foo\\""');
    const refused = await api.call('POST', `${rivers}?fieldValidation=Strict`, odd);
    expect(refused.body).toMatchObject({
      code: 400,
      message:
        'River in version "v1" cannot be handled as a River: strict decoding error: unknown field "bar", unknown field "spec.foo"',
    });
    const silent = await api.call('POST', `${rivers}?fieldValidation=Ignore`, { ...odd, metadata: { name: 'b' } });
    expect(silent.headers['warning']).toBeUndefined();
  });

  test('names every fault of an invalid object', async () => {
    const { body } = await api.call('POST', rivers, river('A', { length: 0 }));
    expect(body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { group: 'x.test', kind: 'River', name: 'A' },
    });
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual(['metadata.name', 'spec.length']);
  });

  test('of a kind that is stored as YAML or JSON is the same', async () => {
    const yaml = { 'content-type': 'application/yaml' };
    const { status, body } = await api.call('POST', configMaps, 'metadata:\n  name: a\ndata:\n  on: "yes"\n', yaml);
    expect(status).toBe(201);
    expect(body.data).toEqual({ true: 'yes' });
  });

  test('in a namespace that is not there, or going, is refused', async () => {
    const missing = await api.call('POST', '/api/v1/namespaces/nope/configmaps', map('a'));
    expect(missing.body).toMatchObject({ code: 404, message: 'namespaces "nope" not found' });
    await api.call('POST', '/api/v1/namespaces', map('going'));
    await api.call('DELETE', '/api/v1/namespaces/going');
    const going = await api.call('POST', '/api/v1/namespaces/going/configmaps', map('a'));
    expect(going.body).toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
  });
});

describe('generateName', () => {
  test('draws a name', async () => {
    const { body } = await api.call('POST', configMaps, { metadata: { generateName: 'a-' } });
    expect(body.metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('draws again up to eight times when the name is taken', async () => {
    const draws: number[] = [];
    let counting = false;
    const random = (): number => {
      if (counting) draws.push(0);
      return 0;
    };
    const stuck = await startTestApi({ random });
    await stuck.call('POST', configMaps, { metadata: { generateName: 'a-' } });
    counting = true;
    const { body } = await stuck.call('POST', configMaps, { metadata: { generateName: 'a-' } });
    expect(body).toMatchObject({
      code: 409,
      message: 'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { retryAfterSeconds: 1 },
    });
    // Each time a uid of four draws and five letters; the id of the request itself is four more.
    expect(draws.length).toBe(8 * (4 + 5) + 4);
    await stuck.stop();
  });
});

describe('update', () => {
  test('with an older resourceVersion is refused', async () => {
    const { body } = await api.call('POST', configMaps, map('a'));
    await api.call('PUT', `${configMaps}/a`, map('a', { data: { x: '1' } }));
    const stale = await api.call('PUT', `${configMaps}/a`, { ...body, data: { x: '2' } });
    expect(stale.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test('that changes nothing writes nothing', async () => {
    const { body } = await api.call('POST', configMaps, map('a', { data: { x: '1' } }));
    const revision = api.store.revision();
    const same = await api.call('PUT', `${configMaps}/a`, body);
    expect(same.body).toEqual(body);
    expect(api.store.revision()).toBe(revision);
  });

  test('of a custom resource needs a resourceVersion', async () => {
    await api.call('POST', rivers, river('a'));
    const { body } = await api.call('PUT', `${rivers}/a`, river('a', { length: 2 }));
    expect(body.message).toBe(
      'rivers.x.test "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  test('raises the generation with the spec, not with metadata or status', async () => {
    const { body } = await api.call('POST', rivers, river('a'));
    const labelled = await api.call('PUT', `${rivers}/a`, {
      ...body,
      metadata: { ...body.metadata, labels: { a: 'b' } },
    });
    expect(labelled.body.metadata.generation).toBe(1);
    const changed = await api.call('PUT', `${rivers}/a`, {
      ...labelled.body,
      spec: { length: 2 },
      status: { wet: true },
    });
    expect(changed.body.metadata.generation).toBe(2);
    expect(changed.body.status).toBeUndefined();
  });

  test('raises the generation of a kind without status subresource with any field outside metadata', async () => {
    const plain = { ...riverType, hasStatus: false };
    const own = await startTestApi({ kinds: [plain] });
    const { body } = await own.call('POST', rivers, { ...river('a'), status: { wet: false } });
    expect(body.status).toEqual({ wet: false });
    const { body: next } = await own.call('PATCH', `${rivers}/a`, { status: { wet: true } });
    expect(next).toMatchObject({ status: { wet: true }, metadata: { generation: 2 } });
    await own.stop();
  });

  test('of the status changes nothing else', async () => {
    const { body } = await api.call('POST', rivers, river('a'));
    const { body: next } = await api.call('PUT', `${rivers}/a/status`, {
      ...body,
      metadata: { ...body.metadata, labels: { a: 'b' } },
      spec: { length: 99 },
      status: { wet: true },
    });
    expect(next.status).toEqual({ wet: true });
    expect(next.spec).toEqual({ length: 10 });
    expect(next.metadata.labels).toBeUndefined();
    expect(next.metadata.generation).toBe(1);
  });

  test('for an object of another uid is refused', async () => {
    await api.call('POST', configMaps, map('a'));
    const { body } = await api.call('PUT', `${configMaps}/a`, { metadata: { name: 'a', uid: 'other' } });
    expect(body.code).toBe(409);
    expect(body.message).toContain('Precondition failed: UID in precondition: other');
  });

  test('creates where the kind allows it', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
    expect((await api.call('PUT', path, map('a'))).status).toBe(201);
    expect((await api.call('PUT', `${configMaps}/a`, map('a'))).status).toBe(404);
  });
});

test('the last finalizer takes a deleted object with it', async () => {
  await api.call('POST', rivers, { ...river('a'), metadata: { name: 'a', finalizers: ['x.test/a', 'x.test/b'] } });
  const marked = await api.call('DELETE', `${rivers}/a`);
  expect(marked.body.metadata).toMatchObject({ deletionTimestamp: '2026-01-05T12:00:00Z', generation: 2 });
  const more = await api.call('PATCH', `${rivers}/a`, { metadata: { finalizers: ['x.test/a', 'x.test/c'] } });
  expect(more.body.message).toContain('no new finalizers can be added if the object is being deleted');
  await api.call('PATCH', `${rivers}/a`, { metadata: { finalizers: ['x.test/b'] } });
  expect((await api.call('GET', `${rivers}/a`)).status).toBe(200);
  expect((await api.call('PATCH', `${rivers}/a`, { metadata: { finalizers: null } })).status).toBe(200);
  expect((await api.call('GET', `${rivers}/a`)).status).toBe(404);
});

describe('scale', () => {
  test('shows and changes the replicas', async () => {
    await api.call('POST', rivers, river('a', { replicas: 2 }));
    const read = await api.call('GET', `${rivers}/a/scale`);
    expect(read.body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 2 } });
    const { body } = await api.call('PATCH', `${rivers}/a/scale`, { spec: { replicas: 5 } });
    expect(body.spec).toEqual({ replicas: 5 });
    const whole = await api.call('GET', `${rivers}/a`);
    expect(whole.body).toMatchObject({ spec: { replicas: 5 }, metadata: { generation: 2 } });
    const put = await api.call('PUT', `${rivers}/a/scale`, { ...body, spec: { replicas: 1 } });
    expect(put.body.spec).toEqual({ replicas: 1 });
  });

  test('with an older resourceVersion is refused', async () => {
    await api.call('POST', rivers, river('a', { replicas: 2 }));
    const { body } = await api.call('GET', `${rivers}/a/scale`);
    await api.call('PATCH', `${rivers}/a/scale`, { spec: { replicas: 3 } });
    expect((await api.call('PUT', `${rivers}/a/scale`, body)).status).toBe(409);
  });
});
