import { afterEach, beforeEach, expect, test } from 'vitest';
import { river, startTestApi } from '../http/testing/test-api.ts';
import type { TestApi } from '../http/testing/test-api.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../registry/admission.ts';
import { forbidden } from '../registry/api-error.ts';
import type { Draft, JsonObject } from '../registry/json.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const rivers = { group: 'x.test', plural: 'rivers' };
const ref = { namespace: 'default', name: 'a' };
const object = { ...river('a'), metadata: { ...ref } } as JsonObject;

test('a create takes the same steps as over HTTP', async () => {
  expect(await api.client.create(rivers, object)).toMatchObject({ spec: { length: 10 }, metadata: { generation: 1 } });
  await expect(api.client.create(rivers, object)).rejects.toMatchObject({ reason: 'AlreadyExists' });
  const bad = { ...object, spec: { length: -1 } };
  await expect(api.client.create(rivers, bad)).rejects.toMatchObject({ reason: 'Invalid' });
});

test('a change edits a private copy of the newest state, or leaves it', async () => {
  const created = await api.client.create(rivers, object);
  const changed = await api.client.change(rivers, ref, (draft) => void (draft['spec'] = { length: 4 }));
  expect(changed).toMatchObject({ spec: { length: 4 }, metadata: { generation: 2 } });
  expect(created['spec']).toEqual({ length: 10 });
  const revision = api.store.revision();
  await api.client.change(rivers, ref, () => false);
  expect(api.store.revision()).toBe(revision);
  await expect(api.client.change(rivers, { name: 'nope' }, () => undefined)).rejects.toMatchObject({ status: 404 });
});

test('a change of the status leaves the spec alone', async () => {
  await api.client.create(rivers, object);
  const edit = (draft: Draft): void => void Object.assign(draft, { spec: { length: 1 }, status: { wet: true } });
  const changed = await api.client.change(rivers, ref, edit, { subresource: 'status' });
  expect(changed).toMatchObject({ spec: { length: 10 }, status: { wet: true } });
});

test('a deletion keeps to its precondition', async () => {
  const { metadata } = await api.client.create(rivers, object);
  await expect(api.client.delete(rivers, ref, { uid: 'other' })).rejects.toMatchObject({ reason: 'Conflict' });
  await api.client.delete(rivers, ref, { uid: metadata.uid });
  expect(api.client.get(rivers, ref)).toBeUndefined();
});

test('an update with an older version is refused', async () => {
  const created = await api.client.create(rivers, object);
  await api.client.change(rivers, ref, (draft) => void (draft['spec'] = { length: 4 }));
  await expect(api.client.update(rivers, created)).rejects.toMatchObject({ reason: 'Conflict' });
});

test('admission sees each write, may change it, and may refuse it', async () => {
  const seen: AdmissionAttributes[] = [];
  const plugin: AdmissionPlugin = {
    name: 'test',
    mutate: async (attributes) => {
      await Promise.resolve();
      if (attributes.type.plural !== 'rivers') return;
      seen.push(attributes);
      if (attributes.object !== undefined) attributes.object['spec'] = { length: 7 };
    },
    validate: ({ operation, type, name }) => {
      if (operation === 'DELETE') throw forbidden(type, name, 'not today');
    },
  };
  const own = await startTestApi({ admission: [plugin] });
  expect(await own.client.create(rivers, object)).toMatchObject({ spec: { length: 7 } });
  await expect(own.client.delete(rivers, ref)).rejects.toThrow('rivers.x.test "a" is forbidden: not today');
  const rows = seen.map(({ operation, name }) => [operation, name]);
  expect(rows).toEqual([
    ['CREATE', 'a'],
    ['DELETE', 'a'],
  ]);
  await own.stop();
});

test('writers that wait for admission do not overwrite each other', async () => {
  let turns = 0;
  const slow: AdmissionPlugin = {
    name: 'slow',
    mutate: async ({ operation }) => {
      // The first to come is the last to go on.
      if (operation === 'UPDATE' && turns++ === 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const own = await startTestApi({ admission: [slow] });
  await own.client.create(rivers, object);
  const label = async (key: string): Promise<unknown> =>
    own.client.change(rivers, ref, (draft) => {
      const metadata = draft['metadata'] as { labels?: Record<string, string> };
      metadata.labels = { ...metadata.labels, [key]: 'x' };
    });
  await Promise.all([label('first'), label('second')]);
  expect(own.client.get(rivers, ref)?.metadata.labels).toEqual({ first: 'x', second: 'x' });
  await own.stop();
});
