import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder, pathsOf } from './field-order.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import {
  difference,
  hasPath,
  insertAt,
  intersection,
  isEmptySet,
  recursiveDifference,
  setOf,
  union,
  withPrefix,
} from './field-set.ts';

const a = setOf(['a']);
const ab = setOf(['a', 'b']);
const both = setOf(['a'], ['a', 'b']);

describe('a set of fields', () => {
  const rows: readonly (readonly [string, FieldSet, FieldSet])[] = [
    ['holds a parent without its children', a, { 'f:a': {} }],
    ['holds a child without its parent', ab, { 'f:a': { 'f:b': {} } }],
    ['holds both with a dot', both, { 'f:a': { '.': {}, 'f:b': {} } }],
    ['is joined with its like', union(a, ab), { 'f:a': { '.': {}, 'f:b': {} } }],
    ['loses no child to a parent', difference(both, a), { 'f:a': { 'f:b': {} } }],
    ['loses no parent to a child', difference(both, ab), { 'f:a': {} }],
    ['loses children along with a parent when it shall', recursiveDifference(both, a), {}],
    ['loses children alone when only they are taken', recursiveDifference(both, ab), { 'f:a': {} }],
    ['meets another in what both hold', intersection(both, ab), { 'f:a': { 'f:b': {} } }],
    ['meets nothing where one has the parent and one the child', intersection(a, ab), {}],
    ['has a part below each element', withPrefix(both, 'f:a'), { 'f:b': {} }],
  ];
  test.each(rows)('%s', (_, actual, expected) => expect(actual).toEqual(expected));
});

const path = fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'k:{"n":10}', 'k:{"n":9}', 'v:"x"'), {
  minLength: 1,
  maxLength: 3,
});
const paths = fc.array(path, { maxLength: 8 });

function build(list: readonly (readonly string[])[]): FieldSet {
  const set: FieldSetDraft = {};
  for (const each of list) insertAt(set, each);
  return set;
}

const text = (list: readonly (readonly string[])[]): string[] => list.map((each) => each.join(' ')).toSorted();
const distinct = (list: readonly (readonly string[])[]): string[] => [...new Set(text(list))];

describe('whatever the paths', () => {
  test('a set holds those that were put into it and no others', () => {
    fc.assert(
      fc.property(paths, path, (list, other) => {
        const set = build(list);
        expect(text(pathsOf(set))).toEqual(distinct(list));
        expect(hasPath(set, other)).toBe(text(list).includes(other.join(' ')));
        expect(isEmptySet(set)).toBe(list.length === 0);
      }),
    );
  });

  test('union, difference and intersection are those of the paths, and leave their operands alone', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [l, r] = [build(left), build(right)];
        const before = JSON.stringify([l, r]);
        const [ours, theirs] = [distinct(left), distinct(right)];
        expect(text(pathsOf(union(l, r)))).toEqual(distinct([...left, ...right]));
        expect(text(pathsOf(difference(l, r)))).toEqual(ours.filter((each) => !theirs.includes(each)));
        expect(text(pathsOf(intersection(l, r)))).toEqual(ours.filter((each) => theirs.includes(each)));
        const taken = (each: string): boolean => theirs.some((one) => each === one || each.startsWith(`${one} `));
        expect(text(pathsOf(recursiveDifference(l, r)))).toEqual(ours.filter((each) => !taken(each)));
        expect(JSON.stringify([l, r])).toBe(before);
      }),
    );
  });

  test('order changes nothing but the order', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const sorted = inOrder(build(list));
        expect(sorted).toEqual(build(list));
        expect(JSON.stringify(sorted)).toBe(JSON.stringify(inOrder(build(list.toReversed()))));
        expect(inOrder(sorted)).toBe(sorted);
      }),
    );
  });
});

test('elements stand in the order of their kinds, and keys in that of their values', () => {
  const set = build([['i:2'], ['v:"x"'], ['v:3'], ['k:{"n":10}'], ['k:{"n":9}'], ['k:{"n":"1"}'], ['f:b'], ['f:a']]);
  const order = ['f:a', 'f:b', 'k:{"n":9}', 'k:{"n":10}', 'k:{"n":"1"}', 'v:3', 'v:"x"', 'i:2'];
  expect(Object.keys(inOrder(set))).toEqual(order);
});
