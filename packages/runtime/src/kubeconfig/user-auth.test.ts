import { expect, test } from 'vitest';
import { loadClusterAccess } from './load-cluster-access.ts';
import { createWorld, headersOf, load, oneContext, pemData } from './testing/test-access.ts';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Never' };
const certificate = { 'client-certificate-data': pemData, 'client-key-data': pemData };

const users: readonly (readonly [string, object, unknown])[] = [
  ['nothing', {}, {}],
  ['a token', { token: 't' }, { authorization: 'Bearer t' }],
  ['user and password', { username: 'u', password: 'p:q' }, { authorization: basic('u:p:q') }],
  ['a password alone', { password: 'p' }, { authorization: basic(':p') }],
  ['a token file', { tokenFile: 'token' }, { authorization: 'Bearer from-file' }],
  ['a token file before a token', { tokenFile: 'token', token: 't' }, { authorization: 'Bearer from-file' }],
  ['a token beside an exec plugin, which is not run', { token: 't', exec }, { authorization: 'Bearer t' }],
  ['a certificate beside an exec plugin, which is not run', { ...certificate, exec }, {}],
  [
    'a token beside an old auth provider',
    { token: 't', 'auth-provider': { name: 'x' } },
    { authorization: 'Bearer t' },
  ],
  [
    'somebody else',
    {
      token: 't',
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'Example.org/Scopes': ['x', 'y'] },
    },
    {
      authorization: 'Bearer t',
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.org%2Fscopes': ['x', 'y'],
    },
  ],
];

for (const [name, user, headers] of users) {
  test(`a user with ${name} sends ${JSON.stringify(headers)}`, async () => {
    const access = await load(oneContext({}, user), { files: { '/home/me/.kube/token': 'from-file\n' } });
    expect(await headersOf(access)).toEqual(headers);
  });
}

test('acting as somebody else keeps credentials the same object until they change, and hands on refusals', async () => {
  const config = oneContext({}, { tokenFile: 'token', as: 'jane' });
  const { deps, files } = createWorld({ files: { '/home/me/.kube/config': config, '/home/me/.kube/token': 'one' } });
  const { auth } = await loadClusterAccess({}, deps);
  const first = await auth.credentials();
  expect(await auth.credentials()).toBe(first);
  files.set('/home/me/.kube/token', 'two');
  auth.refused(first);
  const second = await auth.credentials();
  expect(second.headers).toEqual({ authorization: 'Bearer two', 'impersonate-user': 'jane' });
  files.set('/home/me/.kube/token', 'three');
  auth.refused(first);
  expect(await auth.credentials()).toBe(second);
});
