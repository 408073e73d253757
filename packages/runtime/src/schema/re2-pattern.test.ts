import { describe, expect, test } from 'vitest';
import { toRe2Pattern } from './re2-pattern.ts';

const space =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

const written: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]([-a-z0-9]*[a-z0-9])?$/, '^[a-z]([-a-z0-9]*[a-z0-9])?$'],
  [/^\d+\.\w{1,3}\b\B\t$/, '^\\d+\\.\\w{1,3}\\b\\B\\t$'],
  [/a\/b/, 'a/b'],
  [/./u, '[^\\n\\r\\x{2028}\\x{2029}]'],
  [/\s[\s,]/, `[${space}][${space},]`],
  [/\S/u, `[^${space}]`],
  [/[^\W\D]/u, '[^\\W\\D]'],
  [/\u00e9\x41\u{1f600}/u, '\\x{e9}\\x{41}\\x{1f600}'],
  [/\0\p{Lu}\P{L}/u, '\\x{0}\\p{Lu}\\P{L}'],
  [/(?:a)(?<name>b)/, '(?:a)(?P<name>b)'],
  [/[[:a\]]/, '[\\[:a\\]]'],
  [/a{3}b{2,}c{1,1000}/, 'a{3}b{2,}c{1,1000}'],
  [/é😀/u, 'é😀'],
];

const refused: readonly (readonly [RegExp, string])[] = [
  [/a/i, 'flag i'],
  [/a/gm, 'flag gm'],
  [/./, 'a dot'],
  [/[^a]/, 'a negated class'],
  [/\D/, 'add the u flag'],
  [/\S/, 'add the u flag'],
  [/😀/, 'outside the basic plane'],
  [/(?!a)/, 'looks ahead'],
  [/(?<!a)/, 'looks ahead or behind'],
  [/(?<a>b)\k<a>/, 'refers back'],
  [/(?i:a)/, 'changes flags'],
  [new RegExp('[]'), 'empty class'],
  [/[^]/u, 'empty class'],
  [/a{1001}/, 'more than 1000'],
  [/a{0,2000}/, 'more than 1000'],
  [/\ud83d/, 'surrogate'],
  [/\p{Script=Greek}/u, 'reads differently'],
  [/\cA/, 'reads differently'],
  [new RegExp('\\A'), 'reads differently'],
  [/[\S]/u, 'reads differently'],
  [/[\b]/, 'reads differently'],
];

describe('a pattern that RE2 understands in the same way is written for it', () => {
  for (const [regex, pattern] of written) {
    test(String(regex), () => expect(toRe2Pattern(regex, 'spec.x')).toBe(pattern));
  }
});

describe('a pattern that RE2 would refuse or read differently is refused', () => {
  for (const [regex, why] of refused) {
    test(String(regex), () => expect(() => toRe2Pattern(regex, 'spec.x')).toThrow(why));
  }
});
