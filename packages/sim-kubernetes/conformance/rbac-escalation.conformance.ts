import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Call, Loose } from './kit/wire-client.ts';

// Somebody who may write roles and bindings, and reads ConfigMaps beside: that is all that can be given away.
const { api } = useServer();
const golden = useGolden('rbac-escalation');
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
let namespace = '';
let editor: Account;
beforeAll(async () => {
  namespace = await createNamespace(api);
  editor = await createAccount(api, namespace);
  await editor.grant([
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs },
    { apiGroups: [''], resources: ['configmaps', '*/scale'], verbs: ['get', 'list'] },
    { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
  ]);
});
const roles = (): string => `${rbac}/namespaces/${namespace}/roles`;
const shown = (answer: Answer, account = editor): Loose =>
  maskedAnswer(answer, { [account.name]: '<account>', [namespace]: '<namespace>' });
const read = (more: Loose = {}): Loose => ({ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], ...more });
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };

describe('a role', () => {
  const given: readonly (readonly [string, readonly Loose[]])[] = [
    ['of what one holds', [read()]],
    ['of a part of what one holds', [read({ resourceNames: ['a'] })]],
    ['of a subresource that one holds of all', [read({ resources: ['deployments/scale'] })]],
    ['of nothing', []],
    ['of everything', [everything]],
    ['of more verbs', [read({ verbs: ['get', 'list', 'delete', 'watch'] })]],
    [
      'of more groups and resources',
      [read({ apiGroups: ['', 'apps'], resources: ['secrets', 'pods/log'], verbs: ['get', 'list'] })],
    ],
    ['of more for some names', [read({ resourceNames: ['a', 'b'], verbs: ['get', 'delete'] })]],
    [
      'of several things that are not held',
      [read({ verbs: ['delete'] }), read({ verbs: ['watch'] }), read({ resources: ['pods'] })],
    ],
    ['that is not valid', [read({ verbs: [] })]],
  ];
  test.each(given)('%s', async (name, rules) => {
    const body = { metadata: { name: uniqueName('role') }, rules };
    const answer = await editor.send({ method: 'POST', path: roles(), body });
    expect(JSON.parse(JSON.stringify(shown(answer)).replaceAll(body.metadata.name, '<role>'))).toEqual(
      golden(`role ${name}`),
    );
  });

  const clusterWide: readonly (readonly [string, Loose])[] = [
    [
      'of paths that one holds',
      { metadata: { name: 'held-paths' }, rules: [{ nonResourceURLs: ['/logs/a'], verbs: ['get'] }] },
    ],
    [
      'of other paths',
      { metadata: { name: 'other-paths' }, rules: [{ nonResourceURLs: ['/metrics', '/logs/a'], verbs: ['get'] }] },
    ],
    [
      'without a name',
      { metadata: { generateName: 'other-paths-' }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
    ],
    [
      'that gathers others',
      {
        metadata: { name: 'gathers' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        rules: [],
      },
    ],
    ['with a name that is not valid', { metadata: { name: 'a/b' }, rules: [everything] }],
  ];
  test.each(clusterWide)('of the whole cluster %s', async (name, body) => {
    const answer = await editor.send({ method: 'POST', path: `${rbac}/clusterroles`, body, query: { dryRun: 'All' } });
    expect(shown(answer)).toEqual(golden(`cluster role ${name}`));
  });

  test('is changed by the same rules', async () => {
    await api.post(roles(), { metadata: { name: 'changed' }, rules: [read()] });
    const path = `${roles()}/changed`;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const put = (name: string, rules: readonly Loose[]): Call => ({
      method: 'PUT',
      path: `${roles()}/${name}`,
      body: { metadata: { name }, rules },
    });
    expect(shown(await editor.send(put('changed', [everything])))).toEqual(golden('PUT of more'));
    expect(shown(await editor.send(put('created', [everything])))).toEqual(golden('PUT that creates more'));
    expect(shown(await editor.send(put('created', [read()])))).toEqual(golden('PUT that creates what is held'));
    const patch = { method: 'PATCH', path, headers: merge, body: { rules: [everything] } };
    expect(shown(await editor.send(patch))).toEqual(golden('PATCH of more'));
    const gone = { ...patch, path: `${roles()}/nothing` };
    expect(shown(await editor.send(gone))).toEqual(golden('PATCH of nothing'));
  });

  test('that gathers others stays one', async () => {
    const name = uniqueName('gathering');
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [name]: 'true' } }] };
    await api.post(`${rbac}/clusterroles`, { metadata: { name }, aggregationRule, rules: [] });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const call = { method: 'PATCH', path: `${rbac}/clusterroles/${name}`, headers, body: { aggregationRule: null } };
    const answer = await editor.send(call);
    expect(JSON.parse(JSON.stringify(shown(answer)).replaceAll(name, '<role>'))).toEqual(golden('no longer gathering'));
  });

  test('of more than one holds may only be let go by its owners', async () => {
    await api.post(roles(), { metadata: { name: 'great' }, rules: [everything] });
    const patch = (body: Loose): Promise<Answer> =>
      editor.send({
        method: 'PATCH',
        path: `${roles()}/great`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body,
      });
    expect(shown(await patch({ metadata: { labels: { a: 'b' } } }))).toEqual(golden('label on more'));
    expect((await patch({ metadata: { finalizers: ['x.test/hold'] } })).status).toBe(200);
    expect((await patch({ metadata: { finalizers: null } })).status).toBe(200);
  });
});

