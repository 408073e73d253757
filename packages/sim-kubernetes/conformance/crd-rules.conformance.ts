import { beforeAll, describe, expect, test } from 'vitest';
import { crdManifest, crdsPath, createCrd, createNamespace, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('crd-rules');
let namespace = '';
let crd: ScratchCrd;

const text = { type: 'string', maxLength: 64 };
const specSchema: Loose = {
  type: 'object',
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    name: { ...text, 'x-kubernetes-validations': [{ rule: "self.startsWith('a')", message: 'must begin with a' }] },
    fixed: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    limit: {
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: 'self <= 5', messageExpression: "self > 7 ? 'is far above 5' : 'is above 5'" },
      ],
    },
    plain: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] },
    reasoned: {
      ...text,
      'x-kubernetes-validations': [{ rule: "self != 'dup'", message: 'taken', reason: 'FieldValueDuplicate' }],
    },
    list: {
      type: 'array',
      maxItems: 8,
      items: { ...text, 'x-kubernetes-validations': [{ rule: 'self.size() > 1', message: 'too short' }] },
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists_one(y, y == x))', message: 'must be unique' }],
    },
    labels: {
      type: 'object',
      maxProperties: 8,
      additionalProperties: text,
      'x-kubernetes-validations': [{ rule: "self.all(key, key.matches('^[a-z]+$'))", message: 'keys must be letters' }],
    },
    when: { type: 'string', format: 'date-time' },
    quantity: {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [
        { rule: "type(self) == int ? self > 0 : self.endsWith('%')", message: 'a positive number or a percentage' },
      ],
    },
    url: {
      ...text,
      'x-kubernetes-validations': [
        { rule: "isURL(self) && url(self).getScheme() == 'https'", message: 'must be an https url' },
      ],
    },
    maybe: {
      type: 'object',
      properties: { deep: text },
      'x-kubernetes-validations': [{ rule: "self.?deep.orValue('x') != 'y'", message: 'deep must not be y' }],
    },
    pinned: {
      ...text,
      'x-kubernetes-validations': [
        { rule: 'oldSelf.hasValue() ? self == oldSelf.value() : true', optionalOldSelf: true, message: 'is pinned' },
      ],
    },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.min) || !has(self.max) || self.min <= self.max', message: 'min must not exceed max' },
    { rule: '!has(self.max) || self.max < 100', message: 'max is too great', fieldPath: '.max' },
    { rule: 'has(self.fixed) == has(oldSelf.fixed)', message: 'fixed cannot be added or removed' },
  ],
};

beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, {
    schema: {
      type: 'object',
      properties: {
        spec: specSchema,
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } },
      },
      'x-kubernetes-validations': [
        { rule: "!self.metadata.name.startsWith('forbidden')", message: 'name is forbidden' },
      ],
    },
  });
});
const create = (spec: unknown, name = 'x'): Promise<Answer> =>
  api.post(crd.at(namespace), crd.object(name, { spec }), { dryRun: 'All' });

describe('a rule', () => {
  const rows: readonly (readonly [string, Loose])[] = [
    ['across fields', { min: 5, max: 3 }],
    ['with a fieldPath', { max: 200 }],
    ['of two that both fail', { min: 500, max: 200 }],
    ['on a string', { name: 'b' }],
    ['with a messageExpression', { limit: 9 }],
    ['without a message', { plain: 3 }],
    ['with a reason', { reasoned: 'dup' }],
    ['on a list', { list: ['aa', 'aa'] }],
    ['on an element', { list: ['aa', 'b'] }],
    ['on keys of a map', { labels: { a1: 'x' } }],
    ['on int-or-string as a number', { quantity: -1 }],
    ['on int-or-string as text', { quantity: 'many' }],
    ['on a URL', { url: 'http://example.com' }],
    ['on a text that is no URL', { url: 'nothing' }],
    ['on an optional field', { maybe: { deep: 'y' } }],
  ];
  test.each(rows)('%s refuses', async (name, spec) => {
    const answer = await create(spec);
    expect(answer.status).toBe(422);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden(name));
  });

  test('on the root sees the name of the object', async () => {
    const answer = await create({}, 'forbidden-one');
    expect(answer.status).toBe(422);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden('on the root'));
  });

  test('that holds lets the object pass', async () => {
    const spec = {
      min: 1,
      max: 99,
      name: 'ab',
      limit: 5,
      plain: 4,
      list: ['aa', 'bb'],
      labels: { a: 'x' },
      quantity: '5%',
      url: 'https://example.com/a',
      maybe: {},
    };
    const { status, body } = await create(spec);
    expect(body.message).toBeUndefined();
    expect(status).toBe(201);
  });

  test('is not tried when the schema already refuses the type', async () => {
    const answer = await create({ limit: 'nine' });
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden('type first'));
  });
});

