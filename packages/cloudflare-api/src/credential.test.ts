import { expect, test } from 'vitest';
import { credentialId } from './credential.ts';

const token = { kind: 'token', token: 'abc' } as const;

test('the id is the same for the same secret and tells nothing of it', () => {
  expect(credentialId(token)).toBe(credentialId({ ...token }));
  expect(credentialId(token)).toMatch(/^[0-9a-f]{16}$/u);
});

test('every other secret, and every other kind of credential, has another id', () => {
  const credentials = [
    token,
    { kind: 'token', token: 'abd' },
    { kind: 'key', key: 'abc', email: '' },
    { kind: 'key', key: 'c', email: 'ab' },
    { kind: 'key', key: 'bc', email: 'a' },
  ] as const;
  expect(new Set(credentials.map(credentialId)).size).toBe(credentials.length);
});
