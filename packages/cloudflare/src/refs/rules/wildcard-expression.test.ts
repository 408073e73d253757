import { describe, expect, test } from 'vitest';
import { hasCaptures, matchExpression, replaceExpression, toPatterns } from './wildcard-expression.ts';

describe('patterns', () => {
  const url = 'https://a.com/x';
  const cases = [
    { name: 'the address as it is', given: { sourceUrl: url }, patterns: [url] },
    { name: 'all below it', given: { sourceUrl: url, subpathMatching: true }, patterns: [`${url}/*`] },
    { name: 'no second slash', given: { sourceUrl: `${url}/`, subpathMatching: true }, patterns: [`${url}/*`] },
    { name: 'no second star', given: { sourceUrl: `${url}*`, subpathMatching: true }, patterns: [`${url}*`] },
    {
      name: 'hosts below it',
      given: { sourceUrl: url, includeSubdomains: true },
      patterns: [url, 'https://*.a.com/x'],
    },
    { name: 'no scheme, no host', given: { sourceUrl: '/x', includeSubdomains: true }, patterns: ['/x'] },
  ];
  test.each(cases)('$name', ({ given, patterns }) => {
    expect(toPatterns(given)).toEqual(patterns);
  });
});

test('quotes and backslashes cannot end the text that they stand in', () => {
  expect(matchExpression(['a"b\\c'])).toBe('http.request.full_uri wildcard "a\\"b\\\\c"');
  expect(replaceExpression('p"', 't"')).toBe('wildcard_replace(http.request.full_uri, "p\\"", "t\\"")');
});

test('what a star stood for is counted on where the pattern has one more in front', () => {
  expect([hasCaptures('x/${1}'), hasCaptures('x/$1')]).toEqual([true, false]);
  expect(replaceExpression('*.a/*/*', 'b/${1}/${2}', 1)).toBe(
    'wildcard_replace(http.request.full_uri, "*.a/*/*", "b/${2}/${3}")',
  );
});
