import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createNamespace } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('auth-reviews');
const group = '/apis/authorization.k8s.io/v1';
let namespace = '';
let account: Account;
beforeAll(async () => {
  namespace = await createNamespace(api);
  account = await createAccount(api, namespace);
  await account.grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]);
});
const shown = (answer: Answer): Loose =>
  JSON.parse(
    JSON.stringify(maskedAnswer(answer, { [account.name]: '<account>', [namespace]: '<namespace>' })).replaceAll(
      /role-[0-9a-f]{8}/g,
      '<role>',
    ),
  );
const pods = { verb: 'list', resource: 'pods', namespace: 'default' };
const path = { path: '/healthz', verb: 'get' };

describe('may I', () => {
  const questions: readonly (readonly [string, Loose])[] = [
    ['something that I may not', { spec: { resourceAttributes: pods } }],
    ['something that I may', { spec: { resourceAttributes: { ...pods, resource: 'configmaps' } } }],
    ['a part of it', { spec: { resourceAttributes: { ...pods, resource: 'configmaps', subresource: 'status' } } }],
    [
      'ask for myself',
      {
        spec: {
          resourceAttributes: { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
        },
      },
    ],
    ['a selection', { spec: { resourceAttributes: { ...pods, fieldSelector: { rawSelector: 'a=b' } } } }],
    [
      'selections that cannot be read',
      {
        spec: {
          resourceAttributes: { ...pods, fieldSelector: { rawSelector: 'a' }, labelSelector: { rawSelector: '!!' } },
        },
      },
    ],
    ['selections that are empty', { spec: { resourceAttributes: { ...pods, fieldSelector: {}, labelSelector: {} } } }],
    [
      'a selection in two forms',
      {
        spec: {
          resourceAttributes: {
            ...pods,
            fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
        },
      },
    ],
    ['a path that nobody may', { spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } }],
    ['nothing', { spec: {} }],
    ['without a spec', {}],
    ['both', { spec: { resourceAttributes: pods, nonResourceAttributes: path } }],
    ['with a wrong type', { spec: { resourceAttributes: 'x' } }],
  ];
  test.each(questions)('%s', async (name, review) => {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', ...review };
    const answer = await account.send({ method: 'POST', path: `${group}/selfsubjectaccessreviews`, body });
    expect(shown(answer)).toEqual(golden(`may I ${name}`));
  });

  const requirements: readonly (readonly [string, Loose])[] = [
    ['one value', { key: 'a', operator: 'In', values: ['b'] }],
    ['two values', { key: 'a', operator: 'In', values: ['b', 'c'] }],
    ['no values', { key: 'a', operator: 'NotIn' }],
    ['existence', { key: 'a', operator: 'Exists' }],
    ['existence with values', { key: 'a', operator: 'DoesNotExist', values: ['b'] }],
    ['an operator of later', { key: 'a', operator: 'Gt', values: ['1'] }],
    ['no key', { operator: 'Exists' }],
    ['a wrong key', { key: 'a b', operator: 'Exists' }],
    ['no operator', { key: 'a' }],
    ['a wrong value', { key: 'a', operator: 'In', values: ['b b'] }],
  ];
  test.each(requirements)('a selection by %s', async (name, requirement) => {
    const first = { key: 'x', operator: 'In', values: ['y'] };
    for (const selector of ['fieldSelector', 'labelSelector']) {
      for (const [title, list] of [
        ['alone', [requirement]],
        ['beside another', [first, requirement]],
      ] as const) {
        const body = { spec: { resourceAttributes: { ...pods, [selector]: { requirements: list } } } };
        const answer = await account.send({ method: 'POST', path: `${group}/selfsubjectaccessreviews`, body });
        expect(shown(answer)).toEqual(golden(`${selector} by ${name} ${title}`));
      }
    }
  });

  test('a path that everybody may', async () => {
    const { allowed, reason } = await account.may({ nonResourceAttributes: path });
    expect(allowed).toBe(true);
    expect(reason).toMatch(/^RBAC: allowed by ClusterRoleBinding "system:(discovery|public-info-viewer)" of /);
  });

  test('with a field that is not known', async () => {
    const body = { spec: { resourceAttributes: pods, x: 1 } };
    const query = { fieldValidation: 'Strict' };
    expect(shown(await api.post(`${group}/selfsubjectaccessreviews`, body, query))).toEqual(golden('unknown field'));
    const warned = await api.post(`${group}/selfsubjectaccessreviews`, body, { fieldValidation: 'Warn' });
    expect(shown(warned)).toEqual(golden('unknown field, warned'));
  });

  test('as an administrator', async () => {
    const { body } = await api.post(`${group}/selfsubjectaccessreviews`, { spec: { resourceAttributes: pods } });
    expect(body.status).toEqual({ allowed: true });
  });

  test('without credentials nobody asks', async () => {
    const call = { method: 'POST', path: `${group}/selfsubjectaccessreviews`, body: {} };
    expect(shown(await api.send({ ...call, headers: { authorization: '' } }))).toEqual(golden('anonymous question'));
  });
});

describe('may somebody', () => {
  const questions: readonly (readonly [string, Loose])[] = [
    ['unknown', { user: 'x', resourceAttributes: pods }],
    ['of a group', { user: 'x', groups: ['system:masters'], resourceAttributes: pods }],
    ['who is only a group', { groups: ['system:masters'], resourceAttributes: pods }],
    ['who is nobody', { resourceAttributes: pods }],
    ['with a uid and extras', { user: 'x', uid: 'u', extra: { a: ['b'] }, resourceAttributes: pods }],
    [
      'of the system',
      {
        user: 'system:serviceaccount:kube-system:cronjob-controller',
        resourceAttributes: { verb: 'get', group: 'batch', resource: 'cronjobs' },
      },
    ],
    [
      'of the system in its namespace',
      {
        user: 'system:serviceaccount:kube-system:token-cleaner',
        resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'kube-system' },
      },
    ],
    ['on a path', { user: 'x', groups: ['system:unauthenticated'], nonResourceAttributes: path }],
  ];
  test.each(questions)('%s', async (name, spec) => {
    expect(shown(await api.post(`${group}/subjectaccessreviews`, { spec }))).toEqual(golden(`may somebody ${name}`));
  });

  test('is asked by those who may', async () => {
    const body = { spec: { user: 'x', resourceAttributes: pods } };
    const answer = await account.send({ method: 'POST', path: `${group}/subjectaccessreviews`, body });
    expect(shown(answer)).toEqual(golden('asked by an account'));
  });
});

