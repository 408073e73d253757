import { describe, expect, test } from 'vitest';
import type { AccessRule, AccessRules } from './access-rule.ts';
import { toWireRules } from './wire-rules.ts';
import type { ProviderOf } from './wire-rules.ts';

const idp = { identityProviderId: 'p1' };
const wireIdp = { identity_provider_id: 'p1' };
const providerOf: ProviderOf = ({ name }) =>
  name === 'login' ? { ok: true, value: 'p2' } : { ok: false, reason: 'NotFound', message: 'not there' };

const cases: readonly (readonly [AccessRule, readonly unknown[]])[] = [
  [{ email: { email: 'a@example.com' } }, [{ email: { email: 'a@example.com' } }]],
  [{ emailDomain: { domain: 'example.com' } }, [{ email_domain: { domain: 'example.com' } }]],
  [{ emailList: { id: 'l' } }, [{ email_list: { id: 'l' } }]],
  [{ everyone: true }, [{ everyone: {} }]],
  [
    { ipRanges: { ip: ['192.0.2.1', '2001:DB8::/32'] } },
    [{ ip: { ip: '192.0.2.1/32' } }, { ip: { ip: '2001:db8::/32' } }],
  ],
  [{ ipList: { id: 'l' } }, [{ ip_list: { id: 'l' } }]],
  [{ country: { country: ['PT', 'IT'] } }, [{ geo: { country_code: 'PT' } }, { geo: { country_code: 'IT' } }]],
  [{ group: { id: 'g' } }, [{ group: { id: 'g' } }]],
  [{ serviceToken: { tokenId: 't' } }, [{ service_token: { token_id: 't' } }]],
  [{ anyValidServiceToken: true }, [{ any_valid_service_token: {} }]],
  [{ certificate: true }, [{ certificate: {} }]],
  [{ commonName: { commonName: 'cn' } }, [{ common_name: { common_name: 'cn' } }]],
  [{ devicePosture: { integrationUid: 'u' } }, [{ device_posture: { integration_uid: 'u' } }]],
  [{ gsuite: { email: 'g@example.com', ...idp } }, [{ gsuite: { email: 'g@example.com', ...wireIdp } }]],
  [{ github: { name: 'org', ...idp } }, [{ 'github-organization': { name: 'org', ...wireIdp } }]],
  [
    { github: { name: 'org', teams: ['a', 'b'], ...idp } },
    [
      { 'github-organization': { name: 'org', team: 'a', ...wireIdp } },
      { 'github-organization': { name: 'org', team: 'b', ...wireIdp } },
    ],
  ],
  [{ azure: { id: 'i', ...idp } }, [{ azureAD: { id: 'i', ...wireIdp } }]],
  [{ okta: { name: 'n', ...idp } }, [{ okta: { name: 'n', ...wireIdp } }]],
  [
    { oidc: { claimName: 'c', claimValue: 'v', ...idp } },
    [{ oidc: { claim_name: 'c', claim_value: 'v', ...wireIdp } }],
  ],
  [
    { saml: { attributeName: 'a', attributeValue: 'v', ...idp } },
    [{ saml: { attribute_name: 'a', attribute_value: 'v', ...wireIdp } }],
  ],
  [{ authMethod: { authMethod: 'mfa' } }, [{ auth_method: { auth_method: 'mfa' } }]],
  [{ authContext: { id: 'i', acId: 'c1', ...idp } }, [{ auth_context: { id: 'i', ac_id: 'c1', ...wireIdp } }]],
  [{ loginMethod: { id: 'p1' } }, [{ login_method: { id: 'p1' } }]],
  [{ loginMethod: { idpRef: { name: 'login' } } }, [{ login_method: { id: 'p2' } }]],
  [{ okta: { name: 'n', idpRef: { name: 'login' } } }, [{ okta: { name: 'n', identity_provider_id: 'p2' } }]],
  [
    { externalEvaluation: { evaluateUrl: 'https://e', keysUrl: 'https://k' } },
    [{ external_evaluation: { evaluate_url: 'https://e', keys_url: 'https://k' } }],
  ],
  [{ everyone: true, certificate: true }, [{ everyone: {} }, { certificate: {} }]],
];

describe('rules in the words of the API', () => {
  for (const [rule, wire] of cases) {
    test(JSON.stringify(rule), () => {
      expect(toWireRules({ include: [rule] }, 'spec', providerOf)).toEqual({
        ok: true,
        value: { include: wire, exclude: [], require: [] },
      });
    });
  }

  test('each list keeps its own', () => {
    const rules = {
      include: [{ everyone: true }],
      exclude: [{ certificate: true }],
      require: [{ group: { id: 'g' } }],
    };
    expect(toWireRules(rules, 'spec', providerOf)).toEqual({
      ok: true,
      value: { include: [{ everyone: {} }], exclude: [{ certificate: {} }], require: [{ group: { id: 'g' } }] },
    });
  });
});

const wrong: readonly (readonly [string, AccessRules, string])[] = [
  ['no rule at all', { include: [{}] }, 'spec.include: none of its rules says anything'],
  ['a rule that is switched off', { include: [{ everyone: false }] }, 'spec.include: none of its rules says anything'],
  [
    'an address that is none',
    { include: [{ ipRanges: { ip: ['x'] } }] },
    'spec.include[0].ipRanges.ip: x is no network',
  ],
  [
    'two countries that must both hold',
    { include: [{ everyone: true }], require: [{ country: { country: ['PT', 'IT'] } }] },
    'spec.require[0].country: in require all rules must hold, so several of these cannot; put them in a group',
  ],
  [
    'a provider that nobody names',
    { include: [{ okta: { name: 'n' } }] },
    'spec.include[0].okta: needs identityProviderId or idpRef',
  ],
  [
    'a login method without an id',
    { include: [{ loginMethod: {} }] },
    'spec.include[0].loginMethod: needs id or idpRef',
  ],
  ['a provider that is not there', { include: [{ loginMethod: { idpRef: { name: 'x' } } }] }, 'not there'],
];

describe('refused, with the field named:', () => {
  for (const [name, rules, message] of wrong) {
    test(name, () => expect(toWireRules(rules, 'spec', providerOf)).toMatchObject({ ok: false, message }));
  }
});
