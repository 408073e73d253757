import { expect, test } from 'vitest';
import { inClusterAccess } from './in-cluster-access.ts';
import { createWorld, headersOf } from './testing/test-access.ts';
import type { World } from './testing/test-access.ts';
import { createTokenFileAuth } from './token-file-auth.ts';

const bearer = (token: string): unknown => ({ authorization: `Bearer ${token}` });

function counting({ deps, clock, files }: World) {
  let reads = 0;
  const readFile = async (path: string): Promise<string> => {
    reads += 1;
    return deps.readFile(path);
  };
  return { deps: { readFile, clock }, clock, files, reads: () => reads };
}

test('a token file is read again after a minute, not before', async () => {
  const { deps, clock, files, reads } = counting(createWorld({ files: { '/t': 'one\n' } }));
  const auth = createTokenFileAuth('/t', deps);
  expect(await headersOf({ auth })).toEqual(bearer('one'));
  files.set('/t', 'two\n');
  await clock.advance(59_999);
  expect(await headersOf({ auth })).toEqual(bearer('one'));
  await clock.advance(1);
  expect(await headersOf({ auth })).toEqual(bearer('two'));
  expect(reads()).toBe(2);
});

test('however many ask at once, the file is read once', async () => {
  const { deps, reads } = counting(createWorld({ files: { '/t': 'one' } }));
  const auth = createTokenFileAuth('/t', deps);
  const all = await Promise.all(Array.from({ length: 10 }, async () => auth.credentials()));
  expect([new Set(all).size, reads()]).toEqual([1, 1]);
});

test('a refused token makes the file be read again, and the same token stays the same object', async () => {
  const { deps, files } = counting(createWorld({ files: { '/t': 'one' } }));
  const auth = createTokenFileAuth('/t', deps);
  const first = await auth.credentials();
  auth.refused(first);
  expect(await auth.credentials()).toBe(first);
  files.set('/t', 'two');
  auth.refused(first);
  const second = await auth.credentials();
  expect(second.headers).toEqual(bearer('two'));
  files.set('/t', 'three');
  auth.refused(first);
  expect(await auth.credentials()).toBe(second);
});

test('while the file cannot be read or is empty, the last token stays in use', async () => {
  const { deps, clock, files } = counting(createWorld({ files: { '/t': 'one' } }));
  const auth = createTokenFileAuth('/t', deps);
  await auth.credentials();
  files.delete('/t');
  await clock.advance(60_000);
  expect(await headersOf({ auth })).toEqual(bearer('one'));
  files.set('/t', ' \n');
  await clock.advance(60_000);
  expect(await headersOf({ auth })).toEqual(bearer('one'));
});

test('a file that cannot be read at the start is an error that names it, and is tried again', async () => {
  const { deps, files } = counting(createWorld());
  const auth = createTokenFileAuth('/t', deps);
  await expect(auth.credentials()).rejects.toMatchObject({
    code: 'kubeconfig/token-unreadable',
    message: "the token file /t cannot be used: ENOENT: no such file, open '/t'",
  });
  files.set('/t', '');
  await expect(auth.credentials()).rejects.toThrow('it is empty');
  files.set('/t', 'one');
  expect(await headersOf({ auth })).toEqual(bearer('one'));
});

test('a token given beside the file stands in until the file can be read', async () => {
  const { deps, clock, files } = counting(createWorld());
  const auth = createTokenFileAuth('/t', deps, 'first');
  expect(await headersOf({ auth })).toEqual(bearer('first'));
  files.set('/t', 'one');
  await clock.advance(60_000);
  expect(await headersOf({ auth })).toEqual(bearer('one'));
});

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443', HTTPS_PROXY: 'http://p:1' };

test('a pod finds its server, authority, token and namespace, and uses no proxy', async () => {
  const files = { [`${folder}/token`]: 't', [`${folder}/namespace`]: 'mine\n' };
  const access = await inClusterAccess(createWorld({ files, env: pod }).deps);
  const { auth, ...rest } = access;
  expect(rest).toEqual({
    server: 'https://10.0.0.1:443',
    tls: { ca: { file: `${folder}/ca.crt` } },
    namespace: 'mine',
  });
  expect(await headersOf({ auth })).toEqual(bearer('t'));
});

test('the namespace of a pod comes from POD_NAMESPACE first, and is default at last', async () => {
  const files = { '/sa/token': 't', '/sa/namespace': 'mine' };
  const set = createWorld({ files, env: { ...pod, POD_NAMESPACE: 'set' } });
  expect((await inClusterAccess(set.deps, '/sa')).namespace).toBe('set');
  const none = createWorld({ files: { '/sa/token': 't' }, env: pod });
  expect((await inClusterAccess(none.deps, '/sa')).namespace).toBe('default');
});

test('an IPv6 address of the server is put in brackets', async () => {
  const env = { ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' };
  const { deps } = createWorld({ files: { '/sa/token': 't' }, env });
  expect((await inClusterAccess(deps, '/sa')).server).toBe('https://[fd00::1]:443');
});

test('outside of a pod, or without a token, that is said at once', async () => {
  await expect(inClusterAccess(createWorld().deps)).rejects.toMatchObject({ code: 'kubeconfig/not-found' });
  await expect(inClusterAccess(createWorld({ env: pod }).deps)).rejects.toThrow(`${folder}/token`);
});
