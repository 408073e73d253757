import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
let namespace = '';
let crd: ScratchCrd;
let collections: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, { subresources: { status: {} } });
  collections = { configmaps: `/api/v1/namespaces/${namespace}/configmaps`, rivers: crd.at(namespace) };
});

const objectOf = (resource: string, name: string, value: string): Loose =>
  resource === 'configmaps'
    ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
    : crd.object(name, { spec: { value } });
const qualified = (resource: string): string => (resource === 'rivers' ? `rivers.${crd.group}` : resource);
// Preconditions of a deletion name the kind, other conflicts the resource.
const kindOf = (resource: string): string => (resource === 'rivers' ? `River.${crd.group}` : 'ConfigMap');

const conflictMessage = (resource: string, name: string): string =>
  `Operation cannot be fulfilled on ${qualified(resource)} "${name}": the object has been modified; please apply your changes to the latest version and try again`;

describe.each(['configmaps', 'rivers'])('optimistic locking of %s', (resource) => {
  test('an update with a stale resourceVersion is refused with 409 Conflict', async () => {
    const path = `${collections[resource]}/stale`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'stale', 'one'));
    await api
      .put(path, objectOf(resource, 'stale', 'two'), {})
      .then((answer) => expect(answer.status).toBe(resource === 'rivers' ? 422 : 200));
    await api.patch(path, 'merge', { metadata: { labels: { moved: 'yes' } } });
    const { status, body } = await api.put(path, {
      ...objectOf(resource, 'stale', 'three'),
      metadata: { name: 'stale', resourceVersion: first.metadata.resourceVersion },
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({ reason: 'Conflict', code: 409, message: conflictMessage(resource, 'stale') });
    expect(body.details).toEqual({ name: 'stale', kind: resource, ...(resource === 'rivers' && { group: crd.group }) });
  });

  test('an update with the current resourceVersion succeeds and gives a greater one', async () => {
    const path = `${collections[resource]}/current`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'current', 'one'));
    const { status, body } = await api.put(path, {
      ...objectOf(resource, 'current', 'two'),
      metadata: { name: 'current', resourceVersion: first.metadata.resourceVersion },
    });
    expect(status).toBe(200);
    expect(BigInt(body.metadata.resourceVersion)).toBeGreaterThan(BigInt(first.metadata.resourceVersion));
  });

  test('an update with the uid of another object is refused with 409', async () => {
    const path = `${collections[resource]}/other-uid`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'other-uid', 'one'));
    const uid = '00000000-0000-4000-8000-000000000000';
    const { status, body } = await api.put(path, {
      ...objectOf(resource, 'other-uid', 'two'),
      metadata: { name: 'other-uid', uid, resourceVersion: first.metadata.resourceVersion },
    });
    expect(status).toBe(409);
    expect(body.message).toBe(
      `Operation cannot be fulfilled on ${qualified(resource)} "other-uid": StorageError: invalid object, Code: 4, Key: /registry/${resource === 'rivers' ? `${crd.group}/rivers` : resource}/${namespace}/other-uid, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${first.metadata.uid}`,
    );
  });

  test('a merge patch that carries a stale resourceVersion is refused with 409', async () => {
    const path = `${collections[resource]}/patched`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'patched', 'one'));
    await api.patch(path, 'merge', { metadata: { labels: { moved: 'yes' } } });
    const stale = await api.patch(path, 'merge', {
      metadata: { resourceVersion: first.metadata.resourceVersion, labels: { moved: 'again' } },
    });
    expect(stale.status).toBe(409);
    expect(stale.body.message).toBe(conflictMessage(resource, 'patched'));
  });

  test('a write that changes nothing keeps the resourceVersion and wakes no watcher', async () => {
    const path = `${collections[resource]}/silent`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'silent', 'one'));
    const watch = await api.watch(collections[resource]!, {
      fieldSelector: 'metadata.name=silent',
      resourceVersion: first.metadata.resourceVersion,
    });
    const put = await api.put(path, first);
    const patch = await api.patch(
      path,
      'merge',
      resource === 'rivers' ? { spec: { value: 'one' } } : { data: { value: 'one' } },
    );
    const json = await api.patch(path, 'json', [{ op: 'test', path: '/metadata/name', value: 'silent' }]);
    for (const answer of [put, patch, json]) {
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    }
    await api.patch(path, 'merge', { metadata: { labels: { last: 'one' } } });
    const event = await watch.next();
    expect(event.object.metadata.labels).toEqual({ last: 'one' });
    watch.close();
  });
});

describe('resourceVersion', () => {
  test('is required for updates of custom resources', async () => {
    await api.post(crd.at(namespace), crd.object('unversioned'));
    const { status, body } = await api.put(`${crd.at(namespace)}/unversioned`, crd.object('unversioned'));
    expect(status).toBe(422);
    expect(body.message).toBe(
      `rivers.${crd.group} "unversioned" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
    );
  });

  test('that is no number is refused', async () => {
    await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'letters' } });
    const { status, body } = await api.put(`/api/v1/namespaces/${namespace}/configmaps/letters`, {
      metadata: { name: 'letters', resourceVersion: 'abc' },
    });
    expect(status).toBe(500);
    expect(body.message).toBe('strconv.ParseUint: parsing "abc": invalid syntax');
  });

  test('counts all writes of the server in one sequence', async () => {
    const first = await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'sequence' } });
    const second = await api.post(crd.at(namespace), crd.object('sequence'));
    const third = await api.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'sequence' } });
    const versions = [first, second, third].map(({ body }) => BigInt(body.metadata.resourceVersion));
    expect(versions[1]! > versions[0]! && versions[2]! > versions[1]!).toBe(true);
  });
});

describe('delete preconditions', () => {
  const options = (preconditions: Loose): Loose => ({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
  test.each(['configmaps', 'rivers'])('a wrong uid leaves one of %s alone', async (resource) => {
    const path = `${collections[resource]}/uid-guarded`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'uid-guarded', 'one'));
    const refused = await api.del(path, options({ uid: 'wrong' }));
    expect(refused.status).toBe(409);
    expect(refused.body.reason).toBe('Conflict');
    expect(refused.body.message).toBe(
      `Operation cannot be fulfilled on ${kindOf(resource)} "uid-guarded": the UID in the precondition (wrong) does not match the UID in record (${first.metadata.uid}). The object might have been deleted and then recreated`,
    );
    expect((await api.get(path)).status).toBe(200);
    expect((await api.del(path, options({ uid: first.metadata.uid }))).status).toBe(200);
  });

  test.each(['configmaps', 'rivers'])('a stale resourceVersion leaves one of %s alone', async (resource) => {
    const path = `${collections[resource]}/version-guarded`;
    const { body: first } = await api.post(collections[resource]!, objectOf(resource, 'version-guarded', 'one'));
    const { body: second } = await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
    const refused = await api.del(path, options({ resourceVersion: first.metadata.resourceVersion }));
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(
      `Operation cannot be fulfilled on ${kindOf(resource)} "version-guarded": the ResourceVersion in the precondition (${first.metadata.resourceVersion}) does not match the ResourceVersion in record (${second.metadata.resourceVersion}). The object might have been modified`,
    );
    expect((await api.del(path, options({ resourceVersion: second.metadata.resourceVersion }))).status).toBe(200);
  });
});
