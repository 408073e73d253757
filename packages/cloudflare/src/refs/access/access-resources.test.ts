import { parseYaml } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { accessGroupKind } from '../../kinds/access-group/resource.ts';
import { accessIdentityProviderKind } from '../../kinds/access-identity-provider/resource.ts';
import { accessPolicyKind } from '../../kinds/access-policy/resource.ts';
import { accessServiceTokenKind } from '../../kinds/access-service-token/resource.ts';

const kinds: Readonly<Record<string, AnyCustomKind>> = {
  AccessGroup: accessGroupKind,
  AccessPolicy: accessPolicyKind,
  AccessServiceToken: accessServiceTokenKind,
  AccessIdentityProvider: accessIdentityProviderKind,
};

const check = (kind: string, yaml: string): ReturnType<AnyCustomKind['parseSpec']> | undefined =>
  kinds[kind]?.parseSpec(parseYaml(yaml));

describe('forms that are valid', () => {
  test.each([
    [
      'AccessGroup',
      '{ name: E2E Test Group, include: [{ emailDomain: { domain: example.com } }], cloudflare: { credentialsRef: { name: default } } }',
    ],
    [
      'AccessGroup',
      '{ include: [{ ipRanges: { ip: [10.0.0.0/8] } }], require: [{ github: { name: o, identityProviderId: i } }], isDefault: true, cloudflare: {} }',
    ],
    [
      'AccessPolicy',
      '{ decision: allow, precedence: 1, include: [{ everyone: true }], sessionDuration: 24h, approvalRequired: true, approvalGroups: [{ emailAddresses: [a@example.com] }], cloudflare: {} }',
    ],
    [
      'AccessServiceToken',
      '{ name: API Service Account, secretRef: { name: creds, namespace: production }, cloudflare: { accountId: a, credentialsRef: { name: production } } }',
    ],
    [
      'AccessServiceToken',
      '{ duration: forever, secretRef: { name: c, namespace: w, clientIdKey: ID, clientSecretKey: SECRET }, cloudflare: {} }',
    ],
    ['AccessIdentityProvider', '{ type: onetimepin, cloudflare: {} }'],
    [
      'AccessIdentityProvider',
      "{ type: oidc, name: Custom, config: { clientId: c, authUrl: 'https://a', tokenUrl: 'https://t', certsUrl: 'https://c' }, scimConfig: { enabled: true, userDeprovision: true }, cloudflare: {} }",
    ],
    [
      'AccessIdentityProvider',
      '{ type: azureAD, config: { appsDomain: t }, configSecretRef: { name: azure, namespace: cloudflare-operator-system, key: CLIENT_ID }, cloudflare: {} }',
    ],
  ])('%s %s', (kind, yaml) => {
    expect(check(kind, yaml)).toMatchObject({ ok: true });
  });
});

test('a service token that says nothing lives a year, under the usual keys', () => {
  expect(check('AccessServiceToken', '{ secretRef: { name: c, namespace: ns }, cloudflare: {} }')).toMatchObject({
    value: {
      duration: '8760h',
      secretRef: { clientIdKey: 'CF_ACCESS_CLIENT_ID', clientSecretKey: 'CF_ACCESS_CLIENT_SECRET' },
    },
  });
});

describe('forms that are refused name the field', () => {
  test.each([
    ['AccessGroup', '{ cloudflare: {} }', 'spec.include'],
    ['AccessGroup', '{ include: [], cloudflare: {} }', 'spec.include'],
    ['AccessGroup', '{ include: [{ country: { country: PT } }], cloudflare: {} }', 'spec.include[0].country.country'],
    ['AccessPolicy', '{ include: [{ everyone: true }], decision: x, cloudflare: {} }', 'spec.decision'],
    [
      'AccessPolicy',
      '{ include: [{ everyone: true }], sessionDuration: 1h30m, cloudflare: {} }',
      'spec.sessionDuration',
    ],
    [
      'AccessPolicy',
      '{ include: [{ everyone: true }], approvalGroups: [{ approvalsNeeded: 0 }], cloudflare: {} }',
      'spec.approvalGroups[0].approvalsNeeded',
    ],
    ['AccessServiceToken', '{ cloudflare: {} }', 'spec.secretRef'],
    ['AccessServiceToken', '{ secretRef: { name: c }, cloudflare: {} }', 'spec.secretRef.namespace'],
    ['AccessIdentityProvider', '{ cloudflare: {} }', 'spec.type'],
    ['AccessIdentityProvider', '{ type: azure, cloudflare: {} }', 'spec.type'],
    [
      'AccessIdentityProvider',
      '{ type: saml, configSecretRef: { name: x }, cloudflare: {} }',
      'spec.configSecretRef.key',
    ],
    [
      'AccessIdentityProvider',
      '{ type: saml, scimConfig: { identityUpdateBehavior: x }, cloudflare: {} }',
      'spec.scimConfig.identityUpdateBehavior',
    ],
  ])('%s %s', (kind, yaml, field) => {
    expect(check(kind, yaml)).toMatchObject({ ok: false, message: expect.stringContaining(field) as string });
  });
});
