import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCursorPage, toPage, toSinglePage } from './page.ts';

const rules = { defaultSize: 10, maxSize: 50 };

test('pages put together are the whole list, whatever their size, and every page after them is empty', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 80 }), (count, size) => {
      const rows = Array.from({ length: count }, (_, index) => index);
      const read = (page: number): ReturnType<typeof toPage> =>
        toPage(new URLSearchParams({ page: String(page), per_page: String(size) }), rows, rules);
      const pages = read(1).info['total_pages'] as number;
      const all = Array.from({ length: pages }, (_, index) => read(index + 1).result).flat();
      expect(all).toEqual(rows);
      expect(read(pages + 1).result).toEqual([]);
    }),
  );
});

test('nonsense in the query is passed over', () => {
  expect(toPage(new URLSearchParams('page=0&per_page=x'), [1], rules).info).toMatchObject({ page: 1, per_page: 10 });
  expect(toSinglePage([1, 2]).info).toMatchObject({ count: 2, total_count: 2 });
});

for (const style of ['cursor', 'cursors'] as const) {
  test(`cursors (${style}) walk over all rows once, also when rows are removed on the way`, () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{1,8}$/)),
        fc.integer({ min: 1, max: 7 }),
        (keys, size) => {
          const walk = (removing: boolean): string[] => {
            const seen: string[] = [];
            let cursor = '';
            do {
              const left = removing ? keys.filter((key) => !seen.includes(key)) : keys;
              const query = new URLSearchParams({ per_page: String(size), ...(cursor !== '' && { cursor }) });
              const { result, info } = toCursorPage(query, left, { ...rules, keyOf: (key) => key, style });
              seen.push(...(result as string[]));
              const after = info['cursors'] as { after?: string } | undefined;
              cursor = (style === 'cursor' ? (info['cursor'] as string) : after?.after) ?? '';
            } while (cursor !== '');
            return seen;
          };
          expect(walk(false)).toEqual(keys.toSorted());
          expect(walk(true)).toEqual(keys.toSorted());
        },
      ),
    );
  });
}
