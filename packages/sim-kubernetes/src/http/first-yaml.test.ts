import { expect, test } from 'vitest';
import { firstBracketed } from './first-yaml.ts';

test.each([
  ['{"a": 1} x', '{"a": 1}'],
  ['{"a": "}"} }', '{"a": "}"}'],
  [' [1, {b: 2}] [', ' [1, {b: 2}]'],
  ['{"a": 1}\nb: c', '{"a": 1}'],
  [`{a: 'it''s }'} x`, `{a: 'it''s }'}`],
])('of %j the first value is read', (text, first) => {
  expect(firstBracketed(text)).toBe(first);
});

test.each(['a: 1', '{"a": 1}', '{"a": 1', '{"a": 1} "', '{"a": 1} @', '{"a": 1}: c'])('of %j it is not', (text) => {
  expect(firstBracketed(text)).toBeUndefined();
});
