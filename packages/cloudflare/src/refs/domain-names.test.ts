import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeName, isInDomain } from './domain-names.ts';

test.each([
  ['www', 'www.example.com'],
  ['@', 'example.com'],
  ['*', '*.example.com'],
  ['_sip._tcp', '_sip._tcp.example.com'],
  ['_acme-challenge', '_acme-challenge.example.com'],
  ['example.com', 'example.com'],
  ['WWW.Example.COM.', 'www.example.com'],
  ['a.b.example.com', 'a.b.example.com'],
  ['www.example.org', undefined],
  ['badexample.com', undefined],
  ['www.dev', undefined],
  ['', undefined],
])('%j in example.com is %j', (name, whole) => {
  expect(completeName(name, 'Example.com')).toBe(whole);
});

test('a name lies in a domain when it ends with all of its labels', () => {
  expect(isInDomain('badexample.com', 'example.com')).toBe(false);
  expect(isInDomain('www', '')).toBe(false);
  expect(isInDomain('Example.com.', 'example.com')).toBe(true);
});

test('a whole name is whole: completing it again changes nothing', () => {
  const label = fc.stringMatching(/^[a-z_][a-z0-9]{0,5}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const whole = completeName(labels.join('.'), 'example.com');
      fc.pre(whole !== undefined);
      expect(completeName(whole, 'example.com')).toBe(whole);
      expect(isInDomain(whole, 'example.com')).toBe(true);
    }),
  );
});
