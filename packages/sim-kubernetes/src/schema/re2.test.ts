import { expect, test } from 'vitest';
import { compileRe2 } from './re2.ts';

test.each([
  ['at the start', '(?i)ab', ['AB'], ['ac']],
  ['behind an anchor', '^(?i)\\.?[a-z_]+$', ['.Shop', 'cart'], ['9']],
  ['not for what stands before', '^a(?i)b$', ['ab', 'aB'], ['Ab']],
  ['for the branches behind, but not those before', '^(?:x|a(?i)b|c)$', ['x', 'aB', 'C'], ['X', 'AB']],
  ['to the end of their group only', '^(a(?i)b)c$', ['aBc'], ['abC']],
  ['and off again', '^(?i)a(?-i)b$', ['Ab'], ['aB']],
  ['in a class or escaped they are text', '^[(?i)]\\(\\?i\\)$', ['i(?i)'], ['I(?i)']],
])('flags %s', (_name, pattern, taken, refused) => {
  const expression = compileRe2(pattern) as RegExp;
  expect(taken.filter((text) => !expression.test(text))).toEqual([]);
  expect(refused.filter((text) => expression.test(text))).toEqual([]);
});

test('parentheses that do not match are refused as RE2 refuses them', () => {
  expect(compileRe2('a)')).toBe('error parsing regexp: unexpected ): `a)`');
  expect(compileRe2('(a')).toBe('error parsing regexp: missing closing ): `(a`');
});
