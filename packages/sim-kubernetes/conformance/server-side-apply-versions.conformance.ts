import { beforeAll, describe, expect, test } from 'vitest';
import { apply, customPlace, tell } from './kit/apply-story.ts';
import type { Place, StoryStep } from './kit/apply-story.ts';
import { useGolden } from './kit/golden.ts';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('server-side-apply-versions');
let namespace = '';

const text = { type: 'string' };
const version = (name: string, storage: boolean, properties: Loose): Loose => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});
const both = { a: text, b: text, list: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } };

beforeAll(async () => {
  namespace = await createNamespace(api);
});

function placeIn(crd: ScratchCrd, name: string): Place {
  const place = customPlace(api, crd, namespace);
  return { ...place, path: crd.at(namespace, name), apiVersion: `${crd.group}/${name}` };
}

const spec = (fields: Loose): Loose => ({ spec: fields });
const update = (fields: Loose, fieldManager: string): StoryStep => ({
  do: 'merge',
  body: spec(fields),
  query: { fieldManager },
});

describe('managers of several versions', () => {
  test('of one object are compared in the version of each', async () => {
    const crd = await createCrd(api, { versions: [version('v1', true, both), version('v2', false, both)] });
    const v1 = placeIn(crd, 'v1');
    const v2 = { ...v1, path: crd.at(namespace, 'v2'), apiVersion: `${crd.group}/v2` };
    const answers = [
      ...(await tell(v1, [apply('ann', spec({ a: '1', list: ['x', 'y'] })), update({ b: '1' }, 'bob')])),
      ...(await tell(v2, [
        update({ b: '2' }, 'bob'),
        apply('eve', spec({ a: '2' })),
        apply('eve', spec({ a: '2' }), { force: true }),
        apply('ann', spec({ list: ['y'] })),
      ])),
      ...(await tell(v1, [{ do: 'get' }])),
    ];
    expect(answers).toEqual(golden('two versions'));
  });

  test('are given up when a version has not all fields', async () => {
    const crd = await createCrd(api, {
      versions: [version('v1', true, both), version('v2', false, { a: text })],
    });
    const v1 = placeIn(crd, 'v1');
    const v2 = { ...v1, path: crd.at(namespace, 'v2'), apiVersion: `${crd.group}/v2` };
    const answers = [
      ...(await tell(v1, [apply('ann', spec({ a: '1', b: '1' }))])),
      ...(await tell(v2, [update({ a: '2' }, 'bob'), apply('eve', spec({ a: '3' }))])),
      ...(await tell(v1, [update({ b: '2' }, 'bob'), { do: 'get' }])),
    ];
    expect(answers).toEqual(golden('versions that differ'));
  });
});

describe('managers of a kind whose schema changes', () => {
  const parts = (how: Loose): Loose => ({
    a: text,
    map: { type: 'object', additionalProperties: text, ...how },
    list: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
      ...(how['x-kubernetes-map-type'] === 'atomic'
        ? { 'x-kubernetes-list-type': 'atomic' }
        : { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    },
  });
  const atomic = { 'x-kubernetes-map-type': 'atomic' };
  const granular = { 'x-kubernetes-map-type': 'granular' };

  test.each([
    ['own the whole of what becomes atomic', granular, atomic],
    ['own what they owned when it becomes granular', atomic, granular],
  ])('%s', async (title, before, after) => {
    const crd = await createCrd(api, { versions: [version('v1', true, parts(before))] });
    const place = placeIn(crd, 'v1');
    const told = await tell(place, [
      apply('ann', spec({ a: '1', map: { x: '1', y: '1' }, list: [{ name: 'n', value: '1' }] })),
    ]);
    const { body } = await api.get(crd.crdPath);
    body.spec.versions[0] = version('v1', true, { ...parts(after), extra: text });
    expect((await api.put(crd.crdPath, body)).status).toBe(200);
    // The new schema is in force when the field that came with it is taken.
    await eventually(
      () => api.patch(`${place.path}/${place.name}`, 'merge', spec({ extra: 'x' }), { dryRun: 'All' }),
      (answer) => answer.body.spec?.extra === 'x',
    );
    const then = await tell(place, [
      { do: 'merge', body: { metadata: { labels: { l: '1' } } }, query: { fieldManager: 'bob' } },
      apply('ann', spec({ a: '1', map: { y: '1' } })),
      apply('eve', spec({ map: { z: '1' } })),
    ]);
    expect([...told, ...then]).toEqual(golden(title));
  });
});
