import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMaps, river, rivers, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
  await api.call('POST', configMaps, { metadata: { name: 'a' }, data: { x: '1', y: '2' } });
  await api.call('POST', rivers, river('a', { length: 3 }));
});
afterEach(async () => api.stop());

const type = (name: string): Record<string, string> => ({ 'content-type': `application/${name}` });

test('a merge patch removes what is null', async () => {
  const { body } = await api.call('PATCH', `${configMaps}/a`, { data: { x: null, z: '3' } });
  expect(body.data).toEqual({ y: '2', z: '3' });
});

test('a JSON patch is applied in order', async () => {
  const patch = [
    { op: 'test', path: '/data/x', value: '1' },
    { op: 'replace', path: '/data/x', value: '9' },
  ];
  expect((await api.call('PATCH', `${configMaps}/a`, patch, type('json-patch+json'))).body.data.x).toBe('9');
  const failed = await api.call('PATCH', `${configMaps}/a`, patch, type('json-patch+json'));
  expect(failed.status).toBe(422);
});

test('a strategic merge patch is for built-in kinds only', async () => {
  const strategic = type('strategic-merge-patch+json');
  expect((await api.call('PATCH', `${configMaps}/a`, { data: { x: '5' } }, strategic)).body.data.x).toBe('5');
  const { body } = await api.call('PATCH', `${rivers}/a`, { spec: {} }, strategic);
  expect(body).toMatchObject({
    code: 415,
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  });
});

test('an applied configuration says of which kind it is', async () => {
  const { body } = await api.call('PATCH', `${configMaps}/a?fieldManager=me`, {}, type('apply-patch+yaml'));
  expect(body).toMatchObject({ code: 400, message: 'invalid object type: /, Kind=' });
});

test('a patch that names a resourceVersion applies to that version only', async () => {
  const { body } = await api.call('PATCH', `${configMaps}/a`, { metadata: { resourceVersion: '1' }, data: { x: '2' } });
  expect(body.reason).toBe('Conflict');
});

test('a patch that ends in an object of another form is a fault of the patch', async () => {
  const { body } = await api.call('PATCH', `${configMaps}/a`, { data: 5 });
  expect(body.code).toBe(422);
  expect(body.details.causes[0]).toMatchObject({ field: 'patch', reason: 'FieldValueInvalid' });
});

test('a patch that is no JSON is a bad request', async () => {
  const { body } = await api.call('PATCH', `${configMaps}/a`, '{');
  expect(body).toMatchObject({ code: 400, reason: 'BadRequest' });
});

test('a patch as a dry run shows the result and leaves the object', async () => {
  const { body } = await api.call('PATCH', `${rivers}/a?dryRun=All`, { spec: { length: 8 } });
  expect(body.spec.length).toBe(8);
  expect((await api.call('GET', `${rivers}/a`)).body.spec.length).toBe(3);
});

test('patches at the same time all get through', async () => {
  const names = ['p', 'q', 'r', 's'];
  await Promise.all(names.map(async (name) => api.call('PATCH', `${configMaps}/a`, { data: { [name]: name } })));
  expect((await api.call('GET', `${configMaps}/a`)).body.data).toMatchObject({ p: 'p', q: 'q', r: 'r', s: 's' });
});
