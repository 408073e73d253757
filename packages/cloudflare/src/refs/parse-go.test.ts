import { describe, expect, test } from 'vitest';
import { parseGoBool } from './parse-go-bool.ts';
import { parseGoDuration } from './parse-go-duration.ts';

describe('a duration as Go writes it, in whole seconds', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['30s', 30],
    ['1m30s', 90],
    ['1.5h', 5400],
    ['250ms', 1],
    ['1001ms', 2],
    ['0', 0],
    ['0s', 0],
    ['+5s', 5],
    ['.5m', 30],
    ['100us', 1],
    ['', undefined],
    ['30', undefined],
    ['-5s', undefined],
    ['s', undefined],
    ['5s ', undefined],
    ['5 s', undefined],
    ['5d', undefined],
  ];
  for (const [text, seconds] of cases) {
    test(`"${text}" is ${seconds}`, () => expect(parseGoDuration(text)).toBe(seconds));
  }
});

test('booleans are read as Go reads them, and nothing else is one', () => {
  expect(['1', 't', 'T', 'true', 'TRUE', 'True'].map(parseGoBool)).toEqual(Array(6).fill(true));
  expect(['0', 'f', 'F', 'false', 'FALSE', 'False'].map(parseGoBool)).toEqual(Array(6).fill(false));
  expect(['yes', 'tRUE', '', '2', 'toString'].map(parseGoBool)).toEqual(Array(5).fill(undefined));
});
