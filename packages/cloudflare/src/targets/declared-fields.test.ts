import { describe, expect, test } from 'vitest';
import { declaredPaths, differingPaths } from './declared-fields.ts';

const cases: readonly (readonly [string, object, object, readonly string[], readonly string[]])[] = [
  ['equal', { a: 1, b: { c: 'x' } }, { a: 1, b: { c: 'x' } }, [], []],
  ['what the API adds is its own', { b: { c: 'x' } }, { b: { c: 'x', d: 'y' }, e: 1 }, [], []],
  ['another value', { a: 1, b: { c: 'x' } }, { a: 2, b: { c: 'y' } }, [], ['a', 'b.c']],
  ['false, empty and absent are the same', { a: false, b: '', c: [] }, { a: null }, [], []],
  ['true and absent are not', { a: true }, {}, [], ['a']],
  ['what was said before and is not now', { a: 1 }, { a: 1, b: 2 }, ['a', 'b'], ['b']],
  ['what is not shown is not compared', { secret: 'x' }, {}, [], []],
  ['sets in any order', { set: ['b', 'a'] }, { set: ['a', 'b'] }, [], []],
  ['sets of objects that the API fills up', { set: [{ u: 1 }] }, { set: [{ u: 1, v: 2 }] }, [], []],
  ['a set with one more', { set: ['a'] }, { set: ['a', 'b'] }, [], ['set']],
  ['lists in order', { list: ['b', 'a'] }, { list: ['a', 'b'] }, [], ['list']],
  ['lists of another length', { list: ['a'] }, { list: ['a', 'b'] }, [], ['list']],
  ['an object where there is none', { list: [{ a: 1 }] }, { list: ['x'] }, [], ['list']],
  ['a value of two forms', { time: '60m' }, { time: '1h' }, [], []],
];

describe('what is declared of an object', () => {
  for (const [name, wanted, observed, before, expected] of cases) {
    test(name, () => {
      const comparison = {
        sets: new Set(['set']),
        silent: new Set(['secret']),
        canonical: (path: string, value: unknown) => (path === 'time' ? 3600 : value),
      };
      expect(differingPaths({ ...wanted }, { ...observed }, before, comparison)).toEqual(expected);
    });
  }

  test('has a path for each value, lists as a whole', () => {
    expect(declaredPaths({ a: 1, b: { c: [{ d: 1 }], e: { f: null } } })).toEqual(['a', 'b.c', 'b.e.f']);
  });
});
