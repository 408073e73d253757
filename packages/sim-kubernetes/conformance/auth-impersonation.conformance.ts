import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createNamespace } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api, server } = useServer();
const golden = useGolden('auth-impersonation');
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const authentication = 'authentication.k8s.io';
let namespace = '';
let nobody: Account;
beforeAll(async () => {
  namespace = await createNamespace(api);
  nobody = await createAccount(api, namespace);
});
type Headers = Readonly<Record<string, string>>;
const shown = (answer: Answer, account = nobody): Loose =>
  maskedAnswer(answer, { [account.name]: '<account>', [namespace]: '<namespace>' });

describe('an administrator acts as', () => {
  const others: readonly (readonly [string, Headers])[] = [
    ['a user', { 'impersonate-user': 'jane' }],
    ['a user of a group', { 'impersonate-user': 'jane', 'impersonate-group': 'a, b' }],
    [
      'a user with everything',
      { 'impersonate-user': 'jane', 'impersonate-uid': 'u1', 'impersonate-extra-acme.com%2fProject': 'x' },
    ],
    ['a user with an odd extra', { 'impersonate-user': 'jane', 'impersonate-extra-A%42c': 'x' }],
    ['an account', { 'impersonate-user': 'system:serviceaccount:default:robot' }],
    [
      'an account of another group',
      { 'impersonate-user': 'system:serviceaccount:default:robot', 'impersonate-group': 'g' },
    ],
    ['a node', { 'impersonate-user': 'system:node:n1' }],
    ['an administrator', { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' }],
    ['nobody', { 'impersonate-user': 'system:anonymous' }],
    ['somebody unknown', { 'impersonate-user': 'x', 'impersonate-group': 'system:unauthenticated' }],
    ['a group without a user', { 'impersonate-group': 'g' }],
    ['a uid and extras without a user', { 'impersonate-uid': 'u', 'impersonate-extra-a': 'b' }],
  ];
  test.each(others)('%s', async (name, headers) => {
    const answer = await api.send({ method: 'POST', path: whoAmI, body: {}, headers });
    expect(maskedAnswer(answer)).toEqual(golden(`as ${name}`));
  });

  test('a user of several groups, one header for each', async () => {
    const { url, ca, token } = server().endpoint;
    const groups = await whoWithGroups({ url, ca, token }, ['a, b', 'c']);
    expect(groups).toEqual(['a, b', 'c', 'system:authenticated']);
  });
});

describe('without the right to it nobody acts as', () => {
  const wishes: readonly (readonly [string, string, Headers])[] = [
    ['a user', '/api/v1/namespaces/default/configmaps', { 'impersonate-user': 'jane' }],
    ['a user on a path', '/api', { 'impersonate-user': 'jane' }],
    ['an account', '/api/v1/namespaces/default/configmaps/a', { 'impersonate-user': 'system:serviceaccount:x:y' }],
    ['an account of a group', '/api', { 'impersonate-user': 'system:serviceaccount:x:y', 'impersonate-group': 'g' }],
    ['a node', '/api/v1/pods', { 'impersonate-user': 'system:node:n1' }],
  ];
  test.each(wishes)('%s', async (name, path, headers) => {
    const answer = await nobody.send({ method: 'GET', path, headers });
    expect(answer.status).toBe(403);
    expect(shown(answer)).toEqual(golden(`refused as ${name}`));
  });
});

describe('with a right of the old kind', () => {
  let account: Account;
  beforeAll(async () => {
    account = await createAccount(api, namespace);
    const verbs = ['impersonate'];
    await account.grant([
      { apiGroups: [''], resources: ['users'], verbs, resourceNames: ['jane'] },
      { apiGroups: [''], resources: ['groups'], verbs, resourceNames: ['devs'] },
      { apiGroups: [authentication], resources: ['userextras/scopes'], verbs, resourceNames: ['a'] },
    ]);
    // The way that worked last is the one whose refusal is told.
    await account.send({ method: 'POST', path: whoAmI, body: {}, headers: { 'impersonate-user': 'jane' } });
  });

  const wishes: readonly (readonly [string, Headers])[] = [
    ['that user', {}],
    ['that group', { 'impersonate-group': 'devs' }],
    ['another group', { 'impersonate-group': 'ops' }],
    ['that extra', { 'impersonate-extra-scopes': 'a' }],
    ['another extra', { 'impersonate-extra-scopes': 'b' }],
    ['a uid', { 'impersonate-uid': 'u' }],
    ['another user', { 'impersonate-user': 'john' }],
  ];
  test.each(wishes)('somebody asks for %s', async (name, more) => {
    const headers = { 'impersonate-user': 'jane', ...more };
    const answer = await account.send({ method: 'POST', path: whoAmI, body: {}, headers });
    expect(shown(answer, account)).toEqual(golden(`old right: ${name}`));
  });

  test('what is done is judged by the rights of the other', async () => {
    const call = { method: 'GET', path: '/api/v1/namespaces/default/configmaps' };
    const answer = await account.send({ ...call, headers: { 'impersonate-user': 'jane' } });
    expect(shown(answer, account)).toEqual(golden('what the other may not'));
  });
});

describe('with a right to act as accounts for one verb', () => {
  let account: Account;
  const robot = 'system:serviceaccount:default:robot';
  beforeAll(async () => {
    account = await createAccount(api, namespace);
    await account.grant([
      { apiGroups: [authentication], resources: ['serviceaccounts'], verbs: ['impersonate:serviceaccount'] },
      {
        apiGroups: [authentication],
        resources: ['selfsubjectreviews'],
        verbs: ['impersonate-on:serviceaccount:create'],
      },
    ]);
  });

  test('that verb is allowed', async () => {
    const headers = { 'impersonate-user': robot };
    const answer = await account.send({ method: 'POST', path: whoAmI, body: {}, headers });
    expect(answer.body.status.userInfo.username).toBe(robot);
  });

  test('others are not, nor other users', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const verb = await account.send({ method: 'GET', path, headers: { 'impersonate-user': robot } });
    expect(shown(verb, account)).toEqual(golden('narrow right: another verb'));
    const user = await account.send({
      method: 'POST',
      path: whoAmI,
      body: {},
      headers: { 'impersonate-user': 'jane' },
    });
    expect(shown(user, account)).toEqual(golden('narrow right: another user'));
  });
});

describe('with a right to act as all users and groups for one verb', () => {
  let account: Account;
  beforeAll(async () => {
    account = await createAccount(api, namespace);
    const verbs = ['impersonate:user-info'];
    await account.grant([
      { apiGroups: [authentication], resources: ['users', 'groups'], verbs },
      { apiGroups: [authentication], resources: ['userextras/acme.io/a'], verbs },
      { apiGroups: [authentication], resources: ['selfsubjectreviews'], verbs: ['impersonate-on:user-info:create'] },
    ]);
    await account.send({ method: 'POST', path: whoAmI, body: {}, headers: { 'impersonate-user': 'jane' } });
  });
  const wishes: readonly (readonly [string, Headers])[] = [
    ['a user', {}],
    ['a group', { 'impersonate-group': 'g' }],
    ['the administrators', { 'impersonate-group': 'system:masters' }],
    ['a group without a name', { 'impersonate-group': '' }],
    ['an extra', { 'impersonate-extra-acme.io%2fa': 'x' }],
    ['an extra without a value', { 'impersonate-extra-acme.io%2fa': '' }],
    ['an extra of nobody', { 'impersonate-extra-a': 'x' }],
    ['an extra in capitals', { 'impersonate-extra-acme.io%2f%41': 'x' }],
    ['another extra', { 'impersonate-extra-acme.io%2fb': 'x' }],
    ['a uid', { 'impersonate-uid': 'u' }],
    ['an account', { 'impersonate-user': 'system:serviceaccount:default:robot' }],
  ];
  test.each(wishes)('somebody asks for %s', async (name, more) => {
    const headers = { 'impersonate-user': 'jane', ...more };
    const answer = await account.send({ method: 'POST', path: whoAmI, body: {}, headers });
    expect(shown(answer, account)).toEqual(golden(`narrow right to users: ${name}`));
  });
});

/** The client of the suite sends each header once. */
async function whoWithGroups(
  { url, ca, token }: { readonly url: string; readonly ca: string; readonly token: string },
  groups: readonly string[],
): Promise<readonly string[]> {
  const { request } = await import('node:https');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'impersonate-user': 'jane',
    'impersonate-group': [...groups],
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(whoAmI, url), { method: 'POST', ca, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text).status.userInfo.groups));
    });
    outgoing.on('error', reject);
    outgoing.end('{}');
  });
}
