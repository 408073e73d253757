import { expect, test } from 'vitest';
import { river, riverType, startTestApi } from '../http/testing/test-api.ts';
import type { ResourceType } from './resource-type.ts';

const path = (version: string): string => `/apis/x.test/${version}/namespaces/default/rivers`;

test('versions share their objects; only apiVersion differs', async () => {
  const second: ResourceType = { ...riverType, version: 'v2beta1' };
  const api = await startTestApi({ kinds: [riverType, second] });
  await api.call('POST', path('v2beta1'), { ...river('a', { length: 3 }), apiVersion: 'x.test/v2beta1' });
  expect(api.store.list(riverType)[0]?.apiVersion).toBe('x.test/v1');
  const read = await api.call('GET', `${path('v2beta1')}/a`);
  expect(read.body).toMatchObject({ apiVersion: 'x.test/v2beta1', spec: { length: 3 } });
  expect((await api.call('GET', `${path('v1')}/a`)).body.metadata).toEqual(read.body.metadata);
  await api.stop();
});

test('a converter stands between what is stored and what is served', async () => {
  const metres: ResourceType = {
    ...riverType,
    version: 'v2beta1',
    convert: {
      toStored: (object) => ({ ...object, spec: { length: (object['spec'] as { length: number }).length / 1000 } }),
      fromStored: (object) => ({ ...object, spec: { length: (object['spec'] as { length: number }).length * 1000 } }),
    },
  };
  const api = await startTestApi({ kinds: [riverType, metres] });
  await api.call('POST', path('v2beta1'), { ...river('a', { length: 5000 }), apiVersion: 'x.test/v2beta1' });
  expect((await api.call('GET', `${path('v1')}/a`)).body.spec).toEqual({ length: 5 });
  const watch = api.watch(`${path('v2beta1')}?watch=1`);
  await api.clock.settle();
  await api.call('PATCH', `${path('v1')}/a`, { spec: { length: 6 } });
  await api.clock.settle();
  expect(watch.events.map(({ object }) => [object.apiVersion, object.spec.length])).toEqual([
    ['x.test/v2beta1', 5000],
    ['x.test/v2beta1', 6000],
  ]);
  watch.stop();
  await api.stop();
});

test('a resource that is stored in another shares its objects, its events and its revisions', async () => {
  const streams: ResourceType = {
    ...riverType,
    group: 'y.test',
    kind: 'Stream',
    plural: 'streams',
    storedIn: { group: 'x.test', plural: 'rivers' },
  };
  const api = await startTestApi({ kinds: [riverType, streams] });
  const at = '/apis/y.test/v1/namespaces/default/streams';
  await api.call('POST', path('v1'), river('a'));
  expect((await api.call('GET', `${at}/a`)).body).toMatchObject({ apiVersion: 'y.test/v1', kind: 'Stream' });
  await api.call('POST', at, { apiVersion: 'y.test/v1', kind: 'Stream', metadata: { name: 'b' }, spec: {} });
  expect((await api.call('GET', `${path('v1')}/b`)).body).toMatchObject({ apiVersion: 'x.test/v1', kind: 'River' });
  await api.stop();
});
