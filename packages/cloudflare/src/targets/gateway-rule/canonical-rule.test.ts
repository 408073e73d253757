import { expect, test } from 'vitest';
import { canonicalRuleField } from './canonical-rule.ts';

test.each([
  ['traffic', 'a  in {"x"   "y"}', 'a in{ "x" "y" }'],
  ['identity', ' not ( a )', 'not(a)'],
  ['device_posture', 'any(x[*] in {"a"})', 'any( x[*] in { "a" } )'],
  ['rule_settings', { check_session: { duration: '24h' } }, { check_session: { duration: '1440m0s' } }],
  ['expiration', { expires_at: '2027-01-31T12:00:00+01:00' }, { expires_at: '2027-01-31T11:00:00Z', expired: true }],
])('%s: %o and %o are the same', (name, one, other) => {
  expect(canonicalRuleField(name, one)).toEqual(canonicalRuleField(name, other));
});

test.each([
  ['traffic', 'a == "x  y"', 'a == "x y"'],
  ['traffic', 'a == "( x"', 'a == "(x"'],
  ['name', 'a  b', 'a b'],
  ['rule_settings', { check_session: { duration: '24h' } }, { check_session: { duration: '23h' } }],
  ['expiration', { expires_at: '2027-01-31T12:00:00Z' }, { expires_at: '2027-01-31T12:00:01Z' }],
])('%s: %o and %o are not', (name, one, other) => {
  expect(canonicalRuleField(name, one)).not.toEqual(canonicalRuleField(name, other));
});
