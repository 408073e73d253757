import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subsetPatch } from './subset-patch.ts';

const cases: readonly { rule: string; current: object; wanted: object; patch: object | undefined }[] = [
  { rule: 'what is there is left alone', current: { a: 1, b: 2 }, wanted: { a: 1 }, patch: undefined },
  { rule: 'what differs is written', current: { a: 1, b: 2 }, wanted: { a: 3 }, patch: { a: 3 } },
  { rule: 'what is missing is written', current: {}, wanted: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  {
    rule: 'only the field that differs, however deep',
    current: { spec: { a: { x: 1, y: 1 }, b: 2 } },
    wanted: { spec: { a: { x: 2 }, b: 2 } },
    patch: { spec: { a: { x: 2 } } },
  },
  {
    rule: 'what the server fills in inside of a list does not matter',
    current: { containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always' }] },
    wanted: { containers: [{ name: 'c', image: 'i' }] },
    patch: undefined,
  },
  {
    rule: 'a list that differs is written as a whole',
    current: { containers: [{ name: 'c', image: 'i' }, { name: 'd' }] },
    wanted: { containers: [{ name: 'c', image: 'j' }] },
    patch: { containers: [{ name: 'c', image: 'j' }] },
  },
  { rule: 'null is not to be there', current: { a: 1, b: 2 }, wanted: { a: null, c: null }, patch: { a: null } },
  { rule: 'nor is it in a map that is not there', current: {}, wanted: { a: { b: null } }, patch: undefined },
  { rule: 'an empty map is there or is not', current: {}, wanted: { a: {} }, patch: { a: {} } },
  { rule: 'undefined says nothing', current: { a: 1 }, wanted: { a: undefined }, patch: undefined },
  { rule: 'an object takes the place of a text', current: { a: 'x' }, wanted: { a: { b: 1 } }, patch: { a: { b: 1 } } },
];

describe('the fields that are given', () => {
  test.each(cases)('$rule', ({ current, wanted, patch }) => {
    expect(subsetPatch(current, wanted)).toEqual(patch);
  });

  test('once written, there is nothing left to write', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.string(),
        fc.array(tie('any'), { maxLength: 2 }),
        tie('fields'),
      ),
      fields: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { noNullPrototype: true }),
    })).fields as fc.Arbitrary<object>;
    fc.assert(
      fc.property(value, value, (current, wanted) => {
        const patch = subsetPatch(current, wanted);
        const after = patch ? merge(current, patch) : current;
        expect(subsetPatch(after, wanted)).toBeUndefined();
      }),
    );
  });
});

/** RFC 7386. */
function merge(current: unknown, patch: unknown): object {
  const result: Record<string, unknown> = isFields(current) ? { ...current } : {};
  for (const [name, value] of Object.entries(patch as object)) {
    if (value === null) delete result[name];
    else result[name] = isFields(value) ? merge(result[name], value) : value;
  }
  return result;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
