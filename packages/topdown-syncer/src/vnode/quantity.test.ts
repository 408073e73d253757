import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addQuantities, formatQuantity, parseQuantity, shareOf, subtractQuantity } from './quantity.ts';

const read = (text: string | number) => parseQuantity(text)!;

describe('quantities', () => {
  const canonical = [
    ['0', '0'],
    ['1', '1'],
    ['1.5', '1500m'],
    ['1500m', '1500m'],
    ['4000m', '4'],
    ['110', '110'],
    ['5000', '5k'],
    ['1.5Gi', '1536Mi'],
    ['16384Mi', '16Gi'],
    ['512Ki', '512Ki'],
    ['1024', '1024'],
    ['2e3', '2k'],
    ['1E', '1E'],
    ['-1', '-1'],
  ] as const;
  for (const [text, expected] of canonical) {
    test(`${text} is written as ${expected}`, () => expect(formatQuantity(read(text))).toBe(expected));
  }

  for (const text of ['', '.', 'x', '1 Gi', '1KiB', '--1', '1.5.2']) {
    test(`${JSON.stringify(text)} is no quantity`, () => expect(parseQuantity(text)).toBeUndefined());
  }

  test('a number is read like its text', () => expect(read(3)).toEqual(read('3')));

  test('what is taken away leaves no debt', () => {
    expect(formatQuantity(subtractQuantity(read('4'), read('1500m')))).toBe('2500m');
    expect(formatQuantity(subtractQuantity(read('1'), read('2')))).toBe('0');
  });

  test('a share of memory stays in whole bytes and binary steps', () => {
    expect(formatQuantity(shareOf(read('16Gi'), 50, 1_000_000_000n))).toBe('8Gi');
    expect(formatQuantity(shareOf(read('1Ki'), 33, 1_000_000_000n))).toBe('337');
  });

  test('a share of a processor stays in whole thousandths', () => {
    expect(formatQuantity(shareOf(read('1'), 33, 1_000_000n))).toBe('330m');
    expect(formatQuantity(shareOf(read('7m'), 50, 1_000_000n))).toBe('3m');
  });

  test('every quantity can be read back as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.boolean(), (units, binary) => {
        const quantity = { nanos: units * 1_000_000n, binary };
        expect(read(formatQuantity(quantity)).nanos).toBe(quantity.nanos);
      }),
    );
  });

  test('sums do not depend on the order', () => {
    const size = fc.constantFrom('100m', '1', '250Mi', '3Gi', '7');
    fc.assert(
      fc.property(size, size, (a, b) => {
        expect(addQuantities(read(a), read(b)).nanos).toBe(addQuantities(read(b), read(a)).nanos);
      }),
    );
  });
});
