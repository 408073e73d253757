import { expect, test } from 'vitest';
import { loadClusterAccess } from './load-cluster-access.ts';
import { createWorld, oneContext, pem, pemData } from './testing/test-access.ts';
import type { World, WorldOptions } from './testing/test-access.ts';
import type { ClusterAuth } from './cluster-access.ts';

const v1 = 'client.authentication.k8s.io/v1';
const beta = 'client.authentication.k8s.io/v1beta1';
const plugin = { apiVersion: v1, command: 'get-token', interactiveMode: 'Never' };

const says = (status: object, apiVersion = v1): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion, status });

/** The credentials of a user with this plugin, whose runs give the outputs one after the other, the last for ever. */
async function withPlugin(
  exec: object,
  outputs: readonly (string | { readonly exitCode: number } | Error)[],
  world: WorldOptions = {},
  cluster: object = {},
): Promise<World & { readonly auth: ClusterAuth }> {
  const left = [...outputs];
  const made = createWorld({
    ...world,
    files: { '/home/me/.kube/config': oneContext(cluster, { exec: { ...plugin, ...exec } }), ...world.files },
    run: async () => {
      const output = left.length > 1 ? left.shift() : left[0];
      if (output instanceof Error) throw output;
      return typeof output === 'object' ? { stdout: '', ...output } : { exitCode: 0, stdout: output ?? '' };
    },
  });
  const { auth } = await loadClusterAccess({}, made.deps);
  return { ...made, auth };
}

test('the plugin is run with its arguments, the environment and what it is asked', async () => {
  const exec = { args: ['-c', 'k'], env: [{ name: 'B', value: '2' }] };
  const { auth, runs } = await withPlugin(exec, [says({ token: 't' })], { env: { A: '1', B: '1' } });
  expect((await auth.credentials()).headers).toEqual({ authorization: 'Bearer t' });
  const { command, args, env, interactive } = runs[0]!;
  expect({ command, args, interactive }).toEqual({ command: 'get-token', args: ['-c', 'k'], interactive: false });
  const { KUBERNETES_EXEC_INFO: info, ...rest } = env;
  expect(rest).toEqual({ A: '1', B: '2' });
  expect(JSON.parse(info ?? '')).toEqual({ kind: 'ExecCredential', apiVersion: v1, spec: { interactive: false } });
});

test('a plugin that asks for it is told about the cluster', async () => {
  const cluster = {
    'certificate-authority': 'ca.pem',
    'tls-server-name': 'api',
    'proxy-url': 'http://p:1',
    extensions: [{ name: v1.replace('/v1', '/exec'), extension: { audience: 'x' } }],
  };
  const files = { '/home/me/.kube/ca.pem': pem };
  const { auth, runs } = await withPlugin({ provideClusterInfo: true }, [says({ token: 't' })], { files }, cluster);
  await auth.credentials();
  expect(JSON.parse(runs[0]?.env['KUBERNETES_EXEC_INFO'] ?? '').spec.cluster).toEqual({
    server: 'https://k:6443',
    'tls-server-name': 'api',
    'certificate-authority-data': pemData,
    'proxy-url': 'http://p:1',
    config: { audience: 'x' },
  });
});

const modes: readonly (readonly [string, object, boolean, boolean])[] = [
  ['Never with a terminal', { interactiveMode: 'Never' }, true, false],
  ['IfAvailable with a terminal', { interactiveMode: 'IfAvailable' }, true, true],
  ['IfAvailable without', { interactiveMode: 'IfAvailable' }, false, false],
  ['Always with a terminal', { interactiveMode: 'Always' }, true, true],
  ['the beta, which does not say', { apiVersion: beta, interactiveMode: null }, true, true],
];

for (const [name, exec, terminal, interactive] of modes) {
  test(`a plugin may ${interactive ? '' : 'not '}ask a person: ${name}`, async () => {
    const version = 'apiVersion' in exec ? beta : v1;
    const { auth, runs, clock } = await withPlugin(exec, [says({ token: 't' }, version)], { terminal });
    await auth.credentials();
    expect(runs[0]?.interactive).toBe(interactive);
    expect(JSON.parse(runs[0]?.env['KUBERNETES_EXEC_INFO'] ?? '')).toMatchObject({
      apiVersion: version,
      spec: { interactive },
    });
    expect(clock.pending()).toBe(0);
  });
}

