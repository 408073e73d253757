import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose, Query } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('crd-schema');
let namespace = '';
let crd: ScratchCrd;

const properties: Loose = {
  text: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
  choice: { type: 'string', enum: ['one', 'two'] },
  count: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, multipleOf: 2 },
  above: { type: 'number', minimum: 0, exclusiveMinimum: true },
  below: { type: 'number', maximum: 1, exclusiveMaximum: true },
  flag: { type: 'boolean' },
  either: { 'x-kubernetes-int-or-string': true },
  date: { type: 'string', format: 'date-time' },
  address: { type: 'string', format: 'ipv4' },
  network: { type: 'string', format: 'cidr' },
  identity: { type: 'string', format: 'uuid' },
  site: { type: 'string', format: 'uri' },
  bytes: { type: 'string', format: 'byte' },
  span: { type: 'string', format: 'duration' },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  map: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, size: { type: 'integer', default: 1 } },
    },
  },
  list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
  labels: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'string' } },
  nested: {
    type: 'object',
    required: ['inner'],
    properties: { inner: { type: 'string' }, kept: { type: 'string', default: 'yes' } },
  },
  filled: {
    type: 'object',
    default: {},
    properties: { mode: { type: 'string', default: 'auto' }, level: { type: 'integer', default: 3 } },
  },
  nothing: { type: 'string', nullable: true },
  nullDefault: { type: 'string', default: 'd' },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  one: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  some: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  never: { type: 'string', not: { enum: ['bad'] } },
  all: { type: 'string', allOf: [{ minLength: 2 }, { maxLength: 3 }] },
};

beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, {
    schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: { type: 'object', properties },
        status: { type: 'object', properties: { ready: { type: 'boolean' } } },
      },
    },
    subresources: { status: {} },
  });
});

const create = (spec: unknown, query: Query = {}, name = 'x'): Promise<Answer> =>
  api.post(crd.at(namespace), crd.object(name, { spec }), { dryRun: 'All', ...query });

describe('a value that the schema forbids', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['short text', { text: 'a' }],
    ['long text', { text: 'abcdef' }],
    ['text outside the pattern', { text: 'AB' }],
    ['text of several faults', { text: 'ABCDEFGH' }],
    ['a number as text', { text: 7 }],
    ['an unknown choice', { choice: 'three' }],
    ['a small integer', { count: 0 }],
    ['a large integer', { count: 12 }],
    ['a number that is no multiple', { count: 3 }],
    ['a fraction as integer', { count: 2.5 }],
    ['text as integer', { count: '2' }],
    ['an integer beyond int32', { count: 4294967296 }],
    ['the excluded minimum', { above: 0 }],
    ['the excluded maximum', { below: 1 }],
    ['text as boolean', { flag: 'true' }],
    ['a boolean as int-or-string', { either: true }],
    ['a bad date', { date: 'yesterday' }],
    ['a bad address', { address: '1.2.3' }],
    ['a bad network', { network: '1.2.3.4' }],
    ['a bad uuid', { identity: 'x' }],
    ['a bad uri', { site: 'no uri' }],
    ['bad base64', { bytes: '***' }],
    ['a bad duration', { span: 'long' }],
    ['a repeated element of a set', { set: ['a', 'b', 'a'] }],
    ['a repeated key of a list map', { map: [{ name: 'a' }, { name: 'a' }] }],
    ['a list map without its key', { map: [{ size: 2 }] }],
    ['an empty list', { list: [] }],
    ['a long list', { list: [1, 2, 3] }],
    ['text in a list of integers', { list: ['a'] }],
    ['an object as list', { list: {} }],
    ['an empty map', { labels: {} }],
    ['a large map', { labels: { a: '1', b: '2', c: '3' } }],
    ['a number in a map of strings', { labels: { a: 1 } }],
    ['a missing required field', { nested: {} }],
    ['null in a list', { list: [null] }],
    ['text as object', { nested: 'x' }],
    ['both of oneOf', { one: { a: '1', b: '2' } }],
    ['none of oneOf', { one: {} }],
    ['none of anyOf', { some: {} }],
    ['what not forbids', { never: 'bad' }],
    ['what allOf forbids', { all: 'a' }],
    ['an embedded resource without kind', { embedded: { metadata: { name: 'a' } } }],
    ['several faults at once', { text: 'A', count: 11, choice: 'x', list: [] }],
    ['text as spec', 'text'],
    ['null as spec', null],
  ];
  test.each(rows)('%s is refused', async (name, spec) => {
    const answer = await create(spec);
    expect(answer.status).toBe(422);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden(name));
  });

  test('a missing spec is refused', async () => {
    const answer = await api.post(crd.at(namespace), crd.object('x'));
    expect(answer.status).toBe(422);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden('missing spec'));
  });

  test('is refused on update and on status too', async () => {
    const name = uniqueName('x');
    await api.post(crd.at(namespace), crd.object(name, { spec: {} }));
    expect((await api.patch(`${crd.at(namespace)}/${name}`, 'merge', { spec: { count: 11 } })).status).toBe(422);
    const status = await api.patch(`${crd.at(namespace)}/${name}/status`, 'merge', { status: { ready: 'yes' } });
    expect(status.status).toBe(422);
    expect(status.body.details.causes).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.ready',
        message: 'Invalid value: "string": ready in body must be of type boolean: "string"',
      },
    ]);
  });
});

