import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('rbac');
const rbac = '/apis/rbac.authorization.k8s.io/v1';
let namespace = '';
let account: Account;
beforeAll(async () => {
  namespace = await createNamespace(api);
  account = await createAccount(api, namespace);
});
const roleRef = (kind: string, name: string): Loose => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

describe('what a rule allows', () => {
  const rule = (more: Loose): Loose => ({ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], ...more });
  const ask = (more: Loose = {}): Loose => ({ resourceAttributes: { verb: 'get', resource: 'configmaps', ...more } });
  const path = (url: string, verb = 'get'): Loose => ({ nonResourceAttributes: { path: url, verb } });
  const cases: readonly (readonly [string, Loose, readonly Loose[]])[] = [
    ['one verb', rule({}), [ask(), ask({ verb: 'list' }), ask({ verb: '*' }), ask({ namespace: 'x' })]],
    ['all verbs', rule({ verbs: ['*'] }), [ask(), ask({ verb: 'whatever' }), ask({ verb: '*' })]],
    [
      'one group',
      rule({ apiGroups: ['apps'] }),
      [ask(), ask({ group: 'apps' }), ask({ group: 'apps', version: 'v9' })],
    ],
    ['all groups', rule({ apiGroups: ['*'] }), [ask(), ask({ group: 'anything' }), ask({ group: '*' })]],
    [
      'all resources',
      rule({ resources: ['*'] }),
      [ask(), ask({ resource: 'pods', subresource: 'log' }), ask({ resource: '*' })],
    ],
    [
      'one subresource',
      rule({ resources: ['pods/log'] }),
      [
        ask({ resource: 'pods' }),
        ask({ resource: 'pods', subresource: 'log' }),
        ask({ resource: 'pods', subresource: 'exec' }),
      ],
    ],
    [
      'a subresource of all',
      rule({ resources: ['*/scale'] }),
      [
        ask({ resource: 'a', subresource: 'scale' }),
        ask({ resource: 'a' }),
        ask({ resource: 'a', subresource: 'status' }),
      ],
    ],
    ['no part of a resource', rule({}), [ask({ subresource: 'status' })]],
    [
      'named objects',
      rule({ resourceNames: ['a', 'b'] }),
      [ask({ name: 'a' }), ask({ name: 'c' }), ask(), ask({ name: '*' })],
    ],
    [
      'a path',
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
      [path('/metrics'), path('/metrics', 'post'), path('/metrics/x')],
    ],
    [
      'paths below',
      { nonResourceURLs: ['/logs/*', '/x*'], verbs: ['get'] },
      [path('/logs/a/b'), path('/logs/'), path('/logs'), path('/xyz')],
    ],
    ['all paths', { nonResourceURLs: ['*'], verbs: ['*'] }, [path('/anything', 'delete'), ask()]],
  ];
  test.each(cases)('%s', async (name, given, questions) => {
    const holder = await createAccount(api, namespace);
    await holder.grant([given]);
    const answers = await Promise.all(questions.map(async (question) => (await holder.may(question)).allowed));
    expect(answers).toEqual(golden(`rule for ${name}`));
  });
});

