import { describe, expect, test } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';

const matching: readonly (readonly [selector: string, labels: Record<string, string>, matches: boolean])[] = [
  ['a=1', { a: '1' }, true],
  ['a=1', { a: '2' }, false],
  ['a==1', { a: '1' }, true],
  ['a!=1', { a: '2' }, true],
  ['a!=1', {}, true],
  ['a=', { a: '' }, true],
  ['a', { a: '' }, true],
  ['a', {}, false],
  ['!a', {}, true],
  ['!a', { a: '1' }, false],
  ['a in (1,2)', { a: '2' }, true],
  ['a in (1,2)', {}, false],
  ['a in ()', { a: '' }, true],
  ['a notin (1,2)', { a: '3' }, true],
  ['a notin (1,2)', {}, true],
  ['a>5', { a: '6' }, true],
  ['a>5', { a: 'x' }, false],
  ['a<5', { a: '4' }, true],
  ['a=1,b=2', { a: '1', b: '2' }, true],
  ['a=1,b=2', { a: '1' }, false],
  ['x.io/in in (in, notin)', { 'x.io/in': 'in' }, true],
];

const refused: readonly (readonly [selector: string, message: string])[] = [
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in b', "unable to parse requirement: found 'b' expected: '('"],
  ['a=1,', "found '', expected: identifier after ','"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a=(', "unable to parse requirement: found '(', expected: identifier"],
];

describe('a label selector', () => {
  test.each(matching)('%s on %j: %s', (selector, labels, matches) => {
    expect(parseLabelSelector(selector)?.(labels)).toBe(matches);
  });

  test.each(refused)('%s is refused in the words of the API', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(message);
  });

  test('that is empty selects everything', () => {
    expect(parseLabelSelector('')).toBeUndefined();
  });
});