describe('a binding', () => {
  const reference = (kind: string, name: string): Loose => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const subjects = [{ kind: 'User', name: 'z', apiGroup: 'rbac.authorization.k8s.io' }];
  const local: readonly (readonly [string, Loose])[] = [
    ['of everything', reference('ClusterRole', 'cluster-admin')],
    ['of a role that is not there', reference('Role', 'nothing')],
    ['of a cluster role that is not there', reference('ClusterRole', 'nothing')],
    ['of another kind', reference('Nothing', 'nothing')],
    ['of what one holds', reference('ClusterRole', 'system:public-info-viewer')],
  ];
  test.each(local)('in a namespace %s', async (name, roleRef) => {
    const path = `${rbac}/namespaces/${namespace}/rolebindings`;
    const body = { metadata: { name: 'bound' }, roleRef, subjects };
    const answer = await editor.send({ method: 'POST', path, body, query: { dryRun: 'All' } });
    expect(shown(answer)).toEqual(golden(`binding ${name}`));
  });

  const global: readonly (readonly [string, Loose])[] = [
    ['of everything', reference('ClusterRole', 'cluster-admin')],
    ['of nothing', reference('ClusterRole', 'nothing')],
    ['of a role of a namespace', reference('Role', 'nothing')],
    ['of what one holds', reference('ClusterRole', 'system:public-info-viewer')],
  ];
  test.each(global)('in the whole cluster %s', async (name, roleRef) => {
    const body = { metadata: { name: 'bound' }, roleRef, subjects };
    const answer = await editor.send({
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body,
      query: { dryRun: 'All' },
    });
    expect(shown(answer)).toEqual(golden(`cluster binding ${name}`));
  });
});

test('who may escalate and bind gives what they do not hold', async () => {
  const chief = await createAccount(api, namespace);
  await chief.grant([
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: [...verbs, 'escalate', 'bind'] },
  ]);
  const dryRun = { dryRun: 'All' };
  const role = { metadata: { name: 'great' }, rules: [everything] };
  const made = await chief.send({ method: 'POST', path: `${rbac}/clusterroles`, body: role, query: dryRun });
  expect(made.status).toBe(201);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const body = { metadata: { name: 'great' }, roleRef, subjects: [] };
  const bound = await chief.send({ method: 'POST', path: `${rbac}/clusterrolebindings`, body, query: dryRun });
  expect(bound.status).toBe(201);
});

test('a role that is not there is named beside what is missing', async () => {
  const other = await createAccount(api, namespace);
  await other.grant([{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] }]);
  const name = uniqueName('dangling');
  const subjects = [{ kind: 'ServiceAccount', name: other.name, namespace }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await api.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  const body = { metadata: { name: 'more' }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] };
  const answer = await eventually(
    () => other.send({ method: 'POST', path: `${rbac}/clusterroles`, body }),
    (found) => found.body.message.includes('resolution'),
  );
  expect(JSON.parse(JSON.stringify(shown(answer, other)).replaceAll(name, '<gone>'))).toEqual(golden('missing role'));
  await api.del(`${rbac}/clusterrolebindings/${name}`);
});
