import { describe, expect, test } from 'vitest';
import { canonicalDuration, differingPolicyFields } from './access-policy-fields.ts';

const policy = { name: 'p', decision: 'allow', include: [{ everyone: {} }] };

const cases: readonly (readonly [string, object, object, readonly string[]])[] = [
  ['what the API fills in', {}, { exclude: [], require: [], session_duration: '24h', approval_groups: null }, []],
  [
    'rules in another order',
    { include: [{ everyone: {} }, { certificate: {} }] },
    { include: [{ certificate: {} }, { everyone: {} }] },
    [],
  ],
  [
    'an address that became a network',
    { include: [{ ip: { ip: '192.0.2.1' } }] },
    { include: [{ ip: { ip: '192.0.2.1/32' } }] },
    [],
  ],
  [
    'a field of a rule that the API adds empty',
    { include: [{ okta: { name: 'n' } }] },
    { include: [{ okta: { name: 'n', team: null } }] },
    [],
  ],
  ['everyone is not everybody with a certificate', {}, { include: [{ certificate: {} }] }, ['include']],
  ['another decision', {}, { decision: 'deny' }, ['decision']],
  ['a rule more', {}, { exclude: [{ certificate: {} }] }, ['exclude']],
  ['a duration in other words', { session_duration: '90m' }, { session_duration: '1h30m0s' }, []],
  ['another duration', { session_duration: '12h' }, {}, ['session_duration']],
  [
    'other approvers',
    { approval_groups: [{ approvals_needed: 1 }] },
    { approval_groups: [{ approvals_needed: 2 }] },
    ['approval_groups'],
  ],
];

describe('a policy and what is wanted', () => {
  for (const [name, wanted, observed, expected] of cases) {
    test(name, () =>
      expect(differingPolicyFields({ ...policy, ...wanted }, { ...policy, ...observed })).toEqual(expected),
    );
  }

  test('what is no duration stands for itself', () => {
    expect([canonicalDuration('forever'), canonicalDuration(undefined), canonicalDuration('1h1m1s')]).toEqual([
      'forever',
      undefined,
      3661,
    ]);
  });
});
