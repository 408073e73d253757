import { expect, test } from 'vitest';
import { celField, celFieldPath, celString } from './cel-text.ts';

test('strings are quoted so that CEL reads them as they were', () => {
  expect(celString("it's a \\ and\nmore\r")).toBe("'it\\'s a \\\\ and\\nmore\\r'");
});

for (const [name, field] of [
  ['plain', 'plain'],
  ['namespace', '__namespace__'],
  ['a-b', 'a__dash__b'],
  ['a.b', 'a__dot__b'],
  ['a/b', 'a__slash__b'],
  ['a__b', 'a__underscores__b'],
  ['a b', undefined],
  ['1a', undefined],
] as const) {
  test(`a rule reaches the field "${name}" as ${field}`, () => expect(celField(name)).toBe(field));
}

test('a field path quotes names that are no identifiers', () => {
  expect([celFieldPath('host'), celFieldPath('a-b')]).toEqual(['.host', "['a-b']"]);
});
