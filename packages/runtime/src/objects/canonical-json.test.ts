import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, hashOf } from './canonical-json.ts';

describe('canonical JSON', () => {
  test('writes the example of RFC 8785 as the RFC does', () => {
    const value = {
      numbers: [333_333_333.333_333_3, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });
  test('sorts keys by UTF-16 units, as the RFC asks', () => {
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(keys)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3]);
  });
  test('does not depend on the order of keys and reads back as what it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 }), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
  test('leaves undefined fields out', () =>
    expect(canonicalJson({ b: undefined, a: [undefined] })).toBe('{"a":[null]}'));
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, '\ud800']) {
    test(`refuses ${typeof value} ${String(value)}`, () => expect(() => canonicalJson({ value })).toThrow(TypeError));
  }
  test('refuses undefined as the whole', () =>
    expect(() => canonicalJson(undefined)).toThrow('a undefined has no JSON'));
});

test('equal values have equal hashes', () => {
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  expect(hashOf({ a: 1 })).toBe('015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862');
  expect(hashOf({ a: 2 })).not.toBe(hashOf({ a: 1 }));
});