describe('a transition rule', () => {
  test('is skipped on create and holds on update', async () => {
    const name = uniqueName('t');
    const path = `${crd.at(namespace)}/${name}`;
    expect((await api.post(crd.at(namespace), crd.object(name, { spec: { fixed: 'one', pinned: 'p' } }))).status).toBe(
      201,
    );
    const answers = {
      change: await api.patch(path, 'merge', { spec: { fixed: 'two' } }),
      removal: await api.patch(path, 'merge', { spec: { fixed: null } }),
      pin: await api.patch(path, 'merge', { spec: { pinned: 'q' } }),
    };
    for (const [key, answer] of Object.entries(answers)) {
      expect(answer.status).toBe(422);
      expect(maskedAnswer(answer, { [crd.group]: '<group>', [name]: '<name>' })).toEqual(golden(`transition ${key}`));
    }
    expect((await api.patch(path, 'merge', { spec: { fixed: 'one', min: 1 } })).status).toBe(200);
  });
});

describe('ratcheting', () => {
  test('lets an unchanged value stay that a new rule would refuse', async () => {
    const name = uniqueName('r');
    const own = await createCrd(api, {
      spec: { type: 'object', properties: { old: { type: 'string' }, other: { type: 'integer' } } },
    });
    await api.post(own.at(namespace), own.object(name, { spec: { old: 'toolong' } }));
    const { body } = await api.get(own.crdPath);
    body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.old.maxLength = 3;
    await api.put(own.crdPath, body);
    const path = `${own.at(namespace)}/${name}`;
    // The new schema is in force when a new value is refused.
    const until = Date.now() + 10_000;
    while (
      (await api.patch(path, 'merge', { spec: { old: 'stilltoolong' } }, { dryRun: 'All' })).status !== 422 &&
      Date.now() < until
    );
    expect((await api.patch(path, 'merge', { spec: { other: 1 } })).status).toBe(200);
    expect((await api.patch(path, 'merge', { spec: { old: 'longer' } })).status).toBe(422);
  });
});

describe('a CRD that is wrong is refused', () => {
  const spec = (more: Loose): Loose => ({ type: 'object', properties: { a: more } });
  const rows: readonly (readonly [string, (manifest: Loose) => void])[] = [
    ['a name that is not plural.group', (m) => void (m.metadata.name = 'wrong')],
    ['a group without dot', (m) => void (m.spec.group = 'nodot')],
    ['no version', (m) => void (m.spec.versions = [])],
    ['two storage versions', (m) => void m.spec.versions.push({ ...m.spec.versions[0], name: 'v2' })],
    ['no storage version', (m) => void (m.spec.versions[0].storage = false)],
    ['no schema', (m) => void delete m.spec.versions[0].schema],
    ['an unknown scope', (m) => void (m.spec.scope = 'Galaxy')],
    ['no kind', (m) => void delete m.spec.names.kind],
    ['an upper case plural', (m) => void (m.spec.names.plural = 'Rivers')],
    ['a property without type', (m) => void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({}))],
    [
      'a default of the wrong type',
      (m) => void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({ type: 'integer', default: 'x' })),
    ],
    [
      'a rule that does not compile',
      (m) =>
        void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({
          ...text,
          'x-kubernetes-validations': [{ rule: 'self.nothing(' }],
        })),
    ],
    [
      'a rule of the wrong type',
      (m) =>
        void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({
          ...text,
          'x-kubernetes-validations': [{ rule: 'self' }],
        })),
    ],
    [
      'a pattern that is no RE2',
      (m) =>
        void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({ type: 'string', pattern: '(?=a)' })),
    ],
    [
      'a list map without keys',
      (m) =>
        void (m.spec.versions[0].schema.openAPIV3Schema.properties.spec = spec({
          type: 'array',
          'x-kubernetes-list-type': 'map',
          items: { type: 'object', properties: {} },
        })),
    ],
    [
      'a reserved group',
      (m) => {
        m.spec.group = 'x.k8s.io';
        m.metadata.name = 'rivers.x.k8s.io';
      },
    ],
    ['an unknown conversion strategy', (m) => void (m.spec.conversion = { strategy: 'Magic' })],
    [
      'a selectable field that is not there',
      (m) => void (m.spec.versions[0].selectableFields = [{ jsonPath: '.spec.nothing' }]),
    ],
  ];
  test.each(rows)('for %s', async (name, spoil) => {
    const group = `${uniqueName('conf')}.example.com`;
    const manifest = crdManifest(group);
    spoil(manifest);
    const answer = await api.post(crdsPath, manifest, { dryRun: 'All' });
    expect(answer.status).toBe(422);
    expect(withoutCompilerText(maskedAnswer(answer, { [group]: '<group>' }))).toEqual(golden(`refused: ${name}`));
  });
});

// What is wrong with a rule is said in the words of a compiler; the field and the reason are the contract.
function withoutCompilerText(answer: Loose): Loose {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\{\\*"Rule.*?(?=","(reason|field)")/g, '<compiler>'));
}
