import { beforeAll, describe, expect, test } from 'vitest';
import { apply, builtinPlace, customPlace, tell } from './kit/apply-story.ts';
import type { Place, StoryStep } from './kit/apply-story.ts';
import { useGolden } from './kit/golden.ts';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('server-side-apply-requests');
let namespace = '';
let crd: ScratchCrd;
const text = { type: 'string' };
beforeAll(async () => {
  namespace = await createNamespace(api);
  const properties = {
    text,
    number: { type: 'integer' },
    flag: { type: 'boolean' },
    list: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    map: { type: 'object', additionalProperties: text },
    named: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
    },
  };
  crd = await createCrd(api, { spec: { type: 'object', properties } });
});

type Row = readonly [title: string, steps: readonly StoryStep[]];

function stories(place: () => Place, rows: readonly Row[]): void {
  test.each(rows)('%s', async (title, steps) => {
    expect(await tell(place(), steps)).toEqual(golden(title));
  });
}

const ann = { fieldManager: 'ann' };
const raw = (body: string, query: Loose = {}): StoryStep => ({ do: 'apply', body, query: { ...ann, ...query } });
const json = (body: Loose): string => JSON.stringify(body);

describe('a request to apply', () => {
  stories(
    () => builtinPlace(api, 'v1', 'ConfigMap', namespace),
    [
      ['names its manager', [{ do: 'apply', body: {} }]],
      [
        'has a manager of at most 128 characters',
        [apply('m'.repeat(129), {}), apply('m'.repeat(128), { data: { a: '1' } })],
      ],
      ['has a manager that can be printed', [apply('a\u0001b', {})]],
      ['may force, and no other patch may', [{ do: 'merge', body: {}, query: { force: true } }]],
      [
        'says of which kind it is',
        [raw(json({ metadata: { name: 'x' } })), raw(json({ apiVersion: 'v1', metadata: {} }))],
      ],
      [
        'is of the kind of its path',
        [apply('ann', { kind: 'Secret' }), apply('ann', { apiVersion: 'v2' }), apply('ann', { apiVersion: 'a/b/c' })],
      ],
      ['has the name of its path', [apply('ann', { metadata: { name: 'other' } })]],
      ['has a name', [raw(json({ apiVersion: 'v1', kind: 'ConfigMap' }))]],
      [
        'may leave the name to an object that is there',
        [apply('ann', {}), raw(json({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } }))],
      ],
      ['has the namespace of its path', [apply('ann', { metadata: { namespace: 'other' } })]],
      [
        'says nothing of managers',
        [
          apply('ann', { metadata: { managedFields: [] } }),
          apply('ann', { metadata: { managedFields: [{}] } }),
          apply('ann', { metadata: { managedFields: null } }),
        ],
      ],
      ['has no identity that is not there', [apply('ann', { metadata: { uid: 'x' } })]],
      ['may say which identity it means', [apply('ann', {}), apply('ann', { metadata: { uid: 'x' } })]],
      [
        'may say which version it means',
        [
          apply('ann', { metadata: { resourceVersion: '1' } }),
          apply('ann', {}),
          apply('ann', { metadata: { resourceVersion: '1' }, data: { a: '1' } }),
        ],
      ],
      [
        'has no field that is unknown',
        [apply('ann', { data: { a: '1' }, odd: 1 }), apply('ann', { metadata: { odd: 1 } })],
      ],
      ['is an object', [raw('[]'), raw('"text"'), raw('3'), raw('')]],
      [
        'may be YAML',
        [
          { do: 'apply', body: { data: { a: '1' } }, query: ann },
          raw('apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "2"\n'),
        ],
      ],
      [
        'warns of keys that repeat',
        [
          raw('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: "1"\n  a: "2"\n', {
            fieldValidation: 'Warn',
          }),
        ],
      ],
      [
        'refuses keys that repeat when it is strict',
        [
          apply('ann', {}),
          raw('apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "1"\n  a: "2"\n', { fieldValidation: 'Strict' }),
        ],
      ],
      [
        'ignores keys that repeat when it shall',
        [
          apply('ann', {}),
          raw('apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "1"\n  a: "2"\n', { fieldValidation: 'Ignore' }),
        ],
      ],
      [
        'is not of another coding',
        [{ do: 'apply', body: {}, query: ann, headers: { 'content-type': 'application/apply-patch+cbor' } }],
      ],
      [
        'may name a character set',
        [
          {
            do: 'apply',
            body: {},
            query: ann,
            headers: { 'content-type': 'application/apply-patch+yaml; charset=utf-8' },
          },
        ],
      ],
    ],
  );
});

describe('values of another type', () => {
  const spec = (fields: Loose): readonly StoryStep[] => [apply('ann', { spec: fields })];
  stories(
    () => customPlace(api, crd, namespace),
    [
      ['a number for a text', spec({ text: 1 })],
      ['an object for a text', spec({ text: { a: 'b', c: [1, null] } })],
      ['a text for a number', spec({ number: 'x' })],
      ['a list for a number', spec({ number: [1] })],
      ['a text for a boolean', spec({ flag: 'x' })],
      ['a text for a list', spec({ list: 'x' })],
      ['a number in a list', spec({ list: [1] })],
      ['an object for a list', spec({ list: { a: 'x' } })],
      ['a list for a map', spec({ map: ['x', 'y'] })],
      ['a number in a map', spec({ map: { a: 1 } })],
      ['a repeated item of a set', spec({ set: ['a', 'a', 'b'] })],
      ['a null in a set', spec({ set: ['a', null] })],
      ['a list in a set', spec({ set: [['a']] })],
      ['a repeated name in a list', spec({ named: [{ name: 'a' }, { name: 'a', value: 'x' }] })],
      ['an item without a name', spec({ named: [{ value: 'x' }] })],
      ['an item that is no object', spec({ named: ['x'] })],
      ['an item that is null', spec({ named: [null] })],
      ['several at once', spec({ list: [1, true] })],
      ['a field that is not declared', spec({ other: 'x' })],
    ],
  );
});
