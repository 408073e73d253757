import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { goJsonError } from './go-json-error.ts';

describe('the complaint about a text that is no JSON', () => {
  const end = 'unexpected end of JSON input';
  const rows: readonly (readonly [string, string])[] = [
    ['', end],
    ['{', end],
    ['{"a"', end],
    ['{"a":', end],
    ['{"a":1', end],
    ['{"a":1,', end],
    ['[1', end],
    ['"text', end],
    ['tru', end],
    ['-', end],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"a\nb"', String.raw`invalid character '\n' in string literal`],
    [String.raw`"\x"`, "invalid character 'x' in string escape code"],
    [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
    ['\u0081', String.raw`invalid character '\u0081' looking for beginning of value`],
  ];
  test.each(rows)('%j', (text, complaint) => {
    expect(goJsonError(text)).toBe(complaint);
  });

  test('is there exactly when the parser refuses the text', () => {
    const broken = fc
      .json()
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length), fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '1', 'e', ' '))
          .map(([at, extra]) => text.slice(0, at) + extra + text.slice(at + 1)),
      );
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(goJsonError(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 2000 },
    );
  });
});
