import { beforeAll, describe, expect, test } from 'vitest';
import { apply, builtinPlace, customPlace, tell } from './kit/apply-story.ts';
import type { Place, StoryStep } from './kit/apply-story.ts';
import { useGolden } from './kit/golden.ts';
import { managersOf } from './kit/managers.ts';
import { createCrd, createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('server-side-apply-managers');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  const properties = {
    spec: { type: 'object', properties: { replicas: { type: 'integer' }, text: { type: 'string' } } },
  };
  const status = { type: 'object', properties: { replicas: { type: 'integer' } } };
  crd = await createCrd(api, {
    schema: { type: 'object', properties: { ...properties, status } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  });
});

type Row = readonly [title: string, steps: readonly StoryStep[]];

function stories(place: () => Place, rows: readonly Row[]): void {
  test.each(rows)('%s', async (title, steps) => {
    expect(await tell(place(), steps)).toEqual(golden(title));
  });
}

const data = (fields: Loose): Loose => ({ data: fields });
const by = (fieldManager: string): { readonly query: { readonly fieldManager: string } } => ({
  query: { fieldManager },
});
const agent = (text: string): { readonly headers: Loose } => ({ headers: { 'user-agent': text } });
const configMap = (): Place => builtinPlace(api, 'v1', 'ConfigMap', namespace);
const river = (): Place => customPlace(api, crd, namespace);

describe('who wrote', () => {
  stories(configMap, [
    ['is named by the program', [{ do: 'post', body: data({ a: '1' }), ...agent('curl/8.5 (linux)') }]],
    ['is unknown without a program', [{ do: 'post', body: data({ a: '1' }) }]],
    ['is cut at 128 characters', [{ do: 'post', body: data({ a: '1' }), ...agent(`${'m'.repeat(200)}/1`) }]],
    [
      'is named by the request before the program',
      [{ do: 'post', body: data({ a: '1' }), ...agent('curl/8'), ...by('me') }],
    ],
    [
      'owns what it changed and loses what others change',
      [
        { do: 'post', body: data({ a: '1', b: '1' }), ...by('ann') },
        { do: 'merge', body: data({ b: '2', c: '1' }), ...by('bob') },
        { do: 'strategic', body: data({ a: null }), ...by('eve') },
        { do: 'json', body: [{ op: 'add', path: '/data/d', value: '1' }], ...by('eve') },
        { do: 'put', body: data({ c: '1' }), ...by('ann') },
        { do: 'put', body: data({ c: '1' }), ...by('eve') },
      ],
    ],
    [
      'is forgotten when managedFields are emptied',
      [
        { do: 'post', body: data({ a: '1' }), ...by('ann') },
        { do: 'merge', body: { metadata: { managedFields: [{}] } }, ...by('ann') },
        { do: 'merge', body: data({ b: '1' }), ...by('bob') },
        apply('ann', data({ a: '2' })),
        apply('ann', data({ c: '2' })),
      ],
    ],
    [
      'is forgotten when managedFields are an empty list',
      [
        { do: 'post', body: data({ a: '1' }) },
        { do: 'merge', body: { metadata: { managedFields: [] } } },
      ],
    ],
    [
      'stays when managedFields are null',
      [
        { do: 'post', body: data({ a: '1' }) },
        { do: 'merge', body: { metadata: { managedFields: null } } },
      ],
    ],
    [
      'may be said by the writer',
      [
        {
          do: 'post',
          body: {
            ...data({ a: '1', b: '1' }),
            metadata: {
              managedFields: [
                {
                  manager: 'x',
                  operation: 'Apply',
                  apiVersion: 'v1',
                  time: '2020-01-02T03:04:05Z',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:data': { 'f:a': {}, 'f:gone': {} } },
                },
              ],
            },
          },
          ...by('ann'),
        },
        apply('x', data({ b: '1' })),
      ],
    ],
    [
      'is not said in a form that cannot be read',
      [
        { do: 'post', body: data({ a: '1' }), ...by('ann') },
        { do: 'merge', body: { metadata: { managedFields: [{ manager: 'x', operation: 'Odd' }] } } },
        {
          do: 'merge',
          body: {
            metadata: {
              managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
            },
          },
        },
        {
          do: 'merge',
          body: {
            metadata: {
              managedFields: [
                { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { data: {} } },
              ],
            },
          },
        },
      ],
    ],
    ['is created in a dry run as well', [{ do: 'post', body: data({ a: '1' }), query: { dryRun: 'All' } }]],
  ]);

  test('is one of ten at most that update; the oldest are put together', async () => {
    const place = configMap();
    await tell(place, [{ do: 'post', body: data({ start: '1' }), ...by('m00') }]);
    for (let index = 1; index <= 12; index++) {
      await tell(place, [
        { do: 'merge', body: data({ [`k${index}`]: '1' }), ...by(`m${String(index).padStart(2, '0')}`) },
      ]);
    }
    const { body } = await api.get(`${place.path}/${place.name}`);
    expect(managersOf(body)).toEqual(golden('twelve managers'));
  });
});

