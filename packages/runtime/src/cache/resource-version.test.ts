import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareResourceVersions, isAtLeast, isEarlier } from './resource-version.ts';

describe('comparing resource versions', () => {
  const cases: readonly { name: string; left: string; right: string; order: '<' | '=' | '>' | '?' }[] = [
    { name: 'equal text is equal', left: '7', right: '7', order: '=' },
    { name: 'opaque text is equal to itself', left: 'abc', right: 'abc', order: '=' },
    { name: 'a shorter decimal is smaller', left: '9', right: '10', order: '<' },
    { name: 'decimals of one length compare as text', left: '123', right: '124', order: '<' },
    { name: 'and the other way round', left: '124', right: '123', order: '>' },
    {
      name: 'decimals beyond what a number can hold compare exactly',
      left: '90071992547409931',
      right: '90071992547409932',
      order: '<',
    },
    { name: 'letters cannot be compared', left: 'a1', right: 'a2', order: '?' },
    { name: 'a decimal and an opaque text cannot be compared', left: '12', right: 'x', order: '?' },
    { name: 'leading zeros are not decimals', left: '012', right: '13', order: '?' },
    { name: 'zero is a special value, not a version', left: '0', right: '13', order: '?' },
    { name: 'nothing is not a version', left: '', right: '13', order: '?' },
    { name: 'signs and fractions are not decimals', left: '-1', right: '1.5', order: '?' },
  ];
  test.each(cases)('$name', ({ left, right, order }) => {
    const result = compareResourceVersions(left, right);
    expect(result === undefined ? '?' : result < 0 ? '<' : result > 0 ? '>' : '=').toBe(order);
  });

  test('agrees with big integers', () => {
    const version = fc.bigInt({ min: 1n, max: 2n ** 80n });
    fc.assert(
      fc.property(version, version, (left, right) => {
        const order = compareResourceVersions(String(left), String(right)) ?? Number.NaN;
        expect(Math.sign(order)).toBe(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });

  test('what cannot be compared is neither at least nor earlier', () => {
    expect(isAtLeast('x', 'y')).toBe(false);
    expect(isEarlier('x', 'y')).toBe(false);
    expect(isAtLeast(undefined, '1')).toBe(false);
    expect(isEarlier(undefined, '1')).toBe(false);
    expect(isAtLeast('x', 'x')).toBe(true);
    expect(isAtLeast('10', '9')).toBe(true);
    expect(isEarlier('9', '10')).toBe(true);
    expect(isEarlier('10', '10')).toBe(false);
  });
});
