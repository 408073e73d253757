import { describe, expect, test } from 'vitest';
import { readCredential } from './read-credential.ts';
import type { CredentialPlace } from './read-credential.ts';

const place: CredentialPlace = {
  namespace: 'ns',
  name: 's',
  accepts: 'any',
  tokenKey: 'TOKEN',
  keyKey: 'KEY',
  emailKeys: ['EMAIL', 'API_EMAIL'],
};
const read = (entries: Record<string, string>, given: Partial<CredentialPlace> = {}) => {
  const data = Object.fromEntries(
    Object.entries(entries).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
  return readCredential({ metadata: {}, data }, { ...place, ...given });
};

describe('a Secret', () => {
  test.each([
    ['with a token and a key gives the token', { TOKEN: 't', KEY: 'k', EMAIL: 'e' }, {}, { kind: 'token', token: 't' }],
    ['may end with a line break', { TOKEN: 't\n' }, {}, { kind: 'token', token: 't' }],
    ['with a key needs an email', { KEY: 'k', EMAIL: 'e' }, {}, { kind: 'key', key: 'k', email: 'e' }],
    ['may have the email elsewhere', { KEY: 'k', API_EMAIL: 'e' }, {}, { kind: 'key', key: 'k', email: 'e' }],
    [
      'yields to an email that is given',
      { KEY: 'k', EMAIL: 'e' },
      { email: 'f' },
      { kind: 'key', key: 'k', email: 'f' },
    ],
    [
      'of a key is not read for a token',
      { TOKEN: 't', KEY: 'k', EMAIL: 'e' },
      { accepts: 'key' as const },
      { kind: 'key', key: 'k', email: 'e' },
    ],
  ])('%s', (_, entries, given, value) => {
    expect(read(entries, given)).toEqual({ ok: true, value });
  });

  test.each([
    ['a token', { KEY: 'k', EMAIL: 'e' }, { accepts: 'token' as const }, 'Secret ns/s has no entry TOKEN'],
    ['anything', {}, {}, 'Secret ns/s has no entry TOKEN or KEY'],
    ['a key', { TOKEN: 't' }, { accepts: 'key' as const }, 'Secret ns/s has no entry KEY'],
    ['an email', { KEY: 'k' }, {}, 'Secret ns/s has no entry EMAIL or API_EMAIL, the email that goes with the key'],
  ])('without %s is told so, without showing what it has', (_, entries, given, message) => {
    expect(read(entries, given)).toEqual({ ok: false, reason: 'Invalid', message });
  });
});
