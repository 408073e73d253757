import { expect, test } from 'vitest';
import { canonicalItems, deltaOf } from './list-items.ts';

test.each([
  ['DOMAIN', 'Example.COM', 'example.com'],
  ['EMAIL', 'Me@Example.com', 'me@example.com'],
  ['URL', 'HTTPS://Example.com', 'https://example.com/'],
  ['SERIAL', ' AbC ', 'AbC'],
])('an item of a list of %s: %s is kept as %s', (type, value, kept) => {
  expect(canonicalItems([{ value }], type)).toEqual([{ value: kept }]);
});

test('of items with the same value the first counts', () => {
  const items = [{ value: 'a.com', description: 'first' }, { value: 'A.com' }];
  expect(canonicalItems(items, 'DOMAIN')).toEqual([{ value: 'a.com', description: 'first' }]);
});

test('only what is new, or described anew, comes, and only what is not wanted goes', () => {
  const wanted = [{ value: 'same' }, { value: 'new' }, { value: 'told', description: 'now' }];
  const shown = [{ value: 'same' }, { value: 'told', description: 'before' }, { value: 'old' }];
  expect(deltaOf(wanted, shown)).toEqual({
    append: [{ value: 'new' }, { value: 'told', description: 'now' }],
    remove: ['old'],
  });
});
