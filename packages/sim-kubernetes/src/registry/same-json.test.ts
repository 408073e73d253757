import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloneJson } from './clone-json.ts';
import { sameJson } from './same-json.ts';

const rows = [
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [{ a: {} }, { a: [] }, false],
  [{}, { a: 1 }, false],
  [null, {}, false],
  [JSON.parse('{"__proto__":{}}'), { a: 1 }, false],
] as const;

test.each(rows)('%j and %j: %s', (a, b, same) => {
  expect([sameJson(a, b), sameJson(b, a)]).toEqual([same, same]);
});

test('values are the same exactly when their canonical texts are', () => {
  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_, field: unknown) =>
      field !== null && typeof field === 'object' && !Array.isArray(field)
        ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : field,
    );
  // Minus zero is not JSON: it is written as zero.
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(fc.property(json, json, (a, b) => sameJson(a, b) === (canonical(a) === canonical(b))));
  fc.assert(fc.property(json, (a) => sameJson(a, cloneJson(a))));
});

test('a copy has every field, whatever its name', () => {
  expect(Object.keys(cloneJson(JSON.parse('{"__proto__":{"a":1}}') as object))).toEqual(['__proto__']);
});

test('a copy shares nothing with its original', () => {
  const original = { a: { b: [{ c: 1 }] } };
  const copy = cloneJson(original);
  copy.a.b[0]!.c = 2;
  copy.a.b.push({ c: 3 });
  expect(original).toEqual({ a: { b: [{ c: 1 }] } });
});
