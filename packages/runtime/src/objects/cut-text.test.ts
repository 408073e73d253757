import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';
import { createLruMap } from './lru-map.ts';

test('a cut text fits, is a beginning, and no longer one would fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
      const cut = cutText(text, max);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
      expect(text.startsWith(cut)).toBe(true);
      const [next = ''] = text.slice(cut.length);
      expect(next === '' || Buffer.byteLength(cut + next) > max).toBe(true);
    }),
  );
});

test('half of a surrogate pair is replaced', () => expect(cutText('a\ud800', 10)).toBe('a\ufffd'));

test('an LRU map forgets what was not used for the longest time', () => {
  const map = createLruMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size()]).toEqual([1, undefined, 3, 2]);
});
