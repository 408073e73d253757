import { isOperatorError, KubeApiError } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { hashSecrets } from '../l4-state/secret-use.ts';
import { createClusterReads } from './cluster-reads.ts';
import { readUsedSecrets, withSecretsAt } from './used-secrets.ts';

const entries = { 'config.client_secret': 'CLIENT_SECRET' };
const values = { 'config.client_secret': 's3cret' };
const use = { namespace: 'ns', name: 'gh', entries, salt: 'uid', hash: hashSecrets(values, 'uid') };
const having = (data: Readonly<Record<string, string>> | undefined) => ({ readSecret: async () => data });

test('secrets are read by their places in the request', async () => {
  expect(await readUsedSecrets(use, having({ CLIENT_SECRET: 's3cret', other: 'x' }))).toEqual(values);
});

test.each([
  ['is not there', undefined, 'sync/secret-missing'],
  ['lacks an entry', { other: 'x' }, 'sync/secret-missing'],
  ['is another by now', { CLIENT_SECRET: 'changed' }, 'sync/secret-changing'],
])('a Secret that %s is waited for, and nothing of it is told', async (_what, data, code) => {
  const error: unknown = await readUsedSecrets(use, having(data)).catch((thrown: unknown) => thrown);
  expect(isOperatorError(error) && [error.code, error.retry.kind]).toEqual([code, 'after']);
  expect(String(error)).not.toContain('s3cret');
});

test('equal secrets of two objects have different hashes', () => {
  expect(hashSecrets(values, 'one')).not.toBe(hashSecrets(values, 'two'));
  expect(hashSecrets({ b: '2', a: '1' }, 'one')).toBe(hashSecrets({ a: '1', b: '2' }, 'one'));
});

test('secrets are put where they belong, and what is there stays', () => {
  const body = { name: 'n', config: { client_id: 'id' } };
  expect(withSecretsAt(body, { 'config.client_secret': 's', 'scim.auth.token': 't' })).toEqual({
    name: 'n',
    config: { client_id: 'id', client_secret: 's' },
    scim: { auth: { token: 't' } },
  });
  expect(body).toEqual({ name: 'n', config: { client_id: 'id' } });
});

test('a Secret is read as it is now; one that is not there is nothing, and any other trouble is told', async () => {
  const clock = { now: () => 7 };
  const data = { a: Buffer.from('x').toString('base64') };
  const client = (get: () => Promise<unknown>) => ({ get }) as never;
  const reads = createClusterReads({ clock, download: fetch, client: client(async () => ({ metadata: {}, data })) });
  expect([await reads.readSecret({ namespace: 'n', name: 's' }), reads.now()]).toEqual([{ a: 'x' }, 7]);
  const failing = (status: number, code: string): ReturnType<typeof createClusterReads> => {
    const answer = { status, reason: status === 404 ? 'NotFound' : 'Forbidden', body: {} as never };
    const error = new KubeApiError(code, 'no', { kind: 'backoff' }, answer);
    return createClusterReads({ clock, download: fetch, client: client(() => Promise.reject(error)) });
  };
  const place = { namespace: 'n', name: 's' };
  expect(await failing(404, 'kube/not-found').readSecret(place)).toBeUndefined();
  await expect(failing(403, 'kube/forbidden').readSecret(place)).rejects.toThrow('no');
});