describe('bindings', () => {
  test('of a namespace give rights there alone, and deletion takes them back', async () => {
    const name = uniqueName('reader');
    const roles = `${rbac}/namespaces/${namespace}`;
    await api.post(`${roles}/roles`, {
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    // An account without a namespace is one of the binding's own.
    const subjects = [{ kind: 'ServiceAccount', name: account.name }];
    const made = await api.post(`${roles}/rolebindings`, {
      metadata: { name },
      roleRef: roleRef('Role', name),
      subjects: [{ ...subjects[0], namespace }],
    });
    expect(made.status).toBe(201);
    const list = (where: string): Promise<number> =>
      account.send({ method: 'GET', path: `/api/v1/${where}configmaps` }).then(({ status }) => status);
    await eventually(
      () => list(`namespaces/${namespace}/`),
      (status) => status === 200,
    );
    expect([await list(''), await list('namespaces/default/')]).toEqual([403, 403]);
    await api.del(`${roles}/rolebindings/${name}`);
    await eventually(
      () => list(`namespaces/${namespace}/`),
      (status) => status === 403,
    );
  });

  test('of a ClusterRole in a namespace, to the group of its accounts', async () => {
    const name = uniqueName('viewers');
    const subjects = [{ kind: 'Group', name: `system:serviceaccounts:${namespace}` }];
    await api.post(`${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: roleRef('ClusterRole', 'view'),
      subjects,
    });
    const path = `/api/v1/namespaces/${namespace}`;
    await eventually(
      () => account.send({ method: 'GET', path: `${path}/pods` }),
      ({ status }) => status === 200,
    );
    expect((await account.send({ method: 'GET', path })).status).toBe(200);
    const secrets = await account.send({ method: 'GET', path: `${path}/secrets` });
    expect(secrets.status).toBe(403);
    const made = await account.send({ method: 'POST', path: `${path}/configmaps`, body: { metadata: { name: 'x' } } });
    expect(made.status).toBe(403);
  });

  test('of roles that are not there are named in the refusal', async () => {
    const holder = await createAccount(api, namespace);
    const name = uniqueName('dangling');
    const subjects = [{ kind: 'ServiceAccount', name: holder.name, namespace }];
    const shown = { [holder.name]: '<account>', [namespace]: '<namespace>', [name]: '<gone>' };
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: roleRef('ClusterRole', name),
      subjects,
    });
    const first = await eventually(
      () => holder.send({ method: 'GET', path: '/api/v1/secrets' }),
      ({ body }) => body.message.includes('RBAC'),
    );
    expect(maskedAnswer(first, shown)).toEqual(golden('one role that is not there'));
    await api.post(`${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: roleRef('Role', name),
      subjects,
    });
    const second = await eventually(
      () => holder.send({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets` }),
      ({ body }) => body.message.includes('['),
    );
    expect(maskedAnswer(second, shown)).toEqual(golden('two roles that are not there'));
    const rules = {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      body: { spec: { namespace: 'default' } },
    };
    expect((await holder.send(rules)).body.status.evaluationError.replace(name, '<gone>')).toEqual(
      golden('rules with one missing'),
    );
    await api.del(`${rbac}/clusterrolebindings/${name}`);
  });
});

describe('roles that every cluster is born with', () => {
  const bootstrap = 'kubernetes.io/bootstrapping=rbac-defaults';
  test.each(['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'])('%s', async (resource) => {
    // The controller of the real server may still be gathering.
    const { body } = await eventually(
      () => api.get(`${rbac}/${resource}`, { labelSelector: bootstrap }),
      ({ body }) => body.items.every((item: Loose) => item.aggregationRule === undefined || item.rules !== null),
    );
    const items = body.items.map((item: Loose) => {
      const { creationTimestamp, uid, resourceVersion, managedFields, ...metadata } = item.metadata;
      expect([creationTimestamp, uid, resourceVersion].every((value) => typeof value === 'string')).toBe(true);
      expect(managedFields === undefined || Array.isArray(managedFields)).toBe(true);
      return { ...item, metadata };
    });
    expect(items).toEqual(golden(`born with ${resource}`));
  });
});

describe('a ClusterRole that gathers others', () => {
  const lakes = [{ apiGroups: ['x.test'], resources: ['lakes'], verbs: ['get'] }];
  const roles = `${rbac}/clusterroles`;
  const rulesOf = async (name: string): Promise<readonly Loose[]> =>
    (await api.get(`${roles}/${name}`)).body.rules ?? [];

  test('does not gather from itself, and leaves rules alone where there is nothing to gather', async () => {
    const [self, leaf, lonely] = [uniqueName('self'), uniqueName('leaf'), uniqueName('lonely')];
    const gathers = (label: string): Loose => ({ clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] });
    const labels = { [self]: 'true' };
    const written = [{ ...lakes[0], verbs: ['list'] }];
    await api.post(roles, { metadata: { name: lonely }, aggregationRule: gathers(lonely), rules: written });
    await api.post(roles, { metadata: { name: leaf, labels }, rules: lakes });
    await api.post(roles, { metadata: { name: self, labels }, aggregationRule: gathers(self), rules: [] });
    const count = (wanted: number) => (found: readonly Loose[]) => found.length === wanted;
    expect(await eventually(() => rulesOf(self), count(1))).toEqual(lakes);
    await api.del(`${roles}/${leaf}`);
    expect(await eventually(() => rulesOf(self), count(0))).toEqual([]);
    expect(await rulesOf(lonely)).toEqual(written);
    for (const name of [self, lonely]) await api.del(`${roles}/${name}`);
  });

  test('follows them, and through them still others', async () => {
    const mark = uniqueName('gather');
    const [leaf, middle, top] = [uniqueName('leaf'), uniqueName('middle'), uniqueName('top')];
    const gathers = (label: string): Loose => ({ clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] });
    const rules = lakes;
    await api.post(roles, { metadata: { name: top }, aggregationRule: gathers(`${mark}-2`), rules: [] });
    await api.post(roles, {
      metadata: { name: middle, labels: { [`${mark}-2`]: 'true' } },
      aggregationRule: gathers(`${mark}-1`),
      rules: [],
    });
    await api.post(roles, { metadata: { name: leaf, labels: { [`${mark}-1`]: 'true' } }, rules });
    const seen = (): Promise<Loose> => api.get(`${roles}/${top}`).then(({ body }) => masked(body.rules));
    expect(await eventually(seen, (found) => found?.length === 1)).toEqual(rules);
    await api.patch(`${roles}/${top}`, 'merge', { rules: [] });
    expect(await eventually(seen, (found) => found?.length === 1)).toEqual(rules);
    await api.del(`${roles}/${leaf}`);
    expect(await eventually(seen, (found) => !found || found.length === 0)).toEqual(golden('nothing left to gather'));
    for (const name of [middle, top]) await api.del(`${roles}/${name}`);
  });
});
