import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('names');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
});

const namesOf = (): Record<string, string> => ({ [namespace]: '<namespace>', [crd.group]: '<group>' });

describe('a name that breaks the rules is refused', () => {
  const rows: readonly (readonly [string, string, Loose])[] = [
    ['an upper case ConfigMap', 'configmaps', { name: 'Upper' }],
    ['a ConfigMap with an underscore', 'configmaps', { name: 'a_b' }],
    ['a ConfigMap with a slash', 'configmaps', { name: 'a/b' }],
    ['a ConfigMap of 254 characters', 'configmaps', { name: 'x'.repeat(254) }],
    ['a ConfigMap that begins with a hyphen', 'configmaps', { name: '-a' }],
    ['a ConfigMap without any name', 'configmaps', {}],
    ['a Service with a dot', 'services', { name: 'a.b' }],
    ['a Service of 64 characters', 'services', { name: 'x'.repeat(64) }],
    ['a Namespace with a dot', 'namespaces', { name: 'a.b' }],
    ['a Namespace of 64 characters', 'namespaces', { name: 'x'.repeat(64) }],
    ['an upper case custom resource', 'rivers', { name: 'Upper' }],
    ['a custom resource of 254 characters', 'rivers', { name: 'x'.repeat(254) }],
    ['a custom resource without any name', 'rivers', {}],
    ['a name with a percent sign', 'configmaps', { name: 'a%b' }],
    ['a generateName that breaks the rules', 'configmaps', { generateName: 'Upper-' }],
    ['a bad label key', 'configmaps', { name: 'bad', labels: { 'a b': 'c' } }],
    ['a bad label value', 'configmaps', { name: 'bad', labels: { a: 'b c' } }],
    ['a label value of 64 characters', 'configmaps', { name: 'bad', labels: { a: 'x'.repeat(64) } }],
    ['a label key with two slashes', 'rivers', { name: 'bad', labels: { 'a/b/c': 'd' } }],
    ['a bad annotation key', 'configmaps', { name: 'bad', annotations: { 'a b': 'c' } }],
    ['annotations above 256 KiB', 'configmaps', { name: 'bad', annotations: { a: 'x'.repeat(262144) } }],
    ['a finalizer that is no name', 'configmaps', { name: 'bad', finalizers: ['a b'] }],
    [
      'an owner without uid',
      'configmaps',
      { name: 'bad', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n' }] },
    ],
    ['an owner without name and kind', 'rivers', { name: 'bad', ownerReferences: [{ apiVersion: 'v1', uid: 'u' }] }],
    [
      'an owner without apiVersion',
      'configmaps',
      { name: 'bad', ownerReferences: [{ kind: 'Node', name: 'n', uid: 'u' }] },
    ],
    [
      'two owners that both control',
      'configmaps',
      {
        name: 'bad',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'u1', controller: true },
          { apiVersion: 'v1', kind: 'Node', name: 'b', uid: 'u2', controller: true },
        ],
      },
    ],
    [
      'an Event as owner',
      'configmaps',
      { name: 'bad', ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u' }] },
    ],
    ['a negative generation', 'configmaps', { name: 'bad', generation: -1 }],
  ];
  test.each(rows)('%s', async (name, resource, metadata) => {
    const path =
      resource === 'rivers'
        ? crd.at(namespace)
        : resource === 'namespaces'
          ? '/api/v1/namespaces'
          : `/api/v1/namespaces/${namespace}/${resource}`;
    const answer = await api.post(path, {
      ...(resource === 'rivers' && { apiVersion: crd.apiVersion, kind: crd.kind }),
      ...(resource === 'services' && { spec: { ports: [{ port: 80 }] } }),
      metadata,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    // What follows a generateName is chance.
    const [generated] = /Upper-[a-z0-9]{5}/.exec(answer.text) ?? ['Upper-none'];
    expect(maskedAnswer(answer, { ...namesOf(), [generated]: '<generated>' })).toEqual(golden(name));
  });
});

describe('namespace of a request', () => {
  test('is taken from the path when the body has none', async () => {
    const { body } = await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'from-path' } });
    expect(body.metadata.namespace).toBe(namespace);
  });

  test.each(['configmaps', 'rivers'])('that differs from the body is refused for %s', async (resource) => {
    const path = resource === 'rivers' ? crd.at(namespace) : `/api/v1/namespaces/${namespace}/configmaps`;
    const object = resource === 'rivers' ? crd.object('elsewhere') : { metadata: { name: 'elsewhere' } };
    const { status, body } = await api.post(path, {
      ...object,
      metadata: { ...object.metadata, namespace: 'default' },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  test('that differs from the body is refused on update', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'update-elsewhere' } });
    const { status, body } = await api.put(`${path}/update-elsewhere`, {
      metadata: { name: 'update-elsewhere', namespace: 'default' },
    });
    expect(status).toBe(400);
    expect(body.message).toBe('the namespace of the provided object does not match the namespace sent on the request');
  });

  test('must exist for a create', async () => {
    const missing = uniqueName('missing');
    for (const [path, object] of [
      [`/api/v1/namespaces/${missing}/configmaps`, { metadata: { name: 'a' } }],
      [crd.at(missing), crd.object('a')],
    ] as const) {
      const { status, body } = await api.post(path, object);
      expect(status).toBe(404);
      expect(body).toMatchObject({
        reason: 'NotFound',
        message: `namespaces "${missing}" not found`,
        details: { name: missing, kind: 'namespaces' },
      });
    }
  });

  test('need not exist for a list, which is empty', async () => {
    const { status, body } = await api.get(`/api/v1/namespaces/${uniqueName('missing')}/configmaps`);
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
  });

  test('is missing from the path of a create of a namespaced kind', async () => {
    const plain = await api.post('/api/v1/configmaps', { metadata: { name: 'a', namespace } });
    expect(maskedAnswer(plain)).toEqual(golden('create of a ConfigMap without namespace'));
    const custom = await api.post(crd.at(), crd.object('a', { metadata: { namespace } }));
    expect(maskedAnswer(custom, namesOf())).toEqual(golden('create of a custom resource without namespace'));
  });

  test('given for an object of a cluster-scoped kind is dropped', async () => {
    const name = uniqueName('conf');
    const answer = await api.post('/api/v1/namespaces', { metadata: { name, namespace: name } });
    expect(answer.status).toBe(201);
    expect(maskedAnswer(answer, { [name]: '<name>' })).toEqual(golden('a Namespace in a namespace'));
  });
});

