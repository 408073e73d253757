import { expect, test } from 'vitest';
import { systemClock } from '@tributary/runtime';
import { chooseMode, createCredentials } from './create-credentials.ts';
import type { CredentialDeps } from './create-credentials.ts';
import { createFileCredential } from './file-credential.ts';
import { createSessionCredential } from './session-credential.ts';

function createFiles(text: string) {
  const file = { text, modifiedMs: 1 };
  return {
    file,
    access: {
      readFile: async () => {
        if (file.text === 'missing') throw new Error('ENOENT');
        return file.text;
      },
      modifiedMs: async () => file.modifiedMs,
    },
  };
}

const depsOf = (): CredentialDeps => ({ files: createFiles('').access, fetch, clock: systemClock });

test('the original’s file is read leniently, and again when it changes', async () => {
  const { file, access } = createFiles('accessKeyID: a\naccessKeySecret: b\nregionID: ignored\n');
  const source = createFileCredential('secret.yaml', access);
  const first = await source();
  expect(first).toEqual({ accessKeyId: 'a', accessKeySecret: 'b' });
  expect(await source()).toBe(first);
  Object.assign(file, { text: 'accessKeyID: c\naccessKeySecret: d\nsecurityToken: e\n', modifiedMs: 2 });
  expect(await source()).toEqual({ accessKeyId: 'c', accessKeySecret: 'd', securityToken: 'e' });
});

test('while a rotation is half done the old key is used', async () => {
  const { file, access } = createFiles('accessKeyID: a\naccessKeySecret: b\n');
  const source = createFileCredential('secret.yaml', access);
  await source();
  Object.assign(file, { text: 'accessKeyID: c\n', modifiedMs: 2 });
  expect(await source()).toEqual({ accessKeyId: 'a', accessKeySecret: 'b' });
  Object.assign(file, { text: 'accessKeyID: c\naccessKeySecret: d\n', modifiedMs: 3 });
  expect(await source()).toEqual({ accessKeyId: 'c', accessKeySecret: 'd' });
});

test.each([
  ['missing', 'secret.yaml cannot be read'],
  ['accessKeyID: a', 'secret.yaml needs accessKeyID and accessKeySecret'],
  ['accessKeySecret: "s3cr3t\n', 'secret.yaml is not YAML'],
])('a file that is %o says where, and never what', async (text, message) => {
  const source = createFileCredential('secret.yaml', createFiles(text).access);
  const error = await source().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'credentials/invalid', message });
  expect(String(error)).not.toContain('s3cr3t');
});

test('all who ask at the same time share one answer, and a failure is begun anew', async () => {
  let [built, asked, works] = [0, 0, false];
  const source = createSessionCredential('test', async () => {
    built += 1;
    return {
      getCredentials: async () => {
        asked += 1;
        if (!works) throw new Error('not yet');
        return { accessKeyId: 'a', accessKeySecret: 'b', securityToken: 'c' };
      },
    };
  });
  const failed = await Promise.allSettled([source(), source(), source()]);
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
  expect([built, asked]).toEqual([1, 1]);
  works = true;
  const keys = await Promise.all(Array.from({ length: 20 }, async () => source()));
  expect([built, asked]).toEqual([2, 2]);
  expect(new Set(keys).size).toBe(1);
  expect(await source()).toBe(keys[0]);
});

test.each([
  [{}, 'file'],
  [{ ALIBABA_CLOUD_ACCESS_KEY_ID: 'a', ALIBABA_CLOUD_ACCESS_KEY_SECRET: 'b' }, 'env'],
  [{ ALIBABA_CLOUD_CREDENTIALS_URI: 'http://localhost' }, 'uri'],
  [{ ALIBABA_CLOUD_ECS_METADATA: 'role' }, 'ecs-role'],
  [
    {
      ALIBABA_CLOUD_ROLE_ARN: 'r',
      ALIBABA_CLOUD_OIDC_PROVIDER_ARN: 'p',
      ALIBABA_CLOUD_OIDC_TOKEN_FILE: 'f',
      ALIBABA_CLOUD_ACCESS_KEY_ID: 'a',
      ALIBABA_CLOUD_ACCESS_KEY_SECRET: 'b',
    },
    'oidc',
  ],
  [{ ALIBABA_CLOUD_ROLE_ARN: 'r', ALIBABA_CLOUD_OIDC_PROVIDER_ARN: 'p' }, 'file'],
])('of %o, auto chooses %s', (env, mode) => expect(chooseMode(env)).toBe(mode));

test('a session of the environment is used as it is', async () => {
  const env = {
    ALIBABA_CLOUD_ACCESS_KEY_ID: 'a',
    ALIBABA_CLOUD_ACCESS_KEY_SECRET: 'b',
    ALIBABA_CLOUD_SECURITY_TOKEN: 'c',
  };
  const source = createCredentials({ mode: 'env', path: '', env }, depsOf());
  expect(await source()).toEqual({ accessKeyId: 'a', accessKeySecret: 'b', securityToken: 'c' });
});

test('a URI is asked by the SDK', async () => {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => {
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(
      JSON.stringify({ Code: 'Success', AccessKeyId: 'u', AccessKeySecret: 'v', SecurityToken: 'w', Expiration }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  const env = { ALIBABA_CLOUD_CREDENTIALS_URI: `http://127.0.0.1:${port}/` };
  const source = createCredentials({ mode: 'auto', path: '', env }, depsOf());
  expect(await source()).toEqual({ accessKeyId: 'u', accessKeySecret: 'v', securityToken: 'w' });
  server.close();
});
