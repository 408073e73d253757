import { describe, expect, test } from 'vitest';
import { credentialsOf } from './credentials-of.ts';
import type { CloudflareDetails } from './cloudflare-details.ts';
import { fakeRefs } from './testing/fake-refs.ts';
import { credentialsObject } from './testing/objects.ts';

const old = '2025-01-01T00:00:00Z';
const objects = [
  credentialsObject('young', { isDefault: true }),
  credentialsObject('old', { isDefault: true, defaultDomain: 'example.com' }, { creationTimestamp: old }),
  credentialsObject(
    'leaving',
    { isDefault: true },
    { creationTimestamp: '2024-01-01T00:00:00Z', deletionTimestamp: old },
  ),
  credentialsObject('named'),
];
const secret = { namespace: 'apps', name: 'legacy', tokenKey: 'CLOUDFLARE_API_TOKEN', apiKeyKey: 'CLOUDFLARE_API_KEY' };

const found: readonly { rule: string; details: CloudflareDetails | undefined; value: object }[] = [
  {
    rule: 'those that are named come first',
    details: { credentialsRef: { name: 'named' }, secret: 'legacy' },
    value: { credentials: { name: 'named' }, accountId: 'account-of-named' },
  },
  {
    rule: 'the account that the object names comes before that of the credentials',
    details: { credentialsRef: { name: 'named' }, accountId: 'mine' },
    value: { credentials: { name: 'named' }, accountId: 'mine' },
  },
  {
    rule: 'a Secret of its own namespace comes next, with the usual entries',
    details: { secret: 'legacy', accountId: 'mine' },
    value: { credentials: { name: '', secret }, accountId: 'mine' },
  },
  {
    rule: 'entries and email of the Secret may be named',
    details: {
      secret: 'legacy',
      accountId: 'mine',
      CLOUDFLARE_API_TOKEN: 't',
      CLOUDFLARE_API_KEY: 'k',
      email: 'a@b.c',
    },
    value: {
      credentials: { name: '', secret: { ...secret, tokenKey: 't', apiKeyKey: 'k', email: 'a@b.c' } },
      accountId: 'mine',
    },
  },
  {
    rule: 'else the oldest default that is not being deleted',
    details: {},
    value: { credentials: { name: 'old' }, accountId: 'account-of-old', defaultDomain: 'example.com' },
  },
  {
    rule: 'an object without such a section has the default ones',
    details: undefined,
    value: { credentials: { name: 'old' }, accountId: 'account-of-old', defaultDomain: 'example.com' },
  },
];

describe('credentials', () => {
  test.each(found)('$rule', ({ details, value }) => {
    expect(credentialsOf(fakeRefs(objects), details, 'apps')).toEqual({ ok: true, value });
  });

  test("a cluster-wide object's Secret is in the operator's namespace", () => {
    const given = credentialsOf(fakeRefs([]), { secret: 'legacy', accountId: 'mine' }, undefined);
    expect(given).toMatchObject({
      value: { credentials: { secret: { namespace: 'cloudflare-operator-system', name: 'legacy' } } },
    });
  });

  test.each([
    ['that are not there are named', { credentialsRef: { name: 'other' } }, 'CloudflareCredentials other is not there'],
    [
      'a Secret alone does not tell the account',
      { secret: 'legacy' },
      'spec.cloudflare.accountId, or accountName: needed',
    ],
  ])('%s', (_, details, message) => {
    const given = credentialsOf(fakeRefs(objects), details, 'apps');
    expect(given).toMatchObject({ ok: false, state: 'broken' });
    expect(!given.ok && given.message).toContain(message);
  });

  test('without any, what to do is told', () => {
    const given = credentialsOf(fakeRefs([credentialsObject('named')]), {}, 'apps');
    expect(given).toMatchObject({ ok: false, state: 'broken', reason: 'CredentialsNotFound' });
  });

  test('what lives in a zone does not need the account', () => {
    const given = credentialsOf(fakeRefs([]), { secret: 'legacy' }, 'apps', { accountOptional: true });
    expect(given).toMatchObject({ ok: true, value: { accountId: '' } });
  });
});