describe('name of a request', () => {
  test.each(['configmaps', 'rivers'])('that differs from the body is refused on update of %s', async (resource) => {
    const path = resource === 'rivers' ? crd.at(namespace) : `/api/v1/namespaces/${namespace}/configmaps`;
    const object = (name: string): Loose => (resource === 'rivers' ? crd.object(name) : { metadata: { name } });
    await api.post(path, object('one-name'));
    const { status, body } = await api.put(`${path}/one-name`, object('other-name'));
    expect(status).toBe(400);
    expect(body.message).toBe('the name of the object (other-name) does not match the name on the URL (one-name)');
  });

  test('missing from the body of an update is refused', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'unnamed' } });
    const answer = await api.put(`${path}/unnamed`, { data: { a: 'b' } });
    expect(maskedAnswer(answer)).toEqual(golden('update without a name'));
  });
});

describe('a namespace that is being deleted', () => {
  test('refuses new objects with 403 and a cause, and still lets others be read and changed', async () => {
    const ending = await createNamespace(api);
    const path = `/api/v1/namespaces/${ending}/configmaps`;
    await api.post(path, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const deleted = await api.del(`/api/v1/namespaces/${ending}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    const refused = await eventually(
      () => api.post(path, { metadata: { name: 'late' } }, { dryRun: 'All' }),
      (answer) => answer.status === 403,
    );
    expect(maskedAnswer(refused, { [ending]: '<ending>' })).toEqual(golden('create in a terminating namespace'));
    const changed = await api.patch(`${path}/held`, 'merge', { data: { a: 'b' } });
    expect(changed.status).toBe(200);
    await api.patch(`${path}/held`, 'merge', { metadata: { finalizers: null } });
    await eventually(
      () => api.get(`/api/v1/namespaces/${ending}`),
      (answer) => answer.status === 404,
    );
  });
});
