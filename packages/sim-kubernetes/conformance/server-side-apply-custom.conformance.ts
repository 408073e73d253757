import { beforeAll, describe, expect, test } from 'vitest';
import { apply, customPlace, tell } from './kit/apply-story.ts';
import type { StoryStep } from './kit/apply-story.ts';
import { useGolden } from './kit/golden.ts';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('server-side-apply-custom');
let namespace = '';
let crd: ScratchCrd;

const text = { type: 'string' };
const specSchema = {
  type: 'object',
  properties: {
    text,
    number: { type: 'integer' },
    flag: { type: 'boolean' },
    either: { 'x-kubernetes-int-or-string': true },
    plain: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    named: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: text,
          port: { type: 'integer', default: 80 },
          value: text,
          deep: { type: 'object', properties: { a: text, b: text } },
        },
      },
    },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    map: { type: 'object', additionalProperties: text },
    struct: { type: 'object', properties: { a: text, b: text } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    child: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: text } } },
    },
    odd: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
    },
  },
};

beforeAll(async () => {
  namespace = await createNamespace(api);
  const status = { type: 'object', properties: { phase: text, count: { type: 'integer' } } };
  crd = await createCrd(api, {
    schema: { type: 'object', properties: { spec: specSchema, status } },
    subresources: { status: {} },
  });
});

const spec = (fields: Loose): Loose => ({ spec: fields });
const force = { force: true };

type Row = readonly [title: string, steps: readonly StoryStep[]];

describe('a custom resource that is applied', () => {
  const rows: readonly Row[] = [
    [
      'has every type of field',
      [apply('ann', spec({ text: 'x', number: 1, flag: true, either: 'y', struct: { a: '1' } }))],
    ],
    ['owns an atomic list as a whole', [apply('ann', spec({ plain: ['a'] })), apply('bob', spec({ plain: ['b'] }))]],
    [
      'owns items of a set',
      [
        apply('ann', spec({ set: ['a', 'b'] })),
        apply('bob', spec({ set: ['b', 'c'] })),
        apply('ann', spec({ set: ['b'] })),
      ],
    ],
    [
      'owns items of a list by their keys, and defaults count',
      [
        apply('ann', spec({ named: [{ name: 'a', value: '1' }] })),
        apply(
          'bob',
          spec({
            named: [
              { name: 'a', port: 80, value: '2' },
              { name: 'a', port: 81 },
            ],
          }),
        ),
        apply('bob', spec({ named: [{ name: 'a', port: 81, value: '2' }] })),
        apply('ann', spec({ named: [] })),
      ],
    ],
    [
      'orders items as the last who applied them',
      [
        apply('ann', spec({ named: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })),
        apply('bob', spec({ named: [{ name: 'c' }, { name: 'd' }, { name: 'a' }] })),
        apply('ann', spec({ named: [{ name: 'c' }, { name: 'b' }] })),
      ],
    ],
    [
      'removes single fields of an item',
      [
        apply('ann', spec({ named: [{ name: 'a', value: '1', deep: { a: '1', b: '1' } }] })),
        apply('ann', spec({ named: [{ name: 'a', deep: { b: '1' } }] })),
      ],
    ],
    [
      'owns an atomic map as a whole',
      [apply('ann', spec({ whole: { a: '1' } })), apply('bob', spec({ whole: { b: '1' } }))],
    ],
    [
      'owns entries of a map',
      [apply('ann', spec({ map: { a: '1' } })), apply('bob', spec({ map: { b: '1' } })), apply('ann', spec({}))],
    ],
    [
      'refuses what a removal leaves null',
      [
        apply('ann', spec({ map: { a: '1' }, text: 'x' })),
        apply('ann', spec({ text: 'x', map: {} })),
        apply('ann', spec({ text: 'x' })),
      ],
    ],
    [
      'owns fields without a schema',
      [
        apply('ann', spec({ free: { a: { b: 1 }, list: [1, { c: 2 }] } })),
        apply('bob', spec({ free: { a: { d: 1 } } })),
        apply('ann', spec({})),
      ],
    ],
    [
      'changes the form of a field without a schema',
      [
        apply('ann', spec({ free: { a: { b: 1 } } })),
        apply('bob', spec({ free: { a: 'text' } })),
        apply('bob', spec({ free: { a: 'text' } }), force),
      ],
    ],
    [
      'holds an object of another kind',
      [
        apply(
          'ann',
          spec({
            child: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n', labels: { a: '1' } }, spec: { a: '1' } },
          }),
        ),
      ],
    ],
    [
      'takes empty values',
      [apply('ann', spec({ text: '', plain: [], set: [], named: [], map: {}, struct: {}, whole: {} }))],
    ],
    ['takes null for what may not be null', [apply('ann', spec({ text: null, number: 1 }))]],
    ['cannot have a set of objects applied', [apply('ann', spec({ odd: [{ a: '1' }] }))]],
    [
      'has no managers with a set of objects',
      [
        { do: 'post', body: spec({ odd: [{ a: '1' }], text: 'x' }) },
        { do: 'merge', body: spec({ odd: null }) },
      ],
    ],
    [
      'has its status applied by itself',
      [
        apply('ann', { ...spec({ text: 'x' }), status: { phase: 'no' } }),
        {
          do: 'apply',
          sub: 'status',
          body: { ...spec({ text: 'no' }), status: { phase: 'yes' } },
          query: { fieldManager: 'eve' },
        },
        { do: 'apply', sub: 'status', body: { status: { phase: 'other' } }, query: { fieldManager: 'bob' } },
        { do: 'apply', sub: 'status', body: { status: { count: 1 } }, query: { fieldManager: 'eve' } },
      ],
    ],
    [
      'has no status before it is there',
      [{ do: 'apply', sub: 'status', body: { status: { phase: 'x' } }, query: { fieldManager: 'eve' } }],
    ],
  ];
  test.each(rows)('%s', async (title, steps) => {
    expect(await tell(customPlace(api, crd, namespace), steps)).toEqual(golden(title));
  });
});