describe('may somebody in a namespace', () => {
  const local = `${group}/namespaces/default/localsubjectaccessreviews`;
  const questions: readonly (readonly [string, Loose])[] = [
    ['the namespace of the path', { spec: { user: 'x', resourceAttributes: pods } }],
    ['the same in metadata', { metadata: { namespace: 'default' }, spec: { user: 'x', resourceAttributes: pods } }],
    ['another in the question', { spec: { user: 'x', resourceAttributes: { ...pods, namespace: 'o' } } }],
    ['another in metadata', { metadata: { namespace: 'o' }, spec: { user: 'x', resourceAttributes: pods } }],
    ['a path', { spec: { user: 'x', nonResourceAttributes: path } }],
    ['none', { spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } } }],
  ];
  test.each(questions)('%s', async (name, body) => {
    expect(shown(await api.post(local, body))).toEqual(golden(`locally ${name}`));
  });

  test('is not asked of the whole cluster', async () => {
    expect(shown(await api.post(`${group}/localsubjectaccessreviews`, {}))).toEqual(golden('locally without one'));
  });
});

describe('what may I', () => {
  // The real server reads bindings in an order of chance, and writes fields in that of Go.
  const sorted = (rules: readonly Loose[]): readonly string[] =>
    rules
      .map(({ verbs, apiGroups, resources, nonResourceURLs }) =>
        JSON.stringify({ verbs, apiGroups, resources, nonResourceURLs }),
      )
      .toSorted();
  test('do in a namespace', async () => {
    const call = { method: 'POST', path: `${group}/selfsubjectrulesreviews`, body: { spec: { namespace: 'default' } } };
    const { status, body } = await account.send(call);
    expect(status).toBe(201);
    const { resourceRules, nonResourceRules, ...rest } = body.status;
    expect([sorted(resourceRules), sorted(nonResourceRules), rest, body.spec]).toEqual(golden('rules'));
  });

  test('do where nothing is said', async () => {
    expect(shown(await api.post(`${group}/selfsubjectrulesreviews`, { spec: {} }))).toEqual(golden('rules of nowhere'));
  });
});
