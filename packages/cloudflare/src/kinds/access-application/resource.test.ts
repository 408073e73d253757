import { parseYaml } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { accessApplicationKind } from './resource.ts';

const kind: AnyCustomKind = accessApplicationKind;
const check = (yaml: string): ReturnType<AnyCustomKind['parseSpec']> => kind.parseSpec(parseYaml(yaml));
const id = 'f174e90a-fafe-4643-bbbc-4a0ed4fc8415';

describe('forms that are valid', () => {
  test.each([
    `{ name: Internal Dashboard, domain: dashboard.example.com, type: self_hosted, sessionDuration: 24h, policies: [{ name: employees, decision: allow, precedence: 1 }, { name: service-accounts, decision: allow, precedence: 2 }], logoUrl: 'https://example.com/logo.png', appLauncherVisible: true, skipInterstitial: true, cloudflare: { accountId: a, domain: example.com, secret: credentials } }`,
    `{ domain: wiki.example.com, policies: [{ policyName: Allow, decision: allow, include: [{ email: { email: a@example.com } }, { emailDomain: { domain: example.com } }], exclude: [{ email: { email: b@example.com } }] }], cloudflare: {} }`,
    `{ name: E2E, domain: e2e.example.com, type: self_hosted, allowedIdpRefs: [{ name: test-otp }], cloudflare: { credentialsRef: { name: default } } }`,
    `{ domain: x.example.com, policies: [{ groupId: ${id} }, { cloudflareGroupName: Team }], reusablePolicyRefs: [{ cloudflareId: ${id} }, { name: p, precedence: 3 }], cloudflare: {} }`,
    `{ domain: x.example.com, destinations: [{ type: private, cidr: 10.0.0.0/8, portRange: '80-90', l4Protocol: tcp }], cloudflare: {} }`,
  ])('%s', (yaml) => {
    expect(check(yaml)).toMatchObject({ ok: true });
  });
});

test('what is not said is as it always was', () => {
  expect(check('{ domain: x.example.com, policies: [{ name: a }], cloudflare: {} }')).toMatchObject({
    value: {
      type: 'self_hosted',
      sessionDuration: '24h',
      appLauncherVisible: true,
      autoRedirectToIdentity: false,
      policies: [{ name: 'a', decision: 'allow' }],
    },
  });
});

describe('forms that are refused name the field', () => {
  test.each([
    ['{ cloudflare: {} }', 'spec.domain'],
    ['{ domain: x }', 'spec.cloudflare'],
    ['{ domain: x, type: web, cloudflare: {} }', 'spec.type'],
    ['{ domain: x, destinations: [{ uri: y }], cloudflare: {} }', 'spec.destinations[0].type'],
    ['{ domain: x, sameSiteCookieAttribute: some, cloudflare: {} }', 'spec.sameSiteCookieAttribute'],
    ['{ domain: x, policies: [{ groupId: x }], cloudflare: {} }', 'spec.policies[0].groupId'],
    ['{ domain: x, policies: [{ precedence: 0 }], cloudflare: {} }', 'spec.policies[0].precedence'],
    ['{ domain: x, policies: [{ decision: perhaps }], cloudflare: {} }', 'spec.policies[0].decision'],
    [
      '{ domain: x, policies: [{ include: [{ email: {} }] }], cloudflare: {} }',
      'spec.policies[0].include[0].email.email',
    ],
    [
      '{ domain: x, policies: [{ include: [{ everyone: {} }] }], cloudflare: {} }',
      'spec.policies[0].include[0].everyone',
    ],
    ['{ domain: x, corsHeaders: { maxAge: 90000 }, cloudflare: {} }', 'spec.corsHeaders.maxAge'],
    ['{ domain: x, saasApp: {}, cloudflare: {} }', 'spec.saasApp.authType'],
    [
      '{ domain: x, appLauncherCustomization: { backgroundColor: red }, cloudflare: {} }',
      'spec.appLauncherCustomization.backgroundColor',
    ],
    [
      '{ domain: x, targetContexts: [{ targetAttributes: {}, port: 0, protocol: SSH }], cloudflare: {} }',
      'spec.targetContexts[0].port',
    ],
  ])('%s', (yaml, field) => {
    expect(check(yaml)).toMatchObject({ ok: false, message: expect.stringContaining(field) as string });
  });
});
