import { expect, test } from 'vitest';
import { loadClusterAccess } from './load-cluster-access.ts';
import { createWorld, headersOf, load, oneContext, pem, pemData } from './testing/test-access.ts';

const named = (name: string, server: string, more: object = {}): object => ({
  clusters: [{ name, cluster: { server } }],
  users: [{ name, user: { token: `${name}-of-${server}` } }],
  contexts: [{ name, context: { cluster: name, user: name } }],
  ...more,
});

test('without anything said, ~/.kube/config and its current context are used', async () => {
  const access = await load(oneContext({}, { token: 't' }, { namespace: 'n' }));
  expect(access).toMatchObject({ server: 'https://k:6443', namespace: 'n', tls: { insecure: false } });
  expect(access.proxyUrl).toBe(undefined);
  expect(await headersOf(access)).toEqual({ authorization: 'Bearer t' });
});

test('the namespace is default when the context has none', async () => {
  expect((await load(oneContext())).namespace).toBe('default');
});

test('a context that was asked for goes before the current one', async () => {
  const config = {
    ...named('a', 'https://a'),
    'current-context': 'missing',
    contexts: [{ name: 'other', context: { cluster: 'a', user: 'a', namespace: 'x' } }],
  };
  expect((await load(config, {}, { context: 'other' })).namespace).toBe('x');
});

test('a file that was asked for goes before KUBECONFIG, and that before the pod and the home folder', async () => {
  const files = {
    '/one': named('a', 'https://one', { 'current-context': 'a' }),
    '/two': named('a', 'https://two', { 'current-context': 'a' }),
    '/home/me/.kube/config': named('a', 'https://home', { 'current-context': 'a' }),
    '/var/run/secrets/kubernetes.io/serviceaccount/token': 't',
  };
  const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const serverWith = async (options: object, env: Record<string, string>): Promise<string> =>
    (await loadClusterAccess(options, createWorld({ files, env }).deps)).server;
  expect(await serverWith({ kubeconfig: '/one' }, { KUBECONFIG: '/two', ...pod })).toBe('https://one');
  expect(await serverWith({}, { KUBECONFIG: '/two', ...pod })).toBe('https://two');
  expect(await serverWith({}, pod)).toBe('https://10.0.0.1:443');
  expect(await serverWith({ context: 'a' }, pod)).toBe('https://home');
  expect(await serverWith({}, {})).toBe('https://home');
});

test('several files are merged: the first to name an entry has it alone, the first current context counts', async () => {
  const files = {
    '/1': named('a', 'https://a1'),
    '/2': {
      'current-context': 'b',
      clusters: [
        { name: 'a', cluster: { server: 'https://a2', 'tls-server-name': 'from-2' } },
        { name: 'b', cluster: { server: 'https://b2' } },
      ],
      contexts: [
        { name: 'a', context: { cluster: 'a', user: 'a', namespace: 'from-2' } },
        { name: 'b', context: { cluster: 'b', user: 'a' } },
      ],
    },
    '/3': { 'current-context': 'a', users: [{ name: 'a', user: { token: 'from-3' } }] },
  };
  const { deps } = createWorld({ files, env: { KUBECONFIG: '/1:/missing::/2:/1:/3' } });
  const current = await loadClusterAccess({}, deps);
  expect([current.server, current.namespace]).toEqual(['https://b2', 'default']);
  expect(await headersOf(current)).toEqual({ authorization: 'Bearer a-of-https://a1' });
  const a = await loadClusterAccess({ context: 'a' }, deps);
  expect([a.server, a.namespace, a.tls.serverName]).toEqual(['https://a1', 'default', undefined]);
});

test('relative paths are those of the folder in which the kubeconfig lies', async () => {
  const user = { 'client-certificate': 'my/cert', 'client-key': '/abs/key' };
  const { tls } = await load(oneContext({ 'certificate-authority': '../ca' }, user));
  expect([tls.ca, tls.cert, tls.key]).toEqual([
    { file: '/home/me/ca' },
    { file: '/home/me/.kube/my/cert' },
    { file: '/abs/key' },
  ]);
});

test('data goes before files, and TLS settings are taken over', async () => {
  const cluster = { 'certificate-authority-data': pemData, 'certificate-authority': 'ca', 'tls-server-name': 'x' };
  const user = { 'client-certificate-data': pemData, 'client-certificate': 'c', 'client-key-data': pemData };
  const { tls } = await load(oneContext(cluster, user));
  expect(tls).toEqual({ ca: { data: pem }, cert: { data: pem }, key: { data: pem }, insecure: false, serverName: 'x' });
  expect((await load(oneContext({ 'insecure-skip-tls-verify': true }))).tls.insecure).toBe(true);
});

test('the path of the server is kept, a query is not', async () => {
  expect((await load(oneContext({ server: 'https://r/k8s/c-1/?a=b#c' }))).server).toBe('https://r/k8s/c-1');
});

test('nothing secret is sent to a server without TLS', async () => {
  const access = await load(oneContext({ server: 'http://k:8080' }, { token: 't', 'client-certificate': 'c' }));
  expect([access.server, access.tls, await headersOf(access)]).toEqual(['http://k:8080', {}, {}]);
});

test('the proxy of the cluster goes before those of the environment', async () => {
  const env = { HTTPS_PROXY: 'http://env:3128' };
  expect((await load(oneContext({ 'proxy-url': 'https://own:1' }), { env })).proxyUrl).toBe('https://own:1');
  expect((await load(oneContext(), { env })).proxyUrl).toBe('http://env:3128');
});