describe('defaults and pruning', () => {
  const rows: readonly (readonly [string, Loose, Loose])[] = [
    ['fill nested objects', {}, { filled: { mode: 'auto', level: 3 }, nullDefault: 'd' }],
    ['leave what is given', { filled: { level: 7 } }, { filled: { mode: 'auto', level: 7 }, nullDefault: 'd' }],
    ['fill elements of lists', { map: [{ name: 'a' }] }, { map: [{ name: 'a', size: 1 }] }],
    ['do not create an object without default', {}, { nested: undefined }],
    ['fill an object that is there', { nested: { inner: 'i' } }, { nested: { inner: 'i', kept: 'yes' } }],
    ['replace null by the default where null is not allowed', { nullDefault: null }, { nullDefault: 'd' }],
    ['drop null where it is not allowed', { nested: null }, { nested: undefined }],
    ['keep null where it is allowed', { nothing: null }, { nothing: null }],
    [
      'drop unknown fields',
      { unknown: 1, nested: { inner: 'i', unknown: 2 } },
      { unknown: undefined, nested: { inner: 'i', kept: 'yes' } },
    ],
    [
      'keep unknown fields where they are preserved',
      { any: { x: [1, { y: null }] } },
      { any: { x: [1, { y: null }] } },
    ],
    ['keep numbers as they are', { above: 1.5, count: 4 }, { above: 1.5, count: 4 }],
    ['take both int and string', { either: '50%' }, { either: '50%' }],
  ];
  test.each(rows)('%s', async (_, spec, expected) => {
    const { status, body } = await create(spec);
    expect(status).toBe(201);
    for (const [key, value] of Object.entries(expected)) expect(body.spec[key]).toEqual(value);
  });

  test('prune unknown fields at the root', async () => {
    const { body } = await api.post(
      crd.at(namespace),
      { ...crd.object('x', { spec: {} }), unknown: 1 },
      { dryRun: 'All' },
    );
    expect(body).not.toHaveProperty('unknown');
  });
});

describe('fieldValidation', () => {
  const spec = { unknown: 1, nested: { inner: 'i', extra: 2 } };
  const doubled = (): string =>
    `{"apiVersion":"${crd.apiVersion}","kind":"River","metadata":{"name":"x"},"spec":{"text":"ab","text":"cd"}}`;
  test.each(['Strict', 'Warn', 'Ignore', undefined, 'Wild'])('%s with unknown fields', async (fieldValidation) => {
    const answer = await create(spec, { fieldValidation });
    expect(maskedAnswer(answer, { [crd.group]: '<group>', [namespace]: '<namespace>' })).toEqual(
      golden(`unknown fields ${fieldValidation}`),
    );
  });
  test.each(['Strict', 'Warn', 'Ignore', undefined])('%s with repeated fields', async (fieldValidation) => {
    const answer = await api.post(crd.at(namespace), doubled(), { dryRun: 'All', fieldValidation });
    expect(maskedAnswer(answer, { [crd.group]: '<group>', [namespace]: '<namespace>' })).toEqual(
      golden(`repeated fields ${fieldValidation}`),
    );
  });
  test.each(['Strict', 'Warn', 'Ignore', undefined])('%s with unknown metadata', async (fieldValidation) => {
    const answer = await api.post(crd.at(namespace), crd.object('x', { spec: {}, metadata: { unknown: 'x' } }), {
      dryRun: 'All',
      fieldValidation,
    });
    expect(maskedAnswer(answer, { [crd.group]: '<group>', [namespace]: '<namespace>' })).toEqual(
      golden(`unknown metadata ${fieldValidation}`),
    );
  });
  test.each(['Strict', 'Warn', 'Ignore', undefined])('%s of a patch with unknown fields', async (fieldValidation) => {
    const name = uniqueName('x');
    await api.post(crd.at(namespace), crd.object(name, { spec: {} }));
    const answer = await api.patch(`${crd.at(namespace)}/${name}`, 'merge', { spec }, { fieldValidation });
    expect(maskedAnswer(answer, { [crd.group]: '<group>', [namespace]: '<namespace>', [name]: '<name>' })).toEqual(
      golden(`patch with unknown fields ${fieldValidation}`),
    );
  });
  test.each(['Strict', 'Warn', 'Ignore', undefined])(
    '%s of a built-in with unknown and repeated fields',
    async (fieldValidation) => {
      const body =
        '{"metadata":{"name":"x","labels":{"a":"1","a":"2"}},"data":{"k":"v"},"unknown":1,"immutable":false}';
      const answer = await api.post(`/api/v1/namespaces/${namespace}/configmaps`, body, {
        dryRun: 'All',
        fieldValidation,
      });
      expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(`built-in ${fieldValidation}`));
    },
  );
});