describe('what kubectl applied by itself before', () => {
  const last = (fields: Loose): Loose => ({
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: fields, metadata: {} })}\n`,
    },
  });
  const before: StoryStep = {
    do: 'post',
    body: { ...data({ a: '1', b: '1' }), metadata: last({ a: '1', b: '1' }) },
    ...by('kubectl-client-side-apply'),
  };
  stories(configMap, [
    [
      'is taken over by kubectl',
      [before, apply('kubectl', data({ a: '2' })), apply('kubectl', data({ a: '3', b: '1' }))],
    ],
    ['is not taken over by others', [before, apply('ann', data({ a: '2' }))]],
    [
      'is contested where somebody changed it since',
      [before, { do: 'merge', body: data({ a: '5' }), ...by('bob') }, apply('kubectl', data({ a: '2', b: '2' }))],
    ],
    [
      'is kept true in the annotation',
      [before, apply('kubectl', { ...data({ b: '1' }), metadata: { annotations: { x: '<&>' } } })],
    ],
    [
      'cannot be read',
      [
        {
          do: 'post',
          body: {
            ...data({ a: '1' }),
            metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{' } },
          },
        },
        apply('kubectl', data({ a: '2' })),
      ],
    ],
  ]);
});

describe('what the server and its controllers write', () => {
  const ofCore = (plural: string, name: string): string => `/api/v1/namespaces/${namespace}/${plural}/${name}`;
  const rows: readonly (readonly [string, () => string])[] = [
    ['the status of a CRD', () => crd.crdPath],
    ['the certificates of a namespace', () => ofCore('configmaps', 'kube-root-ca.crt')],
    ['the account of a namespace', () => ofCore('serviceaccounts', 'default')],
    ['a namespace', () => `/api/v1/namespaces/${namespace}`],
  ];
  test.each(rows)('%s', async (title, path) => {
    const { body } = await eventually(
      () => api.get(path()),
      ({ status }) => status === 200,
    );
    expect(managersOf(body)).toEqual(golden(title));
  });

  test('a part of an object that only the server writes has no owner', async () => {
    const name = uniqueName('p');
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const spec = { containers: [{ name: 'a', image: 'i' }] };
    await api.post(pods, { metadata: { name }, spec });
    const target = { apiVersion: 'v1', kind: 'Node', name: 'nowhere' };
    expect((await api.post(`${pods}/${name}/binding`, { metadata: { name }, target })).status).toBe(201);
    const { body } = await api.get(`${pods}/${name}`);
    expect(body.spec.nodeName).toBe('nowhere');
    expect(managersOf(body)).toEqual(golden('a pod that was bound'));
    await api.del(`${pods}/${name}`, { gracePeriodSeconds: 0 });
  });
});

describe('who scales', () => {
  const scaled = (replicas: number): Loose => ({ spec: { replicas } });
  stories(river, [
    [
      'owns the replicas',
      [
        apply('ann', scaled(1)),
        { do: 'merge', sub: 'scale', body: scaled(2), ...by('bob') },
        { do: 'get' },
        { do: 'merge', sub: 'scale', body: scaled(3), ...by('bob') },
        { do: 'get' },
        apply('ann', scaled(1)),
        apply('ann', scaled(1), { force: true }),
        { do: 'put', sub: 'scale', body: scaled(5), ...by('eve') },
        { do: 'get' },
      ],
    ],
    [
      'may apply a scale',
      [
        apply('ann', scaled(1)),
        { do: 'apply', sub: 'scale', body: scaled(2), ...by('bob') },
        { do: 'apply', sub: 'scale', body: scaled(2), query: { fieldManager: 'bob', force: true } },
        { do: 'get' },
      ],
    ],
    [
      'has one entry again after the next write',
      [
        { do: 'post', body: { spec: { replicas: 1, text: 'x' } }, ...by('ann') },
        { do: 'put', sub: 'scale', body: scaled(1), ...by('ann') },
        { do: 'get' },
        { do: 'merge', sub: 'status', body: { status: {} }, ...by('ann') },
      ],
    ],
    [
      'gives replicas to what has none',
      [
        apply('ann', { spec: { text: 'x' } }),
        { do: 'merge', sub: 'scale', body: {} },
        { do: 'merge', sub: 'scale', body: scaled(2), ...by('bob') },
        { do: 'get' },
      ],
    ],
  ]);
});
