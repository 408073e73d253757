import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuantity, compareQuantities, parseQuantity } from './quantity.ts';

describe('quantities', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['1', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1000Ki', '1000Ki'],
    ['0.5Mi', '512Ki'],
    ['0.5Ki', '512'],
    ['100000k', '100M'],
    ['1e3', '1e3'],
    ['1000e0', '1e3'],
    ['-1', '-1'],
    ['+1', '1'],
    ['0', '0'],
    ['0Mi', '0'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['', undefined],
    ['.', undefined],
    ['1x', undefined],
    ['1 Gi', undefined],
  ];
  for (const [text, canonical] of cases) {
    test(`${JSON.stringify(text)} is written as ${JSON.stringify(canonical)}`, () =>
      expect(canonicalQuantity(text)).toBe(canonical));
  }

  test('writing a quantity never changes its value, and writing it twice changes nothing more', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3');
    fc.assert(
      fc.property(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 99 }), suffix, (a, b, end) => {
        const text = `${a}.${b}${end}`;
        const once = canonicalQuantity(text) ?? '';
        expect(canonicalQuantity(once)).toBe(once);
        expect(compareQuantities(parseQuantity(text)!, parseQuantity(once)!)).toBe(0);
      }),
    );
  });
});