test('credentials are kept until they expire', async () => {
  const expiring = (token: string, at: string): string => says({ token, expirationTimestamp: at });
  const { auth, runs, clock } = await withPlugin({}, [
    expiring('one', '2026-01-05T12:10:00Z'),
    expiring('two', '2026-01-05T13:20:00+01:00'),
    says({ token: 'for ever' }),
  ]);
  const token = async (): Promise<unknown> => (await auth.credentials()).headers['authorization'];
  expect([await token(), await token()]).toEqual(['Bearer one', 'Bearer one']);
  await clock.advance(10 * 60_000 - 1);
  expect([await token(), runs.length]).toEqual(['Bearer one', 1]);
  await clock.advance(1);
  expect([await token(), runs.length]).toEqual(['Bearer two', 2]);
  await clock.advance(10 * 60_000);
  expect([await token(), runs.length]).toEqual(['Bearer for ever', 3]);
  await clock.advance(24 * 60 * 60_000);
  expect([await token(), runs.length]).toEqual(['Bearer for ever', 3]);
});

test('however many ask at once, the plugin runs once', async () => {
  const { auth, runs } = await withPlugin({}, [says({ token: 't' })]);
  const all = await Promise.all(Array.from({ length: 10 }, async () => auth.credentials()));
  expect([new Set(all).size, runs.length]).toEqual([1, 1]);
});

test('refused credentials are asked for anew, once; equal ones stay the same object', async () => {
  const { auth, runs } = await withPlugin({}, [says({ token: 'one' }), says({ token: 'one' }), says({ token: 'two' })]);
  const first = await auth.credentials();
  auth.refused(first);
  expect(await auth.credentials()).toBe(first);
  auth.refused(first);
  const second = await auth.credentials();
  expect(second.headers).toEqual({ authorization: 'Bearer two' });
  auth.refused(first);
  expect(await auth.credentials()).toBe(second);
  expect(runs.length).toBe(3);
});

test('a plugin may give a certificate, with or without a token', async () => {
  const both = { clientCertificateData: 'C', clientKeyData: 'K' };
  const { auth } = await withPlugin({}, [says(both), says({ ...both, token: 't' })]);
  const first = await auth.credentials();
  expect(first).toEqual({ headers: {}, certificate: { cert: 'C', key: 'K' } });
  auth.refused(first);
  expect((await auth.credentials()).headers).toEqual({ authorization: 'Bearer t' });
});

const failures: readonly (readonly [string, object, string | { exitCode: number } | Error, string])[] = [
  ['fails', {}, { exitCode: 3 }, 'it ended with exit code 3'],
  ['says nothing', {}, '', 'the answer is no JSON'],
  ['says something else', {}, 'hunter2', 'the answer is no JSON'],
  ['gives no status', {}, JSON.stringify({ kind: 'ExecCredential', apiVersion: v1 }), 'status: Invalid input'],
  [
    'speaks another version',
    {},
    says({ token: 'hunter2' }, beta),
    `the answer has version ${beta}, configured is ${v1}`,
  ],
  ['gives nothing', {}, says({}), 'the answer holds neither a token nor a certificate'],
  [
    'gives half',
    {},
    says({ token: 'hunter2', clientKeyData: 'hunter2' }),
    'the answer holds only one of certificate and key',
  ],
  ['gives no time', {}, says({ token: 'hunter2', expirationTimestamp: 'soon' }), 'status.expirationTimestamp: Invalid'],
  [
    'is not there',
    { installHint: 'Install it with brew.' },
    Object.assign(new Error('spawn get-token ENOENT'), { code: 'ENOENT' }),
    'it was not found. Install it with brew.',
  ],
  ['cannot be started', {}, new Error('EACCES'), 'EACCES'],
  ['must ask where nobody is', { interactiveMode: 'Always' }, '', 'there is no terminal'],
];

for (const [name, exec, output, message] of failures) {
  test(`a plugin that ${name} is an error without its secrets, and is run again next time`, async () => {
    const { auth } = await withPlugin(exec, [output, says({ token: 't' })]);
    const error: unknown = await auth.credentials().catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'kubeconfig/exec-failed', retry: { kind: 'backoff' } });
    const text = (error as Error).message;
    expect(text).toContain('the credential plugin get-token gave no credentials: ');
    expect(text).toContain(message);
    expect(text).not.toContain('hunter2');
    const again = await auth.credentials().then(
      ({ headers }) => headers['authorization'],
      () => 'still no terminal',
    );
    expect(again).toBe(name.startsWith('must ask') ? 'still no terminal' : 'Bearer t');
  });
}

test('a plugin that hangs is stopped after a minute', async () => {
  const files = { '/home/me/.kube/config': oneContext({}, { exec: plugin }) };
  const { deps, clock } = createWorld({
    files,
    run: async ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })),
  });
  const { auth } = await loadClusterAccess({}, deps);
  const call = auth.credentials().catch((error: unknown) => error);
  await clock.advance(60_000);
  expect(String(await call)).toContain('it ran for more than 60000 ms');
});

test('a command with a path is that of the folder of the kubeconfig, one without is looked up', async () => {
  const { auth, runs } = await withPlugin({ command: './bin/get-token' }, [says({ token: 't' })]);
  await auth.credentials();
  expect(runs[0]?.command).toBe('/home/me/.kube/bin/get-token');
});