const home = '/home/me/.kube/config';
const mistakes: readonly (readonly [string, unknown, string])[] = [
  ['text that is no YAML', 'a: [', `${home}: YAML: line 1, column 5`],
  ['a list', '- a', `${home}: Invalid input: expected object, received array`],
  [
    'a token that is a number',
    {
      users: [
        { name: 'a', user: {} },
        { name: 'b', user: { token: 123456 } },
      ],
    },
    `${home}: users[1].user.token: Invalid input: expected string, received number`,
  ],
  [
    'a flag that is text',
    { clusters: [{ name: 'a', cluster: { 'insecure-skip-tls-verify': 'true' } }] },
    `${home}: clusters[0].cluster.insecure-skip-tls-verify: Invalid input: expected boolean, received string`,
  ],
  ['a user without a name', { users: [{ user: {} }] }, `${home}: users[0].name: Invalid input: expected string`],
  [
    'two clusters of one name',
    { clusters: [{ name: 'a' }, { name: 'a' }] },
    `${home}: clusters[1].name: a stands here twice`,
  ],
  ['an empty file', '', `${home}: current-context: is not set, and no context was asked for`],
  ['a context that is not there', { 'current-context': 'x' }, `${home}: contexts: there is none of the name "x"`],
  [
    'a context without anything',
    { 'current-context': 'x', contexts: [{ name: 'x' }] },
    `${home}: context "x": cluster: is not set`,
  ],
  [
    'a cluster that is not there',
    { ...oneContext(), clusters: null },
    `${home}: context "c": cluster: there is none of the name "k"`,
  ],
  [
    'a user that is not there',
    { ...oneContext(), users: [] },
    `${home}: context "c": user: there is none of the name "u"`,
  ],
  ['no server', oneContext({ server: '' }), `${home}: cluster "k": server: is not set`],
  ['a server without a scheme', oneContext({ server: 'k:6443' }), `${home}: cluster "k": server: must be a URL`],
  ['a proxy without a scheme', oneContext({ 'proxy-url': 'p:1' }), `${home}: cluster "k": proxy-url: must be a URL`],
  ['a SOCKS proxy', oneContext({ 'proxy-url': 'socks5://p:1' }), `SOCKS is not supported`],
  [
    'an authority that is no PEM',
    oneContext({ 'certificate-authority-data': 'AAAA' }),
    `${home}: cluster "k": certificate-authority-data: is no PEM in base64`,
  ],
  [
    'an authority where nothing is checked',
    oneContext({ 'certificate-authority': 'x', 'insecure-skip-tls-verify': true }),
    `${home}: cluster "k": insecure-skip-tls-verify: cannot be true beside a certificate authority`,
  ],
  [
    'a certificate without its key',
    oneContext({}, { 'client-certificate': 'x' }),
    `${home}: user "u": client-certificate and client-key belong together, one is missing`,
  ],
  [
    'a token beside a password',
    oneContext({}, { token: 't', username: 'x' }),
    `${home}: user "u": has both a token and a password, only one is allowed`,
  ],
  [
    'an old auth provider',
    oneContext({}, { 'auth-provider': { name: 'gcp' } }),
    `${home}: user "u": auth-provider: gcp is not supported, use an exec plugin`,
  ],
  [
    'groups of nobody',
    oneContext({}, { 'as-groups': ['g'] }),
    `${home}: user "u": as: must be set where as-uid, as-groups or as-user-extra is`,
  ],
  ['an exec plugin without a command', oneContext({}, { exec: {} }), `${home}: user "u": exec.command: is not set`],
  [
    'an exec plugin of an unknown version',
    oneContext({}, { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } }),
    `${home}: user "u": exec.apiVersion: must be one of client.authentication.k8s.io/v1, `,
  ],
  [
    'an exec plugin that does not say whether it asks',
    oneContext({}, { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1' } }),
    `${home}: user "u": exec.interactiveMode: must be one of Never, IfAvailable, Always`,
  ],
];

for (const [name, config, message] of mistakes) {
  test(`${name} is refused with file and field`, async () => {
    const error: unknown = await load(config).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'kubeconfig/invalid', retry: { kind: 'never' } });
    expect((error as Error).message).toContain(message);
  });
}

test('no error shows a secret', async () => {
  const error: unknown = await load(oneContext({}, { token: 'hunter2', username: 'hunter2', as: 1 })).catch(String);
  const other: unknown = await load(oneContext({}, { token: 'hunter2', username: 'hunter2' })).catch(String);
  expect(`${String(error)} ${String(other)}`).not.toContain('hunter2');
});

test('a proxy in the environment that cannot be used is named', async () => {
  const env = { https_proxy: 'socks5://p:1' };
  await expect(load(oneContext(), { env })).rejects.toThrow('the proxy in the environment, for cluster "k"');
});

test('files that are not there are named', async () => {
  const { deps } = createWorld({ env: { KUBECONFIG: '/a:/b' } });
  await expect(loadClusterAccess({}, deps)).rejects.toMatchObject({
    code: 'kubeconfig/not-found',
    message: 'there is no kubeconfig at /a, /b',
  });
});

test('a file that cannot be read is not the same as none', async () => {
  const { deps } = createWorld();
  const readFile = async (): Promise<string> => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  await expect(loadClusterAccess({ kubeconfig: '/a' }, { ...deps, readFile })).rejects.toMatchObject({
    code: 'kubeconfig/invalid',
    message: '/a: cannot be read: EACCES: permission denied',
  });
});
